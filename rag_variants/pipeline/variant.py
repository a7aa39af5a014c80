"""What is compared: a frozen value of settings that makes a record of each question."""

from abc import ABC, abstractmethod
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar, Literal, Protocol, TypeVar

from rag_variants.errors import VariantError
from rag_variants.llm.flow import Aside
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.retrieve.retriever import Retriever
from rag_variants.pipeline.setting import Setting, settings_of
from rag_variants.types import Hit, Question, Record

T = TypeVar("T")
# What not every variant can do, and a screen or a work asks for.
Capability = Literal["depth", "sliders", "path", "swaps"]
# Why it does not apply where a variant cannot.
LACKS: Mapping[Capability, str] = {
    "depth": "it hands over what it found and no ranking below that, so nothing is known of chunks that came close",
    "sliders": "it is no pipeline of ours, so its settings cannot be moved on the Tune page; compare it instead",
    "path": "it is no pipeline of ours, so there is no way from A to B one setting at a time",
    "swaps": "it is no pipeline of ours, so its chunks cannot be answered as another one answers, and what moved the "
    "scores cannot be told apart",
}


class Recorder(Protocol):
    """A variant at work: it makes the record of a question in two steps, so that hits can be judged meanwhile.

    `waits`: it spends its time waiting for somebody else's computer. `notes` are sentences that a reader of its records
    has to know, `versions` what decides them besides the settings, by part.
    """

    @property
    def waits(self) -> bool:
        """Whether others should be begun meanwhile."""

    @property
    def notes(self) -> Sequence[str]:
        """Sentences, those that came up so far."""

    @property
    def versions(self) -> Mapping[str, str]:
        """By part: answerer, embeddings, …"""

    async def retrieve(self, question: Question, aside: Aside) -> Record:
        """The record up to its hits; `aside` does what is computed. A mistake that a user can mend is its error."""

    async def answer(self, record: Record, aside: Aside) -> Record:
        """The record with its answer, or with the error that stood in the way; one with an error stays as it is."""


@dataclass(frozen=True, kw_only=True)
class Variant(ABC):
    """Anything that answers questions from documents. Its fields are its settings; equal ones are an equal value.

    `can` says what it is capable of besides making records. Raises VariantError for a value out of its bounds.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    summary: ClassVar[str]
    score_kind: ClassVar[str] = "score"  # what a hit's score is, in words; unlike kinds cannot be compared
    can: ClassVar[frozenset[Capability]] = frozenset()

    def __post_init__(self) -> None:
        for name, (declared, texts) in settings_of(self).items():
            check_value(self.name, name, getattr(self, name), type(declared.default), texts)

    @abstractmethod
    def open(self, bench: Bench) -> Recorder:
        """The variant ready to make records. Raises ModelError for a model that cannot be used."""

    @property
    def scored_as(self) -> str:
        """What a hit's score is under the present settings, in words."""
        return self.score_kind

    @property
    def fused_with(self) -> int | None:
        """The constant of the reciprocal rank fusion that its scores come from; None where they come from none."""
        return None

    def ignored_by(self) -> Mapping[str, str]:
        """The settings that do nothing at present, each with the name of the setting whose value makes it so."""
        return {}

    def ignored_settings(self) -> frozenset[str]:
        """Settings that do nothing at present; screens do not show them, and nothing depends on them."""
        return frozenset(self.ignored_by())

    @property
    def ranking_models(self) -> tuple[str, ...]:
        """The specs of endpoints' models that it asks before there is an answer, once each."""
        return ()

    @property
    def answering_models(self) -> tuple[str, ...]:
        """The specs of endpoints' models that answer for it."""
        return ()

    @property
    def asks_first(self) -> bool:
        """Whether making records may cost money or download something: opening a link must not begin it."""
        return bool(self.ranking_models or self.answering_models)

    def stamp(self, home: Path) -> Hashable:
        """What changes when a file that its records come from does; `home` is the state folder."""
        return None

    def texts_by_encoder(self, bench: Bench) -> Mapping[str, Sequence[str]]:
        """The passages that need vectors before questions can be asked, by the encoder's spec."""
        return {}

    def why_not(self, capability: Capability) -> str | None:
        """Why something does not apply to the variant, as a sentence; None where it does."""
        return None if capability in self.can else f"{self.title}: {LACKS[capability]}."


@dataclass(frozen=True, kw_only=True)
class Ranks(Variant):
    """A variant that ranks chunks by stages which its settings describe; see `rag_variants.pipeline.stages`.

    `retrievers` are those that its ranking is made of, if it is made of any.
    """

    retrievers: ClassVar[tuple[Retriever, ...]] = ()

    @property
    def encoder(self) -> str | None:
        """The spec of the encoder that its vectors come from; None where nothing needs one but a reranker."""
        return None

    @abstractmethod
    def rank(self, query: Query, bench: Bench) -> Sequence[Hit]:
        """The best `candidates` chunks for a query, ranks from 1, ties by (document, start).

        It may read the settings of `rank` and the stages before; all others have their defaults here.
        """


def lacking(variants: Sequence[Variant], capability: Capability) -> str | None:
    """Why something does not apply to the first of some variants that cannot do it, as a sentence; None if all can."""
    return next((why for each in variants if (why := each.why_not(capability))), None)


def check_value(variant: str, name: str, value: Any, kind: type, texts: Setting) -> None:
    """Nothing, if a setting alone may have a value. Raises VariantError with the bounds."""
    fits = type(value) is kind or (kind is float and type(value) is int)
    if not fits:
        wanted = {int: "a whole number", float: "a number", bool: "on or off", str: "text"}[kind]
        raise VariantError(f"{variant}: {name} is {value!r}, which is not {wanted}. Allowed: {texts.bounds}.")
    if kind is str and not texts.takes(value):
        raise VariantError(f"{variant}: {name} cannot be {value!r}. Use {texts.bounds}.")
    if texts.minimum is not None and texts.maximum is not None and not texts.minimum <= value <= texts.maximum:
        raise VariantError(f"{variant}: {name} is {value:g}, out of bounds. Use {texts.bounds}.")
