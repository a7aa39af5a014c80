"""Whether the quantities of a statement agree with those of the evidence."""

import re
from collections.abc import Sequence
from itertools import combinations

from rag_variants.text.quantities.quantity import equal, same_value
from rag_variants_embedded.judge.alignment import Match
from rag_variants_embedded.judge.bounds import Bounded
from rag_variants_embedded.judge.read_sentence import ReadSentence, Token

_STRICT = {"max": "min", "min": "max"}
_COUNTING = ("count", "times")
# How far a number worked out from others may be off.
_ROUNDED = 0.003
_YEAR, _MONTH = 31_557_600.0, 2_629_800.0


def number_veto(
    statement: ReadSentence, matches: Sequence[Match], evidence: ReadSentence, nearby: Sequence[Bounded] = ()
) -> tuple[str | None, bool]:
    """The veto for the first quantity that the evidence does not bear out, and whether it has another instead."""
    for quantity in statement.quantities:
        veto, rival = _judged(quantity, statement, matches, evidence, nearby)
        if veto:
            return veto, rival
    return None, False


def _comparable(left: Bounded, right: Bounded) -> bool:
    if left.dimension == right.dimension:
        return True
    kinds = {left.dimension, right.dimension}
    return kinds <= {"count", "times"} or kinds <= {"count", "ordinal"}


def _judged(
    said: Bounded, statement: ReadSentence, matches: Sequence[Match], evidence: ReadSentence, nearby: Sequence[Bounded]
) -> tuple[str | None, bool]:
    if said.dimension in _COUNTING and said.value == 1:
        return None, False
    rivals = [other for other in evidence.quantities if _comparable(said, other)]
    equals = [other for other in rivals if equal(said, other)]
    if not equals and said.dimension == "count":
        # A number whose unit is only named once: `320 passengers` in a table, `12` euros in the text.
        equals = [o for o in evidence.quantities if same_value(said.value, o.value) and o.dimension == "count"]
    for other in equals:
        if _STRICT.get(said.bound) == other.bound:
            return f"bound: the statement says {_with(said)}, the text says {_with(other)}", True
    if equals:
        noun = _other_noun(said, statement, equals, rivals, evidence)
        if noun:
            return noun, True
        return _misplaced(said, statement, matches, equals, rivals, evidence)
    if any(_within(said, statement, other) for other in evidence.quantities) or _derived(
        said, statement, (*evidence.quantities, *nearby), evidence
    ):
        return None, False
    if rivals:
        other = _nearest(said, statement, rivals, evidence)
        return f"number: the statement says {_with(said)}, the text says {_with(other)}", True
    return f"number: the text does not give {said.text}", False


def _with(quantity: Bounded) -> str:
    words = {"max": "at most ", "min": "at least "}
    return words.get(quantity.bound, "") + quantity.text


# Words that make a number the mark of a single case: an order of 250 euros, paleta ważąca tonę, 二十公斤的行李.
_CASE_BEFORE = re.compile(
    r"(?:\b(?:of|worth|weighing|aged|a|an|wart\w+|wadze|długości|wysokości|wieku|waż\w+|za)\s+(?:\w+\s+)?[€$£]?|重)$"
)
_CASE_AFTER = re.compile(r"\s*(?:-|的|重的|old\b|years? old)")


def _within(said: Bounded, statement: ReadSentence, other: Bounded) -> bool:
    """Whether a single case lies in an open range of the text: an order of 250 where the rule is above 200."""
    text = statement.text
    if not (_CASE_BEFORE.search(text[: said.start]) or _CASE_AFTER.match(text[said.end :]) or "-" in said.text):
        return False
    below, above = other.bound in ("max", "weakmax"), other.bound in ("min", "weakmin")
    if said.bound or said.day or said.dimension in ("rate", "clock", "times", "ordinal", "share"):
        return False
    value = said.value
    if said.dimension == "time" and other.dimension == "count":
        value = said.value / _YEAR  # children under six: an age without its unit
    elif said.dimension != other.dimension:
        return False
    return (below and value < other.value) or (above and value > other.value)


def _noun(quantity: Bounded, reading: ReadSentence) -> Token | None:
    """The thing counted: the first content word after the number."""
    if quantity.dimension not in _COUNTING:
        return None
    following = [token for token in reading.content if quantity.end <= token.start <= quantity.end + 20]
    return following[0] if following else None


def _other_noun(
    said: Bounded, statement: ReadSentence, equals: Sequence[Bounded], rivals: Sequence[Bounded], evidence: ReadSentence
) -> str | None:
    """The veto if the number counts another thing in the text, and the thing said has another number there."""
    mine = _noun(said, statement)
    if mine is None:
        return None
    if any((theirs := _noun(other, evidence)) is None or theirs.keys & mine.keys for other in equals):
        return None
    for other in rivals:
        theirs = _noun(other, evidence)
        if theirs is not None and theirs.keys & mine.keys:
            return f"number: the statement says {said.text} {mine.text}, the text says {other.text}"
    return None


