"""Hits → the sentences that may answer, each with what stands around it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from rag_variants.text.language import Language, as_language
from rag_variants.text.sentences import Sentence, split_sentences
from rag_variants.text.table_rows import cells_of, is_row, is_rule, say_row
from rag_variants.text.terms import extract_terms
from rag_variants.types import Hit
from rag_variants_embedded.answer.commands import is_command
from rag_variants_embedded.answer.stretches import Stretch, stitch

_HEADING = re.compile(r"\s*(#{1,6})\s")
_ITEM = re.compile(r"\s*(?:[-*+]\s|\d{1,3}[.)]\s)")
_QUESTION_END = re.compile(r"[?？][*_\s\"”」]*$")
_TERMINAL = re.compile(r"[.!?…。！？:：][*_\s\"'”’」』)）\]]*$")
_SHORT = 3
# Some 20 kB each; a passage is the text of a chunk or of several that touch.
PASSAGES_CACHED = 2_048


@dataclass(frozen=True, slots=True)
class Candidate:
    """A sentence that may answer. `said` is how it is said; `around` is what stands around it."""

    text: str
    said: str
    document: str
    start: int
    ranks: tuple[int, ...]
    terms: frozenset[str]
    around: frozenset[str]
    whole: bool
    row: bool = False

    @property
    def order(self) -> tuple[int, str, int]:
        """The rule for ties: by rank, then where it stands."""
        return (self.ranks[0], self.document, self.start)


def find_candidates(hits: Sequence[Hit]) -> tuple[Candidate, ...]:
    """Every sentence of the hits that may be said, twins merged, in the order of ranks and places."""
    merged: dict[tuple[str, ...], Candidate] = {}
    for passage in stitch(hits):
        for candidate in _of_passage(passage):
            key = extract_terms(candidate.text, None) or (candidate.text,)
            twin = merged.get(key)
            if twin is None:
                merged[key] = candidate
            else:
                first, second = sorted((twin, candidate), key=lambda one: one.order)
                ranks = tuple(sorted({*first.ranks, *second.ranks}))
                merged[key] = replace(first, ranks=ranks, around=first.around | second.around)
    return tuple(sorted(merged.values(), key=lambda one: one.order))


@dataclass
class _Surroundings:
    """What has been read so far above a sentence."""

    headings: list[tuple[int, str]]
    header: tuple[str, ...] = ()
    lead: str = ""
    previous: str = ""

    def enter(self, level: int, heading: str) -> None:
        self.headings = [one for one in self.headings if one[0] < level] + [(level, heading)]
        self.header, self.lead, self.previous = (), "", ""


@dataclass(frozen=True, slots=True)
class _Read:
    """A sentence of a text that may be said, before it is known which hits hold it; `complete`: it ends as one."""

    sentence: Sentence
    said: str
    terms: frozenset[str]
    around: frozenset[str]
    complete: bool
    row: bool


def _of_passage(passage: Stretch) -> Iterator[Candidate]:
    for one in _read(passage.text, as_language(passage.language)):
        start, end = one.sentence.start, one.sentence.end
        yield Candidate(
            text=one.sentence.text,
            said=one.said,
            document=passage.document,
            start=passage.start + start,
            ranks=passage.ranks(passage.start + start, passage.start + end),
            terms=one.terms,
            around=one.around,
            whole=passage.is_whole(start, end, one.complete),
            row=one.row,
        )


@lru_cache(maxsize=PASSAGES_CACHED)
def _read(text: str, language: Language) -> tuple[_Read, ...]:
    """The sentences of a text, kept: the same passages are read for every setting that finds them."""
    sentences = _glued(text, split_sentences(text, language))
    above, found = _Surroundings([]), []
    for index, sentence in enumerate(sentences):
        line = _line(text, sentence.start)
        if heading := _HEADING.match(line):
            above.enter(len(heading.group(1)), sentence.text)
            continue
        row = is_row(line)
        if row and _is_table_head(text, sentence.end):
            above.header = cells_of(line)
            continue
        if _QUESTION_END.search(sentence.text):
            above.lead = above.previous = sentence.text
            continue
        following = sentences[index + 1].text if index + 1 < len(sentences) and not row else ""
        item = bool(_ITEM.match(line))
        if not is_command(sentence.text):
            context = [words for _, words in above.headings] + [*above.header, above.lead, above.previous]
            if not item and not row:
                context.append(following)
            said = _said(line, above.header, sentence) if row else sentence.text
            found.append(_reading(sentence, context, said, row, language))
        if not row and not item:
            above.header, above.lead = (), sentence.text
        above.previous = "" if row or item else sentence.text
    return tuple(found)


def _reading(sentence: Sentence, context: Sequence[str], said: str, row: bool, language: Language) -> _Read:
    around = frozenset(term for text in context if text for term in extract_terms(text, language))
    terms = frozenset(extract_terms(sentence.text, language))
    return _Read(sentence, " ".join(said.split()), terms, around, bool(_TERMINAL.search(sentence.text)), row)


def _glued(text: str, sentences: Sequence[Sentence]) -> list[Sentence]:
    """Sentences, where one of a word or two (`No.`) is joined to the next of its paragraph, and a table row is one."""
    found: list[Sentence] = []
    for sentence in sentences:
        before = found[-1] if found else None
        unfinished = before and (_is_short(before, text) or is_row(_line(text, before.start)))
        if before and unfinished and "\n" not in text[before.end : sentence.start]:
            found[-1] = Sentence(before.start, sentence.end, text[before.start : sentence.end])
        else:
            found.append(sentence)
    return found


def _is_short(sentence: Sentence, text: str) -> bool:
    return len(extract_terms(sentence.text)) < _SHORT and bool(_TERMINAL.search(sentence.text))


def _line(text: str, position: int) -> str:
    start = text.rfind("\n", 0, position) + 1
    end = text.find("\n", position)
    return text[start:] if end < 0 else text[start:end]


def _is_table_head(text: str, end: int) -> bool:
    """Whether the row that ends here is followed by the rule under a table's header."""
    newline = text.find("\n", end)
    return newline >= 0 and is_rule(_line(text, newline + 1))


def _said(row: str, header: Sequence[str], sentence: Sentence) -> str:
    """A table row with its header cells, where it has them."""
    cells = cells_of(row)
    return say_row(header, cells) if len(cells) == len(header) else sentence.text
