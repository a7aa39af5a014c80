"""The axis of ranks of the gold-rank chart: 1 on top, the lane of what was not found at the bottom."""

import math
from dataclasses import dataclass
from typing import Any

import altair as alt

from rag_variants.report.charts import Colours
from rag_variants.report.gold_moves import NOT_FOUND

_TICKS = (1, 2, 3, 5, 10, 20, 50, 100, 200, 500, 1000)
_BEND = 1.5  # even to about this rank, below it each doubling takes the same room
_LANE = 0.13  # of the length from rank 1 to the deepest: how far below that one the middle of the lane is
_TOP = 0.45  # the axis begins a little above rank 1
_LABELS = 62  # pixels left of the columns


@dataclass(frozen=True, slots=True)
class RankAxis:
    """From rank 1 to `depth`, and the lane beneath."""

    depth: int
    colours: Colours

    @property
    def top(self) -> float:
        """Where the axis begins."""
        return _TOP

    @property
    def lane(self) -> tuple[float, float, float]:
        """Top, middle and bottom of the lane, as ranks that nothing has."""
        return self._below(0.5 * _LANE), self._below(_LANE), self._below(1.5 * _LANE)

    def place(self, rank: int | None) -> float:
        """Where a rank is drawn."""
        return self.lane[1] if rank is None else rank

    def encode(self, field: str) -> alt.Y:
        """The channel for a field of places."""
        ticks = [tick for tick in _TICKS if tick < 0.75 * self.depth]
        axis: Any = alt.Axis(
            values=[*ticks, self.depth, self.lane[1]], title=None, labelOverlap=False, labelPadding=8,
            labelExpr=f"datum.value > {self.depth} ? '{NOT_FOUND}' : datum.value", labelColor=self.colours.quiet,
            labelFontSize=12, domain=False, ticks=False, gridColor=self.colours.line,
            gridOpacity=alt.ExprRef(f"datum.value > {self.depth} ? 0 : 1"), minExtent=_LABELS, maxExtent=_LABELS,
        )  # fmt: skip
        ends = [self._below(2 * _LANE), _TOP]
        scale = alt.Scale(type="symlog", constant=_BEND, domain=ends, nice=False, zero=False)
        return alt.Y(f"{field}:Q", scale=scale, axis=axis)

    def _below(self, share: float) -> float:
        """What stands a share of the length from rank 1 to the deepest one below that one."""
        place = _bent(self.depth) + share * (_bent(self.depth) - _bent(1))
        return _BEND * math.expm1(place)


def _bent(rank: float) -> float:
    """A rank's place, as Vega's symlog scale has it."""
    return math.log1p(rank / _BEND)
