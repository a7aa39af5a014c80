"""The axis that intervals are drawn on: where a value lies in per cent of the width, and the numbers below."""

from dataclasses import dataclass

from rag_variants.report.words import signed

_TICKS = 4  # about so many
_NEAR_END = 0.08  # of the axis: half of a number's width
_STEPS = (0.02, 0.05, 0.1, 0.2, 0.25, 0.5, 1.0)


@dataclass(frozen=True, slots=True)
class Axis:
    """From `low` to `high`, 0 between them."""

    low: float
    high: float

    @property
    def ticks(self) -> list[float]:
        """Round numbers along the axis, 0 among them."""
        low, high = self.low, self.high
        step = next((each for each in _STEPS if each * (_TICKS + 1) >= high - low), _STEPS[-1])
        return [round(at * step, 6) for at in range(-int(-low / step), int(high / step) + 1)]

    def place(self, value: float) -> str:
        """Where a value lies: `33.33%`."""
        return f"{100 * self._share(value):.2f}%"

    def rest(self, value: float) -> str:
        """How far a value lies from the axis' end: `66.67%`."""
        return f"{100 * (1 - self._share(value)):.2f}%"

    def anchor(self, tick: float) -> str:
        """Which point of a number stands at its tick: at the ends of the axis the one that keeps it inside."""
        at = self._share(tick)
        return "start" if at < _NEAR_END else "end" if at > 1 - _NEAR_END else "middle"

    def words(self, tick: float) -> str:
        """The number of a tick."""
        return signed(tick) if tick else "0"

    def _share(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)