def _misplaced(
    said: Bounded, statement: ReadSentence, matches: Sequence[Match], equals: Sequence[Bounded],
    rivals: Sequence[Bounded], evidence: ReadSentence,
) -> tuple[str | None, bool]:  # fmt: skip
    """The veto if the number stands in the text, but in a clause about something else."""
    homes = {evidence.segment_at(other.start) for other in equals}
    spoken = {id(match.other) for match in matches if match.other is not None and match.score >= 0.6}
    best = max(_share(home, spoken, evidence)[0] for home in homes)
    said_here = {key for home in homes for key in _share(home, spoken, evidence)[1]}
    for other in rivals:
        segment = evidence.segment_at(other.start)
        if segment in homes or equal(said, other):
            continue
        share, keys = _share(segment, spoken, evidence)
        if share > best + 1e-9 and keys - said_here and not _elsewhere(statement, other):
            return f"number: the text gives {said.text} for something else, here {other.text}", True
    return None, False


def _elsewhere(statement: ReadSentence, other: Bounded) -> bool:
    """Whether the statement names the other number too: then nothing is swapped."""
    return any(equal(mine, other) for mine in statement.quantities if mine.dimension == other.dimension)


def _share(segment: int, spoken: set[int], evidence: ReadSentence) -> tuple[float, set[str]]:
    """How much of a clause the statement speaks of, and the stems found there."""
    own = [token for token in evidence.content if token.segment == segment]
    here = [token for token in own if id(token) in spoken]
    return (len(here) / len(own) if own else 0.0), {token.stem for token in here}


def _nearest(said: Bounded, statement: ReadSentence, rivals: Sequence[Bounded], evidence: ReadSentence) -> Bounded:
    mine = _noun(said, statement)
    for other in rivals:
        theirs = _noun(other, evidence)
        if mine is not None and theirs is not None and theirs.keys & mine.keys:
            return other
    return rivals[0]


def _derived(said: Bounded, statement: ReadSentence, known: Sequence[Bounded], evidence: ReadSentence) -> bool:
    """Whether simple arithmetic on the text's numbers, that the wording calls for, gives the number said."""
    if said.dimension == "clock":
        return False
    if said.dimension == "rate":
        return said.value > 0 and _spread(said, statement, known)
    if said.dimension == "date":
        return _years(said, known)
    like = [
        other
        for other in known
        if other.dimension == said.dimension or {other.dimension, said.dimension} <= set(_COUNTING)
    ]
    shares = [other for other in known if other.dimension == "share"]
    factors = [other for other in known if other.dimension == "factor"]
    rates = [other for other in known if other.dimension == "rate"]
    for other in like:
        if any(same_value(said.value, other.value * part.value, _ROUNDED) for part in (*shares, *factors)):
            return True
        if any(mine.dimension == "rate" and same_value(said.value, other.value * rate.value / mine.value)
               for rate in rates for mine in statement.quantities if mine.value):  # fmt: skip
            return True
    if said.dimension in _COUNTING and any(
        same_value(said.value * mine.value, rate.value, _ROUNDED)
        for mine in statement.quantities if mine.dimension == "rate" for rate in rates
    ):  # fmt: skip
        return True
    if said.dimension == "share" and _ratio(said, known):
        return True
    if not any("total" in token.flags for token in statement.signs) and "total" not in _flag_words(statement):
        return False
    values = [other.value for other in like]
    if any(same_value(said.value, sum(some)) for size in (2, 3) for some in combinations(values, size)):
        return True
    several = [other.value for other in known if other.dimension in ("count", "times")]
    several += [other.value / _MONTH for other in known if other.dimension == "time"]
    several += [2.0] * any(word in evidence.text for word in ("each", "każd", "双向", "各"))
    return any(same_value(said.value, value * many) for value in values for many in several if many != 1)


def _spread(said: Bounded, statement: ReadSentence, known: Sequence[Bounded]) -> bool:
    """Whether the text's amount, each so many times, gives the statement's amount in its own period."""
    counts = [mine for mine in statement.quantities if mine.dimension in _COUNTING]
    rates = [other for other in known if other.dimension == "rate"]
    if any(same_value(mine.value * said.value, rate.value, _ROUNDED) for mine in counts for rate in rates):
        return True
    return any(
        mine.dimension == other.dimension and same_value(mine.value, other.value * rate.value / said.value, _ROUNDED)
        for mine in statement.quantities if mine.dimension != "rate"
        for other in known for rate in rates
    )  # fmt: skip


def _flag_words(statement: ReadSentence) -> set[str]:
    return {flag for token in (*statement.signs, *statement.content) for flag in token.flags}


def _ratio(said: Bounded, known: Sequence[Bounded]) -> bool:
    """A share that two numbers of the text make up: 620 of 1,240 is half."""
    for part, whole in combinations(known, 2):
        small, large = sorted((part.value, whole.value))
        alike = part.dimension == whole.dimension and part.dimension not in ("date", "clock", "rate")
        if alike and large and same_value(said.value, small / large, 0.01):
            return True
    return False


def _years(said: Bounded, known: Sequence[Bounded]) -> bool:
    """A year that lies a stated number of years before or after a stated one."""
    year = said.day[0] if said.day else None
    spans = [round(other.value / _YEAR) for other in known if other.dimension == "time" and other.value >= _YEAR]
    bases = [other.day[0] for other in known if other.day and other.day[0]]
    return year is not None and any(year in (base + span, base - span) for base in bases for span in spans)
