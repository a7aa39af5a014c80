"""A metric's mean as a tile: its value now, and its delta to a pinned value with sign and direction in words."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.words import MINUS, digits_that_add_up, money_words, plain, rounded, signed

Direction = Literal["up", "down", "same", ""]


@dataclass(frozen=True, slots=True)
class Tile:
    """All texts. `before`, `change` and `value` add up as they are rounded; `direction` is "" without a delta.

    `said` is the direction in a word, for those who do not see an arrow; of efforts with the ratio.
    """

    label: str
    value: str
    unit: str
    before: str
    change: str
    direction: Direction
    said: str


def metric_tile(name: str, before: float | None, now: float | None, judge_spec: str = "") -> Tile:
    """The tile of a registered metric from its pinned mean and its mean now, of the same questions; None: not scored.

    Of quality a higher value is better. An effort is described and never judged: more or less of it.
    """
    metric = all_metrics()[name]
    effort = metric.set == "effort"
    value, pinned, change = _amounts(before, now, metric.unit) if effort else _ratios(before, now)
    direction = _direction(before, now, change)
    return Tile(
        label=label_of(metric, judge_spec),
        value=value,
        unit="" if metric.unit == "USD" else metric.unit,
        before=pinned,
        change=change,
        direction=direction,
        said=_said(before, now, direction, effort),
    )


def _ratios(before: float | None, now: float | None) -> tuple[str, str, str]:
    """Value, pinned value and delta of a quality metric: as many decimals as show the delta."""
    delta = None if before is None or now is None else now - before
    digits = digits_that_add_up(before, now, delta)
    return plain(now, digits), plain(before, digits), signed(delta, digits)


def _amounts(before: float | None, now: float | None, unit: str) -> tuple[str, str, str]:
    """The same of an effort, in as many decimals as its size and the delta need; that is the delta of rounded ones."""
    if unit == "USD":
        return _money(now), _money(before), "–" if before is None or now is None else _with_sign(now - before, _money)
    largest = max(before or 0.0, now or 0.0)
    digits = 0 if largest >= 100 else 1 if largest >= 10 else 2
    if before is not None and now is not None:
        while digits < 2 and before != now and rounded(before, digits) == rounded(now, digits):
            digits += 1
    value, pinned = ("–" if each is None else f"{rounded(each, digits):,.{digits}f}" for each in (now, before))
    if before is None or now is None:
        return value, pinned, "–"
    delta = float(rounded(now, digits) - rounded(before, digits))
    return value, pinned, _with_sign(delta, lambda amount: f"{amount:,.{digits}f}")


def _money(cost: float | None) -> str:
    return "–" if cost is None else money_words(cost)


def _with_sign(delta: float, words: Callable[[float], str]) -> str:
    return ("+" if delta > 0 else MINUS if delta < 0 else "") + words(abs(delta))


def _direction(before: float | None, now: float | None, change: str) -> Direction:
    """As the delta is shown: what rounds to nothing is no move."""
    if before is None or now is None:
        return ""
    return "up" if change.startswith("+") else "down" if change.startswith(MINUS) else "same"


def _said(before: float | None, now: float | None, direction: Direction, effort: bool) -> str:
    if now is None or before is None:
        return "not scored" if now is None else "not scored when pinned"
    if direction == "same":
        return "as pinned"
    ratio = f", × {now / before:.2f}" if effort and before else ""
    return {"up": "more" if effort else "higher", "down": "less" if effort else "lower"}[direction] + ratio
