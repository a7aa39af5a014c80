"""The spread of a metric's deltas in words."""

from rag_variants.evaluation.statistics.spread import DeltaSpread
from rag_variants.report.words import signed


def spread_sentences(spread: DeltaSpread, higher_is_better: bool = True) -> tuple[str, ...]:
    """Where the deltas lie, and what became of the worst tenth."""
    lost = spread.worst if higher_is_better else -spread.worst
    count = f"{spread.worst_n} question{'' if spread.worst_n == 1 else 's'}"
    if lost < 0:
        worst = f"The worst tenth lost {abs(spread.worst):.2f} on average ({count})."
    else:
        worst = f"Even the worst tenth lost nothing ({signed(spread.worst)} on average, {count})."
    middle = (
        f"8 of 10 questions lie between {signed(spread.p10)} and {signed(spread.p90)} "
        f"(p10 and p90), half at or below {signed(spread.p50)} (p50); "
        f"the mean is {signed(spread.mean)} (n = {spread.n})."
    )
    return (middle, worst)
