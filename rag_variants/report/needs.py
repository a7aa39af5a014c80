"""How many questions would show a change: the sentence of one metric, and a table of all."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.statistics.intervals import unseen_share
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.evaluation.statistics.planner import Need
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.tables import Column, make_table, terminal_table
from rag_variants.report.words import differ_words, inside_sentence, plain


def need_sentence(need: Need | None, metric: str, change: float, delta: Delta, judge: str = "") -> str:
    """How many questions would show a change, or why that cannot be said and what could still differ."""
    label = inside_sentence(label_of(all_metrics()[metric], judge))
    if need is None:
        return (
            f"{_few_words(delta)} in {label}: too few to say how many would show a change of {plain(change)}. "
            f"{could_differ_words(delta.n)}"
        )
    count = f"{rounded_count(need.questions):,}"
    return (
        f"To show a change of {plain(change)} in {label} you would need about {count} questions; you have {need.asked}."
    )


def could_differ_words(n: int) -> str:
    """What n questions that do not differ leave open: `With 14 questions, up to 1 in 5 could still differ.`"""
    if n == 0:
        return "No question was scored on both sides."
    asked = f"With {n} question{'' if n == 1 else 's'}"
    one_in = int(1 / unseen_share(n))
    return f"{asked}, {f'up to 1 in {one_in}' if one_in > 1 else 'nearly all'} could still differ."


def _few_words(delta: Delta) -> str:
    return f"Only {differ_words(delta.differing)}" if delta.differing else "No question differs"


def rounded_count(count: int) -> int:
    """Two leading digits, upwards: a number from a spread is no better than that."""
    step = int(10 ** max(0, len(str(count)) - 2))
    return -(-count // step) * step


def needs_view(comparison: Comparison, needs: Mapping[str, Need | None], change: float, power: float) -> RenderableType:
    """A row per metric: the spread at hand and the questions needed; `–` where too few questions differ."""
    numbers = (Column(name, number=True) for name in ("spread of deltas", "questions needed", "you have"))
    rows = [
        (label_of(all_metrics()[name], comparison.judge), *(_cells(need) if need else ("–", "–", "–")))
        for name, need in needs.items()
    ]
    table = terminal_table(make_table((Column("metric", whole=True), *numbers), rows))
    heading = f"Questions that would show a change of {plain(change)} in {power:.0%} of comparisons"
    note = "Spread: standard deviation of B − A over the questions at hand. –: too few questions differ to say."
    unknown = sorted({comparison.metrics[name].delta.n for name, need in needs.items() if need is None})
    notes = [note, *map(could_differ_words, unknown)]
    return Group(Text(heading, style="bold"), table, *(Text(each, style="dim") for each in notes))


def _cells(need: Need) -> tuple[str, str, str]:
    return plain(need.spread), f"{rounded_count(need.questions):,}", str(need.asked)
