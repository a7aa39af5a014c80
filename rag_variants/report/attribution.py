"""What moved each metric, in words: the same for the terminal, files and pages."""

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from rag_variants.evaluation.reasons.attribution import Attribution, Part, swap_answers
from rag_variants.metrics import all_metrics, label_of
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.tables import Column, make_table, terminal_table
from rag_variants.report.words import signed

ATTRIBUTION_SCHEMA = "rag-variants/attribution/1"
COLUMNS: Mapping[str, str] = {
    "total": "Δ = B − A",
    "retrieval": "from other chunks",
    "answering": "from another way of answering",
    "interaction": "of it, together only",
    "n": "questions",
}
METHOD = (
    "A's chunks are answered with B's answer settings, and B's chunks with A's. Each part is the mean of its effect "
    "before and after the other change, so the two add up to Δ; “together only” says how much the order matters. "
    "The parts carry no verdict."
)


@dataclass(frozen=True, slots=True)
class AttributionRow:
    """One metric as it is shown; all texts but the name."""

    name: str
    label: str
    cells: tuple[str, ...]


def attribution_rows(found: Attribution, judge: str) -> tuple[AttributionRow, ...]:
    """One row per metric that could be taken apart, with a cell per column."""
    return tuple(
        AttributionRow(
            name,
            label_of(all_metrics()[name], judge),
            (*(signed(getattr(moved, column)) for column in COLUMNS if column != "n"), str(moved.n)),
        )
        for name, moved in found.metrics.items()
        if moved is not None
    )


def attribution_sentence(found: Attribution, name: str) -> str:
    """What moved one metric, in a sentence."""
    label, moved = all_metrics()[name].label, found.metrics.get(name)
    if found.one_stage:
        return one_part_sentence(found.one_stage)
    if moved is None:
        return f"{label} was not scored on all four for any question, so its change cannot be taken apart."
    return (
        f"{label} {signed(moved.total)}: {signed(moved.retrieval)} because other chunks were found, "
        f"{signed(moved.answering)} because they were answered in another way."
    )


def one_part_sentence(part: Part) -> str:
    """What moved everything, where A and B differ in one part alone."""
    words = {"retrieval": "how chunks are found", "answering": "how they are answered"}[part]
    return f"A and B differ in {words} alone, so the whole difference comes from there."


def unattributed_sentence(found: Attribution) -> str | None:
    """Which metrics could not be taken apart, if any."""
    lost = [all_metrics()[name].label for name, moved in found.metrics.items() if moved is None]
    return f"No question is scored on all four: {', '.join(lost)}." if lost else None


def attribution_document(found: Attribution) -> dict[str, Any]:
    """The attribution as plain data."""
    swapped_a, swapped_b = swap_answers(found.a, found.b)
    variants = {"a": found.a, "b": found.b, "a_retrieval_b_answers": swapped_a, "b_retrieval_a_answers": swapped_b}
    return {
        "schema": ATTRIBUTION_SCHEMA,
        **{name: print_variant(variant) for name, variant in variants.items()},
        "complete": found.complete,
        "one_stage": found.one_stage,
        "metrics": {name: None if moved is None else asdict(moved) for name, moved in found.metrics.items()},
    }


def attribution_view(found: Attribution, judge: str, leading: str | None) -> RenderableType:
    """The sentence of the leading metric and the table, for a terminal."""
    columns: list[Column | str] = ["metric", *(Column(words, number=True) for words in COLUMNS.values())]
    table = make_table(columns, ((row.label, *row.cells) for row in attribution_rows(found, judge)))
    notes = [METHOD if found.one_stage is None else None, unattributed_sentence(found)]
    return Group(
        Text(f"A  {print_variant(found.a)}"),
        Text(f"B  {print_variant(found.b)}"),
        Text(),
        *([Text(attribution_sentence(found, leading), style="bold")] if leading else []),
        *(Text(note) for note in notes if note),
        Text(),
        terminal_table(table),
    )
