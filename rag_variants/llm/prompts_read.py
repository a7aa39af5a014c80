"""Whether a server read the prompts whole: what it counted against what a tokenizer can make of what was sent.

A server that cuts a prompt says so nowhere (Ollama's chat route, older llama.cpp): the tokens that it counted are all
there is to go by.
"""

import re
from collections import Counter

# Characters in one token, at most, over a long text: what the thriftiest tokenizers of today reach, and a fifth more.
# By script: an English token has 4 to 5, a Polish one 2.5 to 4, a Chinese one 1 to 1.9.
_PLAIN, _MARKED, _CJK, _OTHER = 6.4, 5.2, 2.4, 5.0
# Characters in one token as a rule, to tell prompts of unlike length apart.
_USUAL = {_PLAIN: 4.0, _MARKED: 3.0, _CJK: 1.4, _OTHER: 3.0}
_CERTAIN = 0.8  # of the fewest tokens possible: eight plain letters a token
# Small counts say nothing: some servers leave out what they had read for an earlier call.
_COUNTED = 256
_HALF = 0.5  # of the largest count: what is far below it was read before, not cut
# By how much the longest prompt is longer than the shortest, and how many with one count were then cut at a window: in
# general, and where the count is that of a usual window: 4,096, or as was seen 2,050 and 16,387.
_ALIKE = ((1.15, 3, 2), (1.02, 5, 3))
_WINDOW, _BESIDE = 1024, 4
_AT_LEAST = 0.7  # of the count: a prompt that usually makes fewer tokens has no reason to be cut
_ASCII, _RUN = re.compile(r"[\x00-\x7f]+"), re.compile(r"(\W)\1{2,}")
_MARKS_IN = 15  # letters of Polish, of which one has a mark


def fewest_tokens(text: str) -> float:
    """The fewest tokens that a tokenizer makes of a text. Blanks, and a sign repeated in a row, count once."""
    return _fewest(_by_script(text))


def _fewest(counts: Counter[float]) -> float:
    return sum(count / most for most, count in counts.items())


def _by_script(text: str) -> Counter[float]:
    """How many characters there are, by the most that a token holds of them."""
    level = _RUN.sub(r"\1", " ".join(text.split()))
    others = Counter(_ASCII.sub("", level))
    marked = sum(count for letter, count in others.items() if "\u00c0" <= letter <= "\u024f")
    cjk = sum(count for letter, count in others.items() if letter >= "\u2e80")
    plain = len(level) - others.total()
    beside_marks = min(plain, (_MARKS_IN - 1) * marked)
    rest = others.total() - marked - cjk
    return Counter({_PLAIN: plain - beside_marks, _MARKED: beside_marks + marked, _CJK: cjk, _OTHER: rest})


class PromptsRead:
    """The prompts that one model was sent, each once, with the tokens that its server counted in them."""

    def __init__(self) -> None:
        self._read: dict[int, tuple[float, float, int]] = {}  # fewest and usual tokens, and those counted
        self._most = 0

    def hear(self, prompt: str, counted: int | None) -> bool:
        """Takes in a prompt and its count; whether the server can only have read a part of it."""
        if counted is None or counted < _COUNTED:
            return False
        known = self._read.get(key := hash(prompt))
        if known is None or known[2] != counted:
            scripts = _by_script(prompt)
            usual = sum(count / _USUAL[most] for most, count in scripts.items())
            known = self._read[key] = (_fewest(scripts), usual, counted)
            self._most = max(self._most, counted)
        fewest = known[0]
        return self._far_below(_CERTAIN * fewest, counted)

    @property
    def note(self) -> str | None:
        """How many of the prompts the server seems to have cut, with what to do; None if none."""
        read = list(self._read.values())
        far_below = {at for at, (fewest, _, counted) in enumerate(read) if self._far_below(fewest, counted)}
        if not (cut := len(far_below | self._at_the_window(read))):
            return None
        return (
            f"the server seems to have cut {cut:,} prompt{'' if cut == 1 else 's'}: it counted {self._most:,} tokens "
            "at most. Raise its context length (Ollama: num_ctx), or use fewer or smaller chunks"
        )

    def _far_below(self, fewest: float, counted: int) -> bool:
        return counted < fewest and counted >= _HALF * self._most

    def _at_the_window(self, read: list[tuple[float, float, int]]) -> set[int]:
        """The prompts with the largest count, if unlike ones share it: no tokenizer makes one number of them."""
        top = {
            at: usual
            for at, (_, usual, counted) in enumerate(read)
            if counted == self._most and usual >= _AT_LEAST * counted
        }
        spread = max(top.values()) / min(top.values()) if top else 0.0
        usual_window = (self._most + _BESIDE) % _WINDOW <= 2 * _BESIDE
        enough = next((few if usual_window else many for least, many, few in _ALIKE if spread >= least), None)
        return set(top) if enough is not None and len(top) >= enough else set()
