"""Whether texts support a statement: the best sentence, and what speaks against it."""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from rag_variants.llm.embedding import Vectors
from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import Language, detect_language
from rag_variants.text.quantities.quantity import agree
from rag_variants.text.sentences import split_sentences
from rag_variants_embedded.judge.alignment import Match, align
from rag_variants_embedded.judge.days import days_differ
from rag_variants_embedded.judge.figures import number_veto
from rag_variants_embedded.judge.names import binding_veto, name_veto, slot_veto
from rag_variants_embedded.judge.owners import owner_veto
from rag_variants_embedded.judge.polarity import contradiction, relevant_segments
from rag_variants_embedded.judge.reading import Reading, Token, read
from rag_variants_embedded.judge.terms_of_use import terms_veto

Label = Literal["supported", "contradicted", "missing", "unsure"]

# How much of a statement's content a sentence must hold; less will do for sentences that are close in meaning.
COVERED, ENOUGH, CLOSE = 0.7, 0.6, 0.5
# Below this share a sentence is about something else: nothing in it contradicts the statement.
ABOUT = 0.4
# The sentence itself must hold this share of what is found; the lines before it only lead to it.
DIRECT = 0.55
# A number that agrees says more than a word that does.
EXACT = 1.5
# Where evidence of several kinds is found, support wins over a contradiction that is this much closer.
_PREFERENCE = {"supported": 0.12, "contradicted": 0.0, "unsure": -0.02, "missing": -0.2}
_CANDIDATES = 4
_LINES_BEFORE = 3
# Cosines of e5 lie between these for unrelated and equal texts, without a centre and with one.
_RAW_BAND, _CENTRED_BAND = (0.80, 0.97), (0.0, 0.9)
_SEMANTIC_SHARE = 0.25


@dataclass(frozen=True, slots=True)
class Verdict:
    """The label with the sentence it rests on, word for word, and the reason against; `score` is closeness, 0…1."""

    label: Label
    sentence: str | None
    veto: str | None
    score: float


@dataclass(frozen=True, slots=True)
class Line:
    """A sentence, or its part up to a semicolon, with the lines before it, nearest first."""

    reading: Reading
    sentence: str
    before: tuple[Reading, ...]


NOTHING = Verdict("missing", None, None, 0.0)


