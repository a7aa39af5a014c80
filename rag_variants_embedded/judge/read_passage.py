"""A text as the judge reads it: its lines in order, and where in them a word may find its like."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

from rag_variants.text.language import Language
from rag_variants.text.sentences import split_sentences
from rag_variants_embedded.judge.read_sentence import ReadSentence, read

LINES_BEFORE = 3
# Some 50 kB each. The texts of a question are read for all its statements at once, so a base need not fit.
PASSAGES_CACHED = 2_048
# Semicolons part lines, and so does `class B. The …`, which sentence splitters take for an initial.
_PIECES = re.compile(r"[;；]|(?<=[a-z] [A-Z]\.)\s+(?=[A-Z])")


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or its part up to a semicolon, with the lines before it, nearest first."""

    reading: ReadSentence
    sentence: str
    before: tuple[ReadSentence, ...]


@dataclass(frozen=True, slots=True, eq=False)
class ReadPassage:
    """The lines of a text. `places`: a beginning, meaning or Chinese character → the lines that hold it, in order."""

    lines: tuple[Line, ...]
    sentences: tuple[str, ...]
    places: Mapping[str, tuple[int, ...]]

    def lines_with(self, signs: frozenset[str]) -> set[int]:
        """The lines that hold any of the signs of a token; no other line holds a counterpart."""
        return {at for sign in signs for at in self.places.get(sign, ())}


@lru_cache(maxsize=PASSAGES_CACHED)
def read_passage(text: str, language: Language) -> ReadPassage:
    """The lines of a text, each read with those before it."""
    lines: list[Line] = []
    earlier: list[ReadSentence] = []
    for sentence in split_sentences(text, language):
        for piece in _PIECES.split(sentence.text):
            if any(map(str.isalnum, piece)):
                reading = read(piece.strip(), language)
                lines.append(Line(reading, sentence.text, tuple(reversed(earlier[-LINES_BEFORE:]))))
                earlier.append(reading)
    return ReadPassage(tuple(lines), tuple(line.sentence for line in lines), _places(lines, language))


def _places(lines: list[Line], language: Language) -> Mapping[str, tuple[int, ...]]:
    found: dict[str, tuple[int, ...]] = {}
    for at, line in enumerate(lines):
        reading = line.reading
        characters = reading.text if language == "zh" else ""
        for sign in {*reading.beginnings, *reading.keys, *characters}:
            found[sign] = (*found.get(sign, ()), at)
    return found
