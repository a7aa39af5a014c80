"""Whether texts support a statement: the best sentence, and what speaks against it."""

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from rag_variants.llm.embedding import Vectors
from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import Language, detect_language
from rag_variants.text.table_rows import said_cells
from rag_variants_embedded.judge.alignment import find_columns, matches_at
from rag_variants_embedded.judge.coverage import ABOUT, covered_shares
from rag_variants_embedded.judge.deciding import SupportLabel, decide
from rag_variants_embedded.judge.read_passage import ReadPassage, read_passage
from rag_variants_embedded.judge.read_sentence import Token, read
from rag_variants_embedded.judge.sought import Sought, seek
from rag_variants_embedded.judge.verbatim import find_verbatim, is_said_row

# Where evidence of several kinds is found, support wins over a contradiction that is this much closer.
_PREFERENCE = {"supported": 0.12, "contradicted": 0.0, "unsure": -0.02, "missing": -0.2}
_CANDIDATES = 4
# Cosines of e5 lie between these for unrelated and equal texts, without a centre and with one.
_RAW_BAND, _CENTRED_BAND = (0.80, 0.97), (0.0, 0.9)
_SEMANTIC_SHARE = 0.25
# What is cached of each judge; the least recently used go first. Verdicts and statements take half a kB each, the
# vectors of a text some 30 kB.
VERDICTS_CACHED, STATEMENTS_CACHED, TEXTS_CACHED = 65_536, 4_096, 1_024


@dataclass(frozen=True, slots=True)
class SupportVerdict:
    """The label with the sentence it rests on, word for word, and the reason against; `score` is closeness, 0…1."""

    label: SupportLabel
    sentence: str | None
    veto: str | None
    score: float


NOTHING = SupportVerdict("missing", None, None, 0.0)


class SupportJudge:
    """Gives verdicts that depend on statement, contexts and question alone, besides what is known of the base.

    `embed` gives unit passage vectors (cached by the caller), `frequencies` the rarity of terms in the knowledge base,
    `center` its mean vector. What was judged is cached: A, B and every metric ask about the same chunks.
    """

    def __init__(
        self, embed: Callable[[Sequence[str]], Vectors], frequencies: TermFrequencies, center: Vectors | None = None
    ) -> None:
        self._embed = embed
        self._frequencies = frequencies
        self._center = None if center is None else np.asarray(center, dtype=np.float64)
        self._best_in = lru_cache(VERDICTS_CACHED)(self._find_best)
        self._seek = lru_cache(STATEMENTS_CACHED)(self._take_apart)
        self._rows = lru_cache(TEXTS_CACHED)(self._make_rows)

    def judge(
        self, statement: str, contexts: Sequence[str], question: str | None = None, language: Language | None = None
    ) -> SupportVerdict:
        """The verdict over all contexts: that of the best evidence in any of them.

        What repeats whole sentences, list items or table rows is supported by them. A statement that joins two facts
        is supported if each of them is, and a table row in other words only if each of its cells is. The question
        changes no verdict: what it takes for granted is no evidence.
        """
        language = language or detect_language(statement)
        repeated = find_verbatim(statement, contexts, language)
        if repeated is not None:
            return SupportVerdict("supported", repeated, None, 1.0)
        whole = self._best(statement, contexts, language)
        if is_said_row(statement):
            cells = [self._best(f"{name}: {cell}", contexts, language) for name, cell in said_cells(statement)]
            return min((whole, *cells), key=lambda each: (each.label == "supported", _order(each)))
        if whole.label == "supported":
            return whole
        parts = _parts(statement, language)
        if len(parts) < 2:
            return whole
        verdicts = [self._best(part, contexts, language) for part in parts]
        if all(verdict.label == "supported" for verdict in verdicts):
            sentences = dict.fromkeys(verdict.sentence or "" for verdict in verdicts)
            return SupportVerdict("supported", " … ".join(sentences), None, min(verdict.score for verdict in verdicts))
        return whole

    def _best(self, statement: str, contexts: Sequence[str], language: Language) -> SupportVerdict:
        return max((self._best_in(statement, context, language) for context in contexts), key=_order, default=NOTHING)

    def _find_best(self, statement: str, context: str, language: Language) -> SupportVerdict:
        """The verdict from one context alone."""
        return max(self._verdicts(statement, context, language), key=_order, default=NOTHING)

    def _verdicts(self, statement: str, context: str, language: Language) -> Iterator[SupportVerdict]:
        """A verdict for each of the sentences of a context that come nearest."""
        sought, passage = self._seek(statement, language), read_passage(context, language)
        said = sought.said
        if not passage.lines or not (said.content or said.quantities):
            return
        close, columns = self._closeness(statement, passage), find_columns(sought, passage)
        ranked = []
        for at, covered in enumerate(covered_shares(sought, columns, passage.lines)):
            score = (1 - _SEMANTIC_SHARE) * covered + _SEMANTIC_SHARE * close[at]
            ranked.append((-score, passage.lines[at].reading.text, at, covered))
        for below, _, at, covered in sorted(ranked)[:_CANDIDATES]:
            near = (-below - (1 - _SEMANTIC_SHARE) * covered) / _SEMANTIC_SHARE
            line, matches = passage.lines[at], matches_at(at, said, columns) if covered >= ABOUT else ()
            label, veto = decide(said, matches, passage, line, covered, near)
            yield SupportVerdict(label, line.sentence, veto, -below)

    def _take_apart(self, statement: str, language: Language) -> Sought:
        return seek(read(statement, language), self._frequencies)

    def _closeness(self, statement: str, passage: ReadPassage) -> list[float]:
        """How near each line's sentence is in meaning, 0…1."""
        low, high = _RAW_BAND if self._center is None else _CENTRED_BAND
        near = ((self._rows(passage.sentences) @ self._rows((statement,))[0] - low) / (high - low)).round(6).tolist()
        return [min(max(each, 0.0), 1.0) for each in near]

    def _make_rows(self, texts: tuple[str, ...]) -> NDArray[np.float64]:
        """Unit rows from the base's middle."""
        rows = np.asarray(self._embed(texts), dtype=np.float64)
        if self._center is not None:
            rows = rows - self._center
            rows = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-9)
        return rows


def _order(verdict: SupportVerdict) -> tuple[float, str, str, str]:
    return (verdict.score + _PREFERENCE[verdict.label], verdict.label, verdict.sentence or "", verdict.veto or "")


_JOINTS: dict[Language, tuple[str, ...]] = {
    "en": (" and ", ", ", "; "), "pl": (" oraz ", " i ", ", a ", ", "), "zh": ("，", "；", "并且", "并"),
}  # fmt: skip


@lru_cache(maxsize=STATEMENTS_CACHED)
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