@dataclass(frozen=True)
class SupportJudge:
    """Gives verdicts that depend on statement, contexts and question alone, besides what is known of the base.

    `embed` gives unit passage vectors (kept by the caller), `frequencies` the rarity of terms in the knowledge base,
    `center` its mean vector.
    """

    embed: Callable[[Sequence[str]], Vectors]
    frequencies: TermFrequencies
    center: Vectors | None = None
    _kept: dict[tuple[str, str, Language], Verdict] = field(default_factory=dict, compare=False, repr=False)
    _kept_rows: dict[tuple[str, ...], NDArray[np.float64]] = field(default_factory=dict, compare=False, repr=False)

    def judge(
        self, statement: str, contexts: Sequence[str], question: str | None = None, language: Language | None = None
    ) -> Verdict:
        """The verdict over all contexts: that of the best evidence in any of them.

        A statement that joins two facts is supported if each of them is. The question changes no verdict: what it
        takes for granted is no evidence.
        """
        language = language or detect_language(statement)
        whole = self._best(statement, contexts, language)
        if whole.label == "supported":
            return whole
        parts = _parts(statement, language)
        if len(parts) < 2:
            return whole
        verdicts = [self._best(part, contexts, language) for part in parts]
        if all(verdict.label == "supported" for verdict in verdicts):
            sentences = dict.fromkeys(verdict.sentence or "" for verdict in verdicts)
            return Verdict("supported", " … ".join(sentences), None, min(verdict.score for verdict in verdicts))
        return whole

    def _best(self, statement: str, contexts: Sequence[str], language: Language) -> Verdict:
        return max((self._best_in(statement, context, language) for context in contexts), key=_order, default=NOTHING)

    def _best_in(self, statement: str, context: str, language: Language) -> Verdict:
        """The verdict from one context alone, kept: A, B and every metric ask about the same chunks."""
        key = (statement, context, language)
        if key not in self._kept:
            found = self._verdicts(read(statement, language), statement, context)
            self._kept[key] = max(found, key=_order, default=NOTHING)
        return self._kept[key]

    def _verdicts(self, said: Reading, statement: str, context: str) -> Iterator[Verdict]:
        """A verdict for each of the sentences of a context that come nearest."""
        lines = _lines(context, said.language)
        if not lines or not (said.content or said.quantities):
            return
        close = self._closeness(statement, tuple(line.sentence for line in lines))
        ranked: list[tuple[float, float, Line, tuple[Match, ...]]] = []
        for line, near in zip(lines, close, strict=True):
            matches = align(said, line.reading, line.before)
            covered = self._covered(said, matches, line)
            if _direct(said, matches, line) < DIRECT:
                covered = min(covered, ABOUT - 0.01)
            ranked.append(((1 - _SEMANTIC_SHARE) * covered + _SEMANTIC_SHARE * near, covered, line, matches))
        ranked.sort(key=lambda entry: (-entry[0], entry[2].reading.text))
        for score, covered, line, matches in ranked[:_CANDIDATES]:
            near = (score - (1 - _SEMANTIC_SHARE) * covered) / _SEMANTIC_SHARE
            found = _decide(said, line, matches, score, covered, near)
            yield _guarded(found, said, matches, line, lines) if found.label == "supported" else found

    def _closeness(self, statement: str, sentences: tuple[str, ...]) -> list[float]:
        """How near each sentence is in meaning, 0…1."""
        low, high = _RAW_BAND if self.center is None else _CENTRED_BAND
        cosines = self._rows(sentences) @ self._rows((statement,))[0]
        return [float(value) for value in np.clip((cosines - low) / (high - low), 0.0, 1.0).round(6)]

    def _rows(self, texts: tuple[str, ...]) -> NDArray[np.float64]:
        """Unit rows from the base's middle, kept: a chunk's sentences are asked about again and again."""
        if texts not in self._kept_rows:
            rows = np.asarray(self.embed(texts), dtype=np.float64)
            if self.center is not None:
                rows = rows - np.asarray(self.center, dtype=np.float64)
                rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
            self._kept_rows[texts] = rows
        return self._kept_rows[texts]

    def _covered(self, said: Reading, matches: Sequence[Match], line: Line) -> float:
        """The share of the statement's content that a line holds, by weight and rarity."""
        total = found = 0.0
        for match in matches:
            weight = match.token.weight * self._rarity(match.token.stem)
            total += weight
            found += weight * match.score
        for quantity in said.quantities:
            if quantity.dimension in ("count", "ordinal") and quantity.value == 1:
                continue
            others = line.reading.quantities
            exact = any(agree(quantity, other) for other in others)
            total += EXACT if exact else 1.0
            found += EXACT if exact else float(any(other.dimension == quantity.dimension for other in others))
        return found / total if total else 0.0

    def _rarity(self, term: str) -> float:
        """The weight of a term: from 0.6 for one that stands everywhere to 1.2 for a rare one."""
        if not self.frequencies.total:
            return 1.0
        most = self.frequencies.idf("")
        return 0.6 + 0.6 * min(self.frequencies.idf(term) / most, 1.0) if most else 1.0


def _direct(said: Reading, matches: Sequence[Match], line: Line) -> float:
    """The share of the content that stands in the sentence itself; a number that agrees counts, others do not."""
    agreeing = EXACT * sum(any(agree(mine, other) for other in line.reading.quantities) for mine in said.quantities)
    total = sum(match.token.weight for match in matches)
    here = sum(match.token.weight * match.score for match in matches if not match.nearby)
    return (here + agreeing) / (total + agreeing) if total else 1.0


def _denies(reading: Reading) -> bool:
    return any("negators" in token.flags for token in reading.signs)


def _crucial(token: Token) -> bool:
    """Whether a word decides what a statement claims: allowed, included, free of charge, …"""
    return any(axis.startswith(("deny:", "cost:")) for axis in token.axes)


def _predicate_found(matches: Sequence[Match]) -> bool:
    """Whether what is said of the names is found too, not the names alone."""
    plain = [match for match in matches if match.token.kind in ("plain", "pair")]
    total = sum(match.token.weight for match in plain)
    return not plain or sum(match.token.weight * match.score for match in plain) >= 0.4 * total


def _order(verdict: Verdict) -> tuple[float, str, str, str]:
    return (verdict.score + _PREFERENCE[verdict.label], verdict.label, verdict.sentence or "", verdict.veto or "")


# Semicolons part lines, and so does `class B. The …`, which sentence splitters take for an initial.
_PIECES = re.compile(r"[;；]|(?<=[a-z] [A-Z]\.)\s+(?=[A-Z])")


