"""What a quantity is: its dimension, value, bound and the thing counted."""

from dataclasses import dataclass, replace
from typing import Literal

Bound = Literal["", "max", "min", "weakmax", "weakmin", "approx"]
# A day of the calendar as far as it is named: year, month, day.
Day = tuple[int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its dimension, in the dimension's base unit (seconds, metres, grams, …).

    `noun` holds the keys of the thing counted, `day` the parts of a date, `end` is exclusive.
    """

    dimension: str
    value: float
    start: int
    end: int
    text: str
    bound: Bound = ""
    noun: frozenset[str] = frozenset()
    day: Day | None = None

    def moved(self, by: int) -> "Quantity":
        """The same quantity in a text that begins `by` characters earlier."""
        return replace(self, start=self.start + by, end=self.end + by)


def same_value(left: float, right: float, tolerance: float = 1e-6) -> bool:
    """Whether two values are one number, but for rounding."""
    return abs(left - right) <= tolerance * max(abs(left), abs(right), 1e-9)


_MONTH, _DAY = 2_629_800.0, 86_400.0


def same_time(left: float, right: float) -> bool:
    """Whether two durations are one: exactly, or a month as 30 days and a year as 365."""
    if same_value(left, right):
        return True
    for months, days in ((left, right), (right, left)):
        count = months / _MONTH
        if days % _DAY == 0 and abs(count - round(count)) < 1e-6 and round(count) and days / _DAY < 400:
            whole = days / _DAY
            if whole == 30 * round(count) or (round(count) == 12 and whole in (365, 366)):
                return True
    return False


def agree(left: Quantity, right: Quantity) -> bool:
    """Whether two quantities have one dimension and one value."""
    return left.dimension == right.dimension and equal(left, right)


def equal(left: Quantity, right: Quantity) -> bool:
    """Whether two quantities of one dimension have the same value."""
    if left.day is not None and right.day is not None:
        return all(a is None or a == b for a, b in zip(left.day, right.day, strict=True))
    if left.dimension == "time":
        return same_time(left.value, right.value)
    if left.dimension == "rate":
        return same_value(left.value, right.value, 0.03)
    return same_value(left.value, right.value)
