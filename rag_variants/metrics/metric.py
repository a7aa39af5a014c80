"""What a metric is: everything that is known of it, in one value."""

import math
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Literal, NamedTuple, get_args

from rag_variants.judges.base import Judge
from rag_variants.metrics.marked import Marked, mark_hits
from rag_variants.questions.gold import Gold
from rag_variants.text.language import Language
from rag_variants.types import Record, Score

MetricSet = Literal["retrieval", "core", "answer", "more", "effort"]
Family = Literal["retrieval", "judged", "answer", "more", "read"]
Group = Literal["Found it?", "Ranked it?", "Answered it?", "What was read", "Effort"]
GROUPS: tuple[Group, ...] = get_args(Group)  # in the order of every table
Need = Literal["evidence", "reference", "keys", "avoid", "answerable", "judge", "embeddings", "answer"]
Detail = Mapping[str, Any]

# ragas adds 1e-10 to a denominator, so a perfect precision is 0.9999999999; nine digits make it 1 again.
DIGITS = 9


@dataclass(frozen=True)
class Subject:
    """What a metric looks at: one record, where its evidence stands, and who judges.

    `gold_in_knowledge` is the number of gold chunks at the record's chunk size, the ideal of nDCG; None
    where it is not known how the documents were cut.
    """

    record: Record
    gold: Gold
    gold_in_knowledge: int | None
    judge: Judge | None = None

    @cached_property
    def marked(self) -> Marked:
        """The record's hits with their gold marks."""
        return mark_hits(self.record, self.gold, self.gold_in_knowledge)


class Words(NamedTuple):
    """A metric in one language: its name on screen, what it measures, and what it does not see."""

    label: str
    line: str
    unseen: str = ""

    @property
    def help(self) -> str:
        """What it measures and what it does not see, as one text; Chinese sentences stand without a blank between."""
        return f"{self.line}{'' if self.line.endswith('。') else ' '}{self.unseen}".strip()


@dataclass(frozen=True, slots=True)
class Worked:
    """How a score came about: `formula` in words, `numbers` with this question's ("3 / 4"), and the `value` 0…1.

    `is_sum` is False where the numbers decide between 0 and 1 by a rule and are nothing to add up ("1 of 5 are gold").
    """

    formula: str
    numbers: str
    value: float
    is_sum: bool = True


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Where verdicts stand in a metric's detail, under `key`, an entry each with the verdict under `mark`.

    `about` is what one is about: a claim of the answer, a statement of the reference, a chunk (`useful_for` the
    reference or the answer), or a reading, a question read out of the answer.

    `moves` is what a person may change, in the laboratory and with labels; nothing where the verdicts are no judge's.
    `yes` says what a verdict of 1 means beside a box to tick, `question` asks a person who sees a text and a statement
    alone; "" where these do not tell enough.

    `share`: the value is the share of yes, so that a yes more never lowers it. `alike`: it is judged from the record
    alone and means the same under every judge.
    """

    key: str
    about: Literal["claim", "statement", "chunk", "reading"]
    mark: Literal["verdict", "noncommittal"] = "verdict"
    moves: frozenset[Literal["verdict", "order", "similarity"]] = frozenset()
    yes: str = ""
    question: str = ""
    useful_for: Literal["reference", "answer"] = "reference"
    share: bool = False
    alike: bool = False

    def marks(self, detail: Detail) -> tuple[bool, ...]:
        """The verdicts of a detail in their order. Raises KeyError for a detail without any."""
        return tuple(bool(each[self.mark]) for each in detail[self.key])


class Place(NamedTuple):
    """A metric's place in the headline: of what it leads, and after how many others."""

    of: Literal["retrieval", "answers"]
    order: int


@dataclass(frozen=True, slots=True)
class Metric:
    """A metric with all that is known of it. `score` never raises for a bad record: it gives a Score that says why.

    A metric that reads the answer names `answer` among its `needs`: one that asks a judge about the hits alone is
    scored before there is an answer.

    `words` are its texts by language, English always; `keyless` are those to show while the embedded judge is the
    judge, where that one measures something else. `term` is what the field calls it, where the label says it otherwise.

    `mechanical`: its value moves though nothing more is found and the answer stays the same, when text without evidence
    is read or left out; such a metric says what was read and decides nothing. `lowest` is the least value there can be;
    the most is 1. `work_out` makes the sum behind a score out of its detail. `headline` is its place in the summary's
    first sentence, fixed before any run. `quick`: it is one of the set of that name. `typical` is what of an
    effort tells most: one question that waits for a new index makes a mean of times say little.
    """

    name: str
    set: MetricSet
    group: Group
    words: Mapping[Language, Words] = field(hash=False)
    score: Callable[[Subject], Awaitable[Score]]
    higher_is_better: bool = True
    lowest: float = 0.0
    needs: frozenset[Need] = frozenset()
    unit: str = ""
    term: str = ""
    keyless: Mapping[Language, Words] = field(default_factory=lambda: MappingProxyType({}), hash=False)
    mechanical: bool = False
    quick: bool = False
    headline: Place | None = None
    typical: Literal["mean", "median"] = "mean"
    verdicts: Verdicts | None = None
    work_out: Callable[[Detail], Worked] | None = None

    @property
    def label(self) -> str:
        """Its name on screen, in English."""
        return self.words["en"].label

    @property
    def help(self) -> str:
        """What it measures and what it does not see, in English."""
        return self.words["en"].help

    @property
    def tested(self) -> bool:
        """Whether it tells better from worse; an effort is described and never tested."""
        return self.set != "effort"

    @property
    def family(self) -> Family:
        """The metrics that it is tested with, fixed whatever a run measures; `read` is what was read and wins nothing.

        Retrieval, judged and answers are a third of the promise of 5 % each.
        """
        if self.mechanical or self.set == "effort":
            return "read"
        return "judged" if self.set == "core" else self.set

    @property
    def span(self) -> float:
        """The largest |delta| that two scores can have; without bounds for an effort."""
        return 1 - self.lowest if self.tested else math.inf

    def worked(self, score: Score) -> Worked | None:
        """The sum behind a score, recomputed from what its detail shows; its value is that of the score again.

        None where there is nothing to sum up: the score was not made, it is 0 by rule (its reason says so), the metric
        is one number (a similarity, a count), or the detail is that of another version.
        """
        if self.work_out is None or score.value is None or not score.detail:
            return None
        try:
            made = self.work_out(score.detail)
        except Exception:  # a detail may come from an old run, and the sum from any package: the score stays readable
            return None
        return replace(made, value=round(made.value, DIGITS) + 0.0)