@lru_cache(maxsize=16_384)
def _lines(context: str, language: Language) -> tuple[Line, ...]:
    """The lines of a context, each with those before it."""
    found: list[Line] = []
    earlier: list[Reading] = []
    for sentence in split_sentences(context, language):
        for piece in _PIECES.split(sentence.text):
            if any(map(str.isalnum, piece)):
                reading = read(piece.strip(), language)
                found.append(Line(reading, sentence.text, tuple(reversed(earlier[-_LINES_BEFORE:]))))
                earlier.append(reading)
    return tuple(found)


_JOINTS: dict[Language, tuple[str, ...]] = {
    "en": (" and ", ", ", "; "), "pl": (" oraz ", " i ", ", a ", ", "), "zh": ("，", "；", "并且", "并"),
}  # fmt: skip


@lru_cache(maxsize=16_384)
def _parts(statement: str, language: Language) -> tuple[str, ...]:
    """The two facts that a statement joins; the second keeps the subject of the first unless it has its own."""
    for joint in _JOINTS[language]:
        if statement.count(joint) != 1:
            continue
        left, right = (part.strip() for part in statement.split(joint))
        first, second = read(left, language), read(right, language)
        if min(len(part.content) + len(part.quantities) for part in (first, second)) < 2:
            continue
        if any(_naming(token) for token in second.content) or not first.content:
            return left, right
        subject = [token.text for token in first.content if _naming(token)] or [first.content[0].text]
        # Behind, since a capital at the beginning of a sentence shows no name.
        return left, f"{right.rstrip('.。!！')} {' '.join(subject)}"
    return (statement,)


def _naming(token: Token) -> bool:
    return token.kind in ("name", "identifier") or bool(token.classes)


def _decide(said: Reading, line: Line, matches: Sequence[Match], score: float, covered: float, near: float) -> Verdict:
    """The verdict for a statement on one line."""
    if covered < ABOUT:
        return Verdict("missing", line.sentence, None, score)
    veto, rival = _veto(said, line, matches)
    if veto:
        return Verdict("contradicted" if rival else "unsure", line.sentence, veto, score)
    crux = not _denies(line.reading) and any(_crucial(match.token) and match.score < 0.5 for match in matches)
    exact = any(agree(mine, other) for mine in said.quantities for other in line.reading.quantities)
    short = not exact and len(matches) <= 2 and any(match.score < 0.6 for match in matches)
    if short or not (exact or _predicate_found(matches)) or (crux and covered < 0.8):
        return Verdict("unsure", line.sentence, None, score)
    if covered >= COVERED or (covered >= ENOUGH and near >= CLOSE):
        return Verdict("supported", line.sentence, None, score)
    return Verdict("unsure", line.sentence, None, score)


def _guarded(found: Verdict, said: Reading, matches: Sequence[Match], line: Line, lines: Sequence[Line]) -> Verdict:
    """Support, unless the passage says it of another or the claim is one that words do not carry."""
    veto, rival = terms_veto(said, line.reading)
    if not veto:
        veto, rival = owner_veto(said, matches, lines.index(line), [other.reading for other in lines]), True
    return Verdict("contradicted" if rival else "unsure", line.sentence, veto, found.score) if veto else found


def _veto(said: Reading, line: Line, matches: Sequence[Match]) -> tuple[str | None, bool]:
    """What speaks against the statement on a line, and whether it is said rather than only missing."""
    evidence = line.reading
    nearby = [quantity for reading in line.before for quantity in reading.quantities]
    veto, rival = number_veto(said, matches, evidence, nearby)
    if veto:
        return veto, rival
    days, outside = days_differ(said, evidence)
    if days:
        return days, True
    if not outside:
        veto, rival = name_veto(matches, evidence, line.before)
        if veto:
            return veto, rival
    found = binding_veto(said, matches, evidence)
    if found:
        return found, True
    equals = [other for other in evidence.quantities if any(agree(mine, other) for mine in said.quantities)]
    homes = [evidence.segment_at(other.start) for other in equals]
    segments = relevant_segments(matches, evidence, homes)
    found = contradiction(said, evidence, matches, segments, outside) or slot_veto(said, matches, evidence)
    return (found, True) if found else _overstated(said, evidence)


def _overstated(said: Reading, evidence: Reading) -> tuple[str | None, bool]:
    """The veto if the statement says `always` or `only` where the text does not."""
    strong = [token for token in said.signs if "strong" in token.flags and "universal" in token.flags]
    if strong and not any("universal" in token.flags for token in evidence.signs):
        return f"reach: the statement says {strong[0].text}, the text does not", False
    return None, False
