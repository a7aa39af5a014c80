"""What a lesson is: a pair of variants, the questions that show their difference, and what to say of it."""

from dataclasses import dataclass
from typing import Literal, get_args

from rag_variants.llm import resolve_model
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.slices import Slice

Direction = Literal["better", "not shown", "worse"]
DIRECTIONS: tuple[Direction, ...] = get_args(Direction)


@dataclass(frozen=True, slots=True)
class Texts:
    """One text in the languages it is written in, at least one."""

    by_language: tuple[tuple[str, str], ...]

    def say(self, language: str) -> str:
        """The text in a language; where it is not written in that, the first that it is written in."""
        texts = dict(self.by_language)
        return texts.get(language) or next(iter(texts.values()))


@dataclass(frozen=True)
class Lesson:
    """A pair of variants with the difference that its questions show.

    `direction` is B against A in `metric`, `others` the same for further metrics: `better` and `worse` are what the
    joint test must show, `not shown` is everything else. `encoder` names the model that `embedded` stood for when the
    outcome was verified; None where no encoder has a part in it. `minutes` is the time to plan with a room; `show` the
    question that shows the difference best. Where `choose` names metrics, the room guesses which of them will show it,
    and the watched one is not told before. Texts: `story` and `ask` come before the guess, `explain` and `takeaway`
    after it.
    """

    id: str
    chapter: Texts
    a: Variant
    b: Variant
    part: Slice
    metric: str
    direction: Direction
    others: tuple[tuple[str, Direction], ...]
    choose: tuple[str, ...]
    minutes: int
    show: str | None
    encoder: str | None
    title: Texts
    story: Texts
    ask: Texts
    takeaway: Texts
    explain: Texts

    @property
    def expected(self) -> tuple[tuple[str, Direction], ...]:
        """Every metric with the expected direction, the watched one first."""
        return ((self.metric, self.direction), *self.others)

    def uses_encoder(self) -> bool:
        """Whether an encoder has a part in the outcome: in ranking, in verdicts or in picking sentences."""
        ranks = any("embeddings" in settings_of(variant) for variant in (self.a, self.b))
        return ranks or any(all_metrics()[name].set != "retrieval" for name, _ in self.expected)

    def other_encoder(self) -> str | None:
        """The encoder in use, if it is not the one that the outcome was verified with; else None."""
        found = resolve_model("embedded").name
        return found if self.encoder and found != self.encoder else None


@dataclass(frozen=True)
class Chapter:
    """Lessons that belong together, in file order."""

    title: Texts
    lessons: tuple[Lesson, ...]

    @property
    def minutes(self) -> int:
        """The time to plan for all of them."""
        return sum(lesson.minutes for lesson in self.lessons)
