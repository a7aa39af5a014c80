"""How many texts one call may hold: each server has a number of its own, and says it in words of its own."""

import re
from collections.abc import Sequence

import openai

from rag_variants.llm.failures import said

# 413 of a proxy says nothing more than that it was too much; 400 and 422 have to speak of a number of texts.
_STATUSES = (400, 413, 422)
_THINGS = r"(texts?|inputs?|items?|documents?|passages?|strings?|instances?|requests?|elements?|sentences?)"
_TOO_MANY = re.compile(
    r"batch|array.{0,40}(long|length|above|max)|too_long|array_above_max|split (it )?into|"
    rf"(too many|at most|number of|maximum( of)?|max\.?|up to|limit of|more than)\W+(\d+\W+)?(\w+\W+)?{_THINGS}\b|"
    rf"\d+ {_THINGS}(\(s\))?.{{0,20}}(allowed|limit|max|exceed|per )|tokens per (request|batch|call)|数组|条数|批",
    re.I | re.S,
)
# A text that is too long for the model stays so in a smaller batch. llama.cpp calls its limit a batch size too.
_TOO_LONG = re.compile(r"physical batch size|less than \d+ tokens|maximum context|context length|sequence length", re.I)
_MOST = re.compile(
    r"(?:max\w*|at most|larger than|longer than|exceed\w*|up to|allowed|limit\w*|should have|不得?超过|最大|最多)"
    r"(?:\D(?!\bgot\b)){0,50}?(\d+)",
    re.I,
)


class TooManyError(Exception):
    """A call held too many texts; the same texts can be sent at once in smaller calls."""


class Batches:
    """The most texts of a call that a server is known to take. Learned from refusals, for all calls of the process."""

    def __init__(self) -> None:
        self.most: int | None = None

    @property
    def note(self) -> str | None:
        """What was learned, in words."""
        return None if self.most is None else f"the server takes {self.most} texts a call; sent in parts"

    def split(self, texts: Sequence[str]) -> list[Sequence[str]]:
        """The texts in calls of as many as are taken, in order."""
        most = self.most or max(len(texts), 1)
        return [texts[at : at + most] for at in range(0, len(texts), most)]

    def check(self, count: int) -> None:
        """Raises TooManyError for more texts than are taken, as another call may have learned while this one waited."""
        if self.most is not None and count > self.most:
            raise TooManyError

    def learn(self, error: openai.APIStatusError, count: int) -> bool:
        """True if the server refused a call for its `count` texts and takes fewer: the number it names, else half."""
        if error.status_code not in _STATUSES or count < 2:
            return False
        words = f"{said(error)} {str(error.body)[:2000]}"
        if _TOO_LONG.search(words) or not (error.status_code == 413 or _TOO_MANY.search(words)):
            return False
        named = [int(found[1]) for found in _MOST.finditer(words)]
        fewer = next((number for number in named if 0 < number < count), count // 2)
        self.most = min(fewer, self.most or fewer)
        return True
