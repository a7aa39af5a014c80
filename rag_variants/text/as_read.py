"""Text as files and people give it → one form: composed letters, and blanks for characters without width."""

import unicodedata
from collections.abc import Iterator

# Not the joiners U+200C and U+200D, which letters of some scripts and emoji are made with.
_ZERO_WIDTH = dict.fromkeys(map(ord, "\u200b\u2060\ufeff\u180e"), " ")
# What a quote is copied with: the same to a reader, whatever the program that it went through.
_QUOTATION = str.maketrans(dict.fromkeys("“”„‟″＂", '"') | dict.fromkeys("‘’‚‛′＇", "'"))


def as_read(text: str) -> str:
    """The text in NFC, with a blank for each zero-width space or joiner of words."""
    return unicodedata.normalize("NFC", text).translate(_ZERO_WIDTH)


def count_zero_width(text: str) -> int:
    """How many characters `as_read` makes blanks of."""
    return sum(text.count(chr(each)) for each in _ZERO_WIDTH)


def has_words(text: str) -> bool:
    """Whether there is a letter or a digit; signs and blanks alone say nothing."""
    return any(map(str.isalnum, text))


def fold_layout(text: str) -> tuple[str, tuple[tuple[int, int], ...]]:
    """The text in NFC with one blank for every run of blanks and line ends and with straight quotation marks.

    Each of its characters comes with the span that it has in the text given.
    """
    folded: list[str] = []
    spans: list[tuple[int, int]] = []
    for start, end in _letters(text):
        letter = as_read(text[start:end]).translate(_QUOTATION)
        blank = letter.isspace()
        if not (blank and folded and folded[-1] == " "):
            folded += " " if blank else letter
            spans += [(start, end)] * (1 if blank else len(letter))
    return "".join(folded), tuple(spans)


def _letters(text: str) -> Iterator[tuple[int, int]]:
    """The spans of characters with the marks that are combined with them."""
    start = 0
    for at in range(1, len(text) + 1):
        if at == len(text) or not unicodedata.combining(text[at]):
            yield start, at
            start = at
