"""The marks in an answer that name the hits it used."""

import re

_CITATION = re.compile(r"[ \t]*(?:\[\d{1,3}(?:\s*[,;–-]\s*\d{1,3})*\]|【\d{1,3}】)")


def strip_citations(text: str) -> str:
    """The text without marks such as `[2]`, `[1, 3]` and `【2】`."""
    return _CITATION.sub("", text)
