"""A judge that replies what a person entered, so that ragas' own formulas can be tried by hand."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag_variants.judges.entered_llm import EnteredEmbeddings, EnteredLLM
    from rag_variants.types import Record


@dataclass(frozen=True, slots=True)
class Reading:
    """A question read out of an answer: its cosine −1…1 with the real question, and whether the answer was evasive."""

    similarity: float
    noncommittal: bool = False


@dataclass(frozen=True, slots=True)
class EnteredJudge:
    """Gives `verdicts` in their order, one per claim, chunk or statement, and `readings` for answer relevancy.

    It serves single scores and is in no registry: what a person entered says nothing about a run.
    """

    verdicts: tuple[bool, ...] = ()
    readings: tuple[Reading, ...] = ()

    @property
    def spec(self) -> str:
        """`entered`: no model."""
        return "entered"

    @property
    def settings(self) -> Mapping[str, Any]:
        """What was entered."""
        return {"judge": self.spec, "verdicts": self.verdicts, "readings": self.readings}

    def open(self, record: "Record") -> "EnteredLLM":
        """A language model in ragas' sense that begins with the first verdict. Loads ragas."""
        from rag_variants.judges.entered_llm import EnteredLLM

        return EnteredLLM(self)

    @property
    def embeddings(self) -> "EnteredEmbeddings":
        """Unit vectors with the entered cosines. Loads ragas."""
        from rag_variants.judges.entered_llm import EnteredEmbeddings

        return EnteredEmbeddings(self)
