"""What a loader is: a format of documents, and how the bytes of a file become its text."""

from collections.abc import Callable
from dataclasses import dataclass, field

from rag_variants.corpus.decoding import decode
from rag_variants.corpus.front_matter import FrontMatter, split_front_matter
from rag_variants.text.as_read import as_read, count_zero_width


@dataclass(frozen=True, slots=True)
class Loaded:
    """The text of a file, what it says of itself, and notes on what was guessed or ignored.

    A title in `said` counts; without one the first heading of the text does, then the file's name.
    """

    text: str
    said: FrontMatter = field(default_factory=FrontMatter)
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Loader:
    """A format of documents: its name, the endings of its files in small letters (".md"), and how one is read.

    `read` gets the bytes of a file and its path below the folder. It raises ValueError with the reason, which follows
    the file's name ("it holds no text"), for bytes that it cannot read; that costs this file alone.
    """

    name: str
    endings: tuple[str, ...]
    read: Callable[[bytes, str], Loaded]


def read_text(data: bytes, path: str) -> Loaded:
    """Text in whatever encoding, with front matter on top of it where there is any. Raises NotTextError."""
    decoded = decode(data)
    said, text = split_front_matter(as_read(decoded.text))
    notes = [decoded.note] if decoded.note else []
    if count := count_zero_width(decoded.text):
        notes.append(f"{count} zero-width character(s) read as blanks")
    return Loaded(text, said, tuple(notes))
