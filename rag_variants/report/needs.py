"""How many questions would show a change: the sentence of one metric, and a table of all."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.text import Text

from rag_variants.evaluation.statistics.planner import Need
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.tables import Column, make_table, terminal_table
from rag_variants.report.words import inside_sentence, plain


def need_sentence(need: Need | None, metric: str, change: float, judge: str = "") -> str:
    """How many questions would show a change, or why that cannot be said."""
    label = inside_sentence(label_of(all_metrics()[metric], judge))
    if need is None:
        return f"Too few questions differ in {label} to say how many would show a change of {plain(change)}."
    count = f"{rounded_count(need.questions):,}"
    return (
        f"To show a change of {plain(change)} in {label} you would need about {count} questions; you have {need.asked}."
    )


def rounded_count(count: int) -> int:
    """Two leading digits, upwards: a number from a spread is no better than that."""
    step = int(10 ** max(0, len(str(count)) - 2))
    return -(-count // step) * step


def needs_view(needs: Mapping[str, Need | None], change: float, power: float, judge: str) -> RenderableType:
    """A row per metric: the spread at hand and the questions needed; `–` where too few questions differ."""
    numbers = (Column(name, number=True) for name in ("spread of deltas", "questions needed", "you have"))
    rows = [
        (label_of(all_metrics()[name], judge), *(_cells(need) if need else ("–", "–", "–")))
        for name, need in needs.items()
    ]
    table = terminal_table(make_table((Column("metric", whole=True), *numbers), rows))
    heading = f"Questions that would show a change of {plain(change)} in {power:.0%} of comparisons"
    note = "Spread: standard deviation of B − A over the questions at hand. –: too few questions differ to say."
    return Group(Text(heading, style="bold"), table, Text(note, style="dim"))


def _cells(need: Need) -> tuple[str, str, str]:
    return plain(need.spread), f"{rounded_count(need.questions):,}", str(need.asked)
