"""How long to wait before the next attempt."""

import random
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

FIRST, LONGEST = 0.5, 20.0  # seconds
# Headers that say when the next call may be made: Retry-After, and what is left of a limit until it is full again
# (`x-ratelimit-reset-tokens` of OpenAI, `anthropic-ratelimit-requests-reset`, `ratelimit-reset`).
WAITS = re.compile(r"^retry-after(-ms)?$|ratelimit.*(reset|remaining)")
IN_WORDS = "retry-after-in-words"  # what a message says in place of a header: "try again in 6m0s"
_DURATION = re.compile(r"(?:(\d+)h)?(?:(\d+)m(?!s))?(?:(\d+(?:\.\d+)?)s)?(?:(\d+(?:\.\d+)?)ms)?")
_YEAR_2001 = 1e9  # seconds since 1970; a number above is a moment, one of 13 digits in milliseconds


def backoff(failures: int, seed: str) -> float:
    """Seconds after that many failures in a row: doubled each time, between half and the whole of it by a seeded draw.

    The draw keeps calls that failed together from coming back together.
    """
    whole = min(LONGEST, FIRST * 2.0 ** (failures - 1))
    return whole * (0.5 + 0.5 * random.Random(f"{seed}:{failures}").random())


def read_wait(said: Mapping[str, str], today: float) -> float | None:
    """Seconds that a server asks to wait, by its headers in lower case; None if they say nothing readable.

    `retry-after-ms` and `retry-after` win. Of limits that are used up the last to be full again counts; if none says
    that it is used up, the first.
    """
    if (exact := read_retry_after(said.get("retry-after-ms"), today, unit=0.001)) is not None:
        return exact
    for name in ("retry-after", IN_WORDS):
        if (asked := read_retry_after(said.get(name), today)) is not None:
            return asked
    resets = {name: read_retry_after(value, today) for name, value in said.items() if "reset" in name}
    known = {name: wait for name, wait in resets.items() if wait is not None}
    used_up = [wait for name, wait in known.items() if said.get(name.replace("reset", "remaining"), "").strip() == "0"]
    return max(used_up) if used_up else min(known.values(), default=None)


def read_retry_after(value: str | None, today: float, unit: float = 1.0) -> float | None:
    """Seconds that a header asks for: a number, `6m0s`, a moment since 1970 or a date; None if it is not readable.

    `unit`: seconds of a plain number.
    """
    if not value or not (text := value.strip()):
        return None
    try:
        number = float(text)
    except ValueError:
        return _read_duration(text) if text[0].isdigit() and text[-1] in "smh" else _read_date(text, today)
    if number != number:
        return None
    if number > _YEAR_2001:
        number = (number / 1000 if number > 1000 * _YEAR_2001 else number) - today
        unit = 1.0
    return max(0.0, number * unit)


def _read_duration(text: str) -> float | None:
    found = _DURATION.fullmatch(text)
    if found is None:
        return None
    hours, minutes, seconds, thousandths = (float(part or 0) for part in found.groups())
    return 3600 * hours + 60 * minutes + seconds + thousandths / 1000


def _read_date(text: str, today: float) -> float | None:
    for read in (parsedate_to_datetime, datetime.fromisoformat):
        try:
            moment = read(text)
        except ValueError:
            continue
        return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - today)
    return None
