"""How a score was made, in lines: its verdicts with their sentences and vetoes, its facts, its quotes."""

from collections.abc import Mapping, Sequence
from typing import Any

from rag_variants.report.words import plain
from rag_variants.types import Score

_LONGEST = 300


def detail_lists(score: Score) -> tuple[Sequence[Mapping[str, Any]], ...]:
    """The lists of claims, verdicts, facts … in a score's detail; none where the number is all there is."""
    return tuple(
        value
        for value in (score.detail or {}).values()
        if isinstance(value, list) and value and all(isinstance(each, dict) for each in value)
    )


def band_words(score: Score) -> str:
    """What the score would be with unsure as no and as yes; "" where that is the same."""
    ends = score.detail or {}
    if "strict" not in ends or ends["strict"] == ends["lenient"]:
        return ""
    return f"{plain(ends['strict'])} with unsure as no, {plain(ends['lenient'])} with unsure as yes"


def entry_words(row: Mapping[str, Any]) -> str:
    """An entry of a score's detail in lines: a verdict with its sentence and veto, or whatever else it holds."""
    if "verdict" in row:
        return _verdict_words(row)
    return " · ".join(f"{name}: {_value(value)}" for name, value in row.items())


def _verdict_words(row: Mapping[str, Any]) -> str:
    label = row.get("label") or ("yes" if row["verdict"] else "no")
    what = row.get("statement") or (f"chunk at rank {row['rank']}" if "rank" in row else "")
    lines = [f"{label}: {what}"]
    if row.get("sentence"):
        lines.append(f"    by “{' '.join(str(row['sentence']).split())[:_LONGEST]}”")
    if row.get("veto"):
        lines.append(f"    against it: {row['veto']}")
    return "\n".join(lines)


def _value(value: Any) -> str:
    if isinstance(value, list):
        return ", ".join(map(str, value))
    if value is None:
        return "nothing"
    return plain(value) if isinstance(value, float) else str(value)
