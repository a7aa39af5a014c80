"""What a moved setting did to each metric, as tiles: value, delta to the pin, and the verdict in words."""

import statistics
from dataclasses import dataclass

from rag_variants.evaluation.comparison import HEADLINE_RETRIEVAL, Comparison
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.evaluation.tuning.tune import Move
from rag_variants.metrics import all_metrics
from rag_variants.report.tiles import Tile, metric_tile
from rag_variants.report.words import scored_words, verdict_words

LEADING = HEADLINE_RETRIEVAL[0]


@dataclass(frozen=True, slots=True)
class MoveTile:
    """A metric's tile with its verdict in a word or two and, in `detail`, at full length.

    `shown` says whether the verdict is better or worse. `scored` is how many questions of how many: `62 of 76`.
    """

    name: str
    tile: Tile
    verdict: str
    detail: str
    shown: bool
    scored: str


def retrieval_tiles(move: Move) -> tuple[MoveTile, ...]:
    """The retrieval metrics, the leading one first, then the text read, which has no verdict."""
    names = sorted(move.now.metrics, key=lambda name: name != LEADING)
    return tuple(_tile(move, name) for name in names)


def judged_tiles(comparison: Comparison) -> tuple[MoveTile, ...]:
    """The metrics of a comparison of the pin with the setting at hand."""
    same = comparison.a.variant == comparison.b.variant
    found = []
    for name, each in comparison.metrics.items():
        tile = metric_tile(name, each.a.mean, each.b.mean, comparison.judge)
        found.append(_with_verdict(name, tile, None if same else each.delta, scored_words(each)))
    return tuple(found)


def _tile(move: Move, name: str) -> MoveTile:
    pairs = move.paired(name)
    before, now = (_mean(side.values[name], pairs) for side in (move.pin, move.now))
    if not pairs:
        before, now = move.pin.mean(name), move.now.mean(name)
    tile = metric_tile(name, before, now)
    scored = f"{len(pairs) or len(move.now.values[name])} of {len(move.now.rows)}"
    if not all_metrics()[name].tested:
        said = "" if move.pin.variant == move.now.variant else tile.said
        return MoveTile(name, tile, said, said, False, scored)
    same = move.pin.variant == move.now.variant
    return _with_verdict(name, tile, None if same else move.deltas[name], scored)


def _with_verdict(name: str, tile: Tile, delta: Delta | None, scored: str) -> MoveTile:
    """`delta` is None where the setting is the pinned one."""
    if delta is None:
        return MoveTile(name, tile, "", "", False, scored)
    return MoveTile(name, tile, _short(delta), verdict_words(delta), delta.shown, scored)


def _short(delta: Delta) -> str:
    if not delta.n:
        return "not scored"
    if not delta.wins + delta.losses:
        return "same"
    if delta.verdict == "too few":
        return "too few differ"
    return verdict_words(delta) if delta.shown else delta.verdict


def _mean(values: "dict[str, float]", pairs: "dict[str, float]") -> float | None:
    return statistics.fmean(values[key] for key in pairs) if pairs else None


def leading_label() -> str:
    """The label of the metric that the sentence leads with."""
    return all_metrics()[LEADING].label
