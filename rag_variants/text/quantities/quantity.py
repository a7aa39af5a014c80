"""What a quantity is, and when two are the same."""

from dataclasses import dataclass, replace

# A day of the calendar as far as it is named: year, month, day.
Day = tuple[int | None, int | None, int | None]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number with its dimension, in the dimension's base unit; `start` and `end` (exclusive) count characters.

    Dimensions: `count`, `ordinal`, `times`, `share` (of 1), `factor`; `time` (seconds), `length` (metres), `mass`
    (grams), `volume` (litres) and the others of `units.txt`; currencies by their code; `rate` (times a day); `clock`
    (minutes since midnight); `date` with its `day` as far as it is named. `noun` says what is counted where the
    unit does not: a Chinese measure word, or `working` for working days.
    """

    dimension: str
    value: float
    start: int
    end: int
    text: str
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
    """Whether two quantities have one dimension and one value; a part of a date agrees with the whole date."""
    return left.dimension == right.dimension and equal(left, right)


def equal(left: Quantity, right: Quantity) -> bool:
    """Whether two quantities of comparable dimensions have the same value: what `left` names of a date, `right` has."""
    if left.day is not None and right.day is not None:
        return all(a is None or a == b for a, b in zip(left.day, right.day, strict=True))
    if left.dimension == "time":
        return same_time(left.value, right.value)
    if left.dimension == "rate":
        return same_value(left.value, right.value, 0.03)
    return same_value(left.value, right.value)
