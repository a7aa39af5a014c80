"""How many questions would show a change: the sentence of one metric, and a table of all."""

from collections.abc import Mapping

from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from rag_variants.evaluation.statistics.planner import Need
from rag_variants.metrics import all_metrics, label_of
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
    table = Table(box=None, header_style="bold", padding=(0, 2, 0, 0))
    table.add_column("metric", no_wrap=True)
    for name in ("spread of deltas", "questions needed", "you have"):
        table.add_column(name, justify="right")
    for name, need in needs.items():
        cells = (plain(need.spread), f"{rounded_count(need.questions):,}", str(need.asked)) if need else ("–", "–", "–")
        table.add_row(Text(label_of(all_metrics()[name], judge)), *cells)
    heading = f"Questions that would show a change of {plain(change)} in {power:.0%} of comparisons"
    note = "Spread: standard deviation of B − A over the questions at hand. –: too few questions differ to say."
    return Group(Text(heading, style="bold"), table, Text(note, style="dim"))
