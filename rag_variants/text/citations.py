"""The marks in an answer that name the hits it used."""

import re

_CITATION = re.compile(r"[ \t]*(?:\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]|【\d{1,3}】)")
_PIECE = re.compile(r"(\d+)(?:\s*[–-]\s*(\d+))?")


def strip_citations(text: str) -> str:
    """The text without marks such as `[2]`, `[1, 3]` and `【2】`."""
    return _CITATION.sub("", text)


def citation_spans(text: str) -> list[tuple[int, int]]:
    """Where the marks stand in the text, each as `[start, end)`."""
    return [mark.span() for mark in _CITATION.finditer(text)]


def cited_numbers(text: str) -> tuple[int, ...]:
    """The numbers that the marks name, sorted, each once: `[1, 3]` names 1 and 3, `[2-4]` names 2, 3 and 4."""
    found: set[int] = set()
    for mark in _CITATION.findall(text):
        for first, last in _PIECE.findall(mark):
            found.update(range(int(first), int(last or first) + 1))
    return tuple(sorted(found))
