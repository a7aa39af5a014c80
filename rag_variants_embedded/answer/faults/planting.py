"""Which sentence gets which faults, from a seed that the question gives."""

import hashlib
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from rag_variants.text.language import Language
from rag_variants.types import Fault, FaultKind, Hit
from rag_variants_embedded.answer.faults.dates import change_date
from rag_variants_embedded.answer.faults.elsewhere import Elsewhere
from rag_variants_embedded.answer.faults.negation import deny
from rag_variants_embedded.answer.faults.numbers import change_number

# Another seed plants other faults. Same seed, question and sentence: same faults, in every process and variant.
SEED = 3

KINDS: tuple[FaultKind, ...] = ("number", "date", "negation", "elsewhere")
_MOST = 2
# Any sentence can be followed by one from elsewhere, few can carry the other kinds: so it mostly comes last.
_ELSEWHERE_FIRST = 0.2
# Both in one sentence can make it true again: a label valid for 10 days is not valid for 40.
_CANCELLING = ({"number", "negation"}, {"date", "negation"})
Alteration = Callable[[str, Random], str | None]


@dataclass(frozen=True, slots=True)
class Planted:
    """What is said in place of one sentence: its text, one more sentence or None, and the key to its faults."""

    said: str
    added: str | None
    faults: tuple[Fault, ...]


def plant(
    sentence: str, language: Language, question: str, hits: Sequence[Hit], elsewhere: Elsewhere, rate: float
) -> Planted:
    """A sentence with the faults that fall to it.

    `rate` up to 1 is the chance that it gets one (1: whenever it can carry one), what goes beyond 1 the chance of a
    second one of another kind. The draws do not depend on the rate: a higher one keeps the faults of a lower one.
    """
    random = _random(question, sentence)
    draws = [random.random() for _ in range(_MOST)]
    kinds = _order(random)
    changes = _changes(language, hits)
    wanted = sum(draw < rate - at for at, draw in enumerate(draws))
    said, added = sentence, None
    done: list[FaultKind] = []
    for kind in kinds:
        if len(done) == wanted:
            break
        chance = Random(f"{random.random()} {kind}")
        if any({kind, other} in _CANCELLING for other in done):
            continue
        if kind == "elsewhere":
            added = elsewhere.pick(language, hits, chance)
            done += [kind] if added else []
        elif changed := changes[kind](said, chance):
            said = changed
            done.append(kind)
    return Planted(said, added, tuple(_keys(done, sentence, said, added)))


def _order(random: Random) -> list[FaultKind]:
    """The kinds in the order in which they are tried."""
    inside = [kind for kind in KINDS if kind != "elsewhere"]
    random.shuffle(inside)
    return ["elsewhere", *inside] if random.random() < _ELSEWHERE_FIRST else [*inside, "elsewhere"]


def _random(question: str, sentence: str) -> Random:
    """Its own chance for each sentence of each question; not from `hash`, which differs between processes."""
    text = f"{SEED}\n{' '.join(question.split())}\n{sentence}"
    return Random(int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big"))


def _changes(language: Language, hits: Sequence[Hit]) -> Mapping[FaultKind, Alteration]:
    source = " ".join(hit.chunk.text for hit in hits)
    return {
        "number": lambda text, random: change_number(text, language, random, lambda new: _is_free(new, source)),
        "date": lambda text, random: change_date(text, random, lambda new: _is_free(new, source)),
        "negation": lambda text, random: deny(text, language, random),
    }


def _is_free(new: str, source: str) -> bool:
    """Whether a number or date stands nowhere in the source: one that does might be true of something else there."""
    return re.search(rf"(?<!\d){re.escape(new)}(?!\d)", source) is None


def _keys(kinds: Sequence[FaultKind], source: str, said: str, added: str | None) -> Iterator[Fault]:
    for kind in kinds:
        yield Fault(kind, added or "", None) if kind == "elsewhere" else Fault(kind, said, source)
