"""What an importer is: a format of question files, and how the bytes of one become rows."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from rag_variants.corpus.decoding import NotTextError, decode
from rag_variants.errors import QuestionsError
from rag_variants.questions.table import Table

Read = Callable[[bytes, Path], Table]


@dataclass(frozen=True, slots=True)
class Importer:
    """A format of question files: its name, the endings of its files in small letters (".csv"), and how one is read.

    `read` gets the bytes of a file and its path. What the columns mean is not its task: it gives every row as it
    stands, with its place in the file, and names in `skipped` what is none. It raises ValueError with the reason, or
    QuestionsError with a sentence, for a file that it cannot read at all.
    """

    name: str
    endings: tuple[str, ...]
    read: Read


def reads_text(read: Callable[[str, Path], Table]) -> Read:
    """How a format of text is read: the bytes are decoded first, with a note if the encoding was guessed."""

    def decoded(data: bytes, path: Path) -> Table:
        try:
            found = decode(data)
        except NotTextError as error:
            raise QuestionsError(f"{path} cannot be read: {error}.") from error
        if not found.text.strip():
            raise QuestionsError(f"{path} is empty. Write one object a line into it, or name another file.")
        table = read(found.text, path)
        return replace(table, notes=(*([found.note] if found.note else []), *table.notes))

    return decoded
