"""What a judge is: something that gives verdicts to ragas' metrics, and keeps what passes through it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from rag_variants.llm.calls import OpenChat

if TYPE_CHECKING:
    from rag_variants.corpus.background import Background
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding, InstructorBaseRagasLLM
    from rag_variants.llm.vectors import CachedEmbeddings
    from rag_variants.types import Record


class Judge(Protocol):
    """Gives verdicts. One judge serves a whole run; `open` gives a fresh channel for one score.

    A judge may also have `unfit`, metric names with the reason why it cannot do them honestly: these are not scored.
    It has `waits = True` if its replies take their time elsewhere, so that many are asked for at once.
    And it may have `notes`, sentences that a reader of its scores has to know.

    It has `deterministic = True` if the same record always gets the same score; one that has not may have
    `repeated(number)`, the same judge whose replies are not those of another number (0 is this one).
    """

    @property
    def spec(self) -> str:
        """The judge's model spec, such as `embedded`."""

    @property
    def settings(self) -> Mapping[str, Any]:
        """Everything that can change a verdict, for the run's record: versions, models, parameters."""

    def open(self, record: "Record") -> "InstructorBaseRagasLLM":
        """A language model in ragas' sense for one score of one record.

        It raises ModelError, with a sentence, for whatever goes wrong with its client or the reply. It may have
        `reads_data = True` (it reads the data of a CarriedPrompt, so no prompt text is made) and
        `generates_questions = False` (answer relevancy then asks once in place of three times).
        """

    @property
    def embeddings(self) -> "BaseRagasEmbedding":
        """Embeddings for the metrics that compare vectors."""


OpenJudge = Callable[["CachedEmbeddings", "Background", OpenChat], Judge]


@dataclass(frozen=True, slots=True)
class JudgeKind:
    """A judge that can be chosen by its spec: a line of help, and how it is opened for one knowledge base.

    `open` gets the embeddings that answer metrics compare with, what is common in the base under them, and what opens a
    chat model by spec and temperature (None: its endpoint's). It raises ModelError if the judge cannot be used.
    """

    spec: str
    summary: str
    open: OpenJudge
