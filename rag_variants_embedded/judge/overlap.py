"""A judge that only counts words: the least that another judge has to beat."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from rag_variants.judges.base import Judge, JudgeKind
from rag_variants.llm.calls import OpenChat
from rag_variants.text.function_words import function_terms
from rag_variants.text.language import Language
from rag_variants.text.terms import extract_terms

if TYPE_CHECKING:
    from rag_variants.corpus.background import Background
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding
    from rag_variants.llm.vectors import CachedEmbeddings
    from rag_variants.types import Record, SupportLabel
    from rag_variants_embedded.judge.llm import EmbeddedLLM

SPEC = "overlap"
ENOUGH = 0.75  # of a statement's terms
_UNFIT = "plain overlap compares words, not meaning"


@dataclass(frozen=True, slots=True)
class Overlap:
    """A verdict with the terms that were not found, if any."""

    label: "SupportLabel"
    sentence: str | None = None
    veto: str | None = None


class OverlapSupport:
    """A statement is supported if three quarters of its terms stand in the text: a changed number or a "not" is missed.

    Terms are stems without function words; each counts once, wherever it stands.
    """

    def judge(self, statement: str, contexts: Sequence[str], question: str, language: Language) -> Overlap:
        """The verdict; a statement without terms is missing."""
        wanted = set(extract_terms(statement, language)) - function_terms(language)
        found = {term for context in contexts for term in extract_terms(context, language)}
        enough = bool(wanted) and len(wanted & found) >= ENOUGH * len(wanted)
        return Overlap("supported" if enough else "missing")


class OverlapJudge:
    """Splits answers and references as the embedded judge does, and counts words.

    It serves to see whether a result would look the same to a judge that understands nothing.
    """

    spec = SPEC
    deterministic = True
    unfit: Mapping[str, str] = dict.fromkeys(
        ("answer_relevancy", "semantic_similarity", "reference_coverage", "factual_correctness"), _UNFIT
    )

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change a verdict."""
        return {"judge": SPEC, "enough": ENOUGH}

    def open(self, record: "Record") -> "EmbeddedLLM":
        """A language model in ragas' sense for one score. Loads ragas."""
        from rag_variants.text.statements import split_statements
        from rag_variants_embedded.judge.llm import EmbeddedLLM

        return EmbeddedLLM(OverlapSupport(), split_statements, record)

    @property
    def embeddings(self) -> "BaseRagasEmbedding":
        """Vectors that say nothing: the metrics that read them are not scored. Loads ragas."""
        from rag_variants.judges.ragas_llm import UnitEmbeddings

        return UnitEmbeddings()


def _open(embeddings: "CachedEmbeddings", background: "Background", open_chat: OpenChat) -> Judge:
    return OverlapJudge()


OVERLAP = JudgeKind(SPEC, "counts common words, understands nothing: the least that another judge has to beat", _open)
