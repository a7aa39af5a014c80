"""How long to wait before the next attempt."""

import random
from email.utils import parsedate_to_datetime

FIRST, LONGEST = 0.5, 20.0  # seconds


def backoff(failures: int, seed: str) -> float:
    """Seconds after that many failures in a row: doubled each time, between half and the whole of it by a seeded draw.

    The draw keeps calls that failed together from coming back together.
    """
    whole = min(LONGEST, FIRST * 2.0 ** (failures - 1))
    return whole * (0.5 + 0.5 * random.Random(f"{seed}:{failures}").random())


def read_retry_after(value: str | None, today: float) -> float | None:
    """Seconds that a `Retry-After` header asks for, given as seconds or as a date; None if it says nothing readable."""
    if not value:
        return None
    try:
        seconds = float(value)
    except ValueError:
        try:
            seconds = parsedate_to_datetime(value).timestamp() - today
        except ValueError:
            return None
    return max(0.0, seconds) if seconds == seconds else None
