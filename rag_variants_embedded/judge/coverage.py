"""How much of a statement each line of a passage holds."""

from collections.abc import Sequence

from rag_variants.text.quantities.quantity import Quantity, agree
from rag_variants_embedded.judge.alignment import Column
from rag_variants_embedded.judge.read_passage import Line
from rag_variants_embedded.judge.sought import Sought

# Below this share a sentence is about something else: nothing in it contradicts the statement.
ABOUT = 0.4
# The sentence itself must hold this share of what is found; the lines before it only lead to it.
_DIRECT = 0.55
# A number that agrees says more than a word that does.
_EXACT = 1.5


def covered_shares(sought: Sought, columns: Sequence[Column], lines: Sequence[Line]) -> list[float]:
    """The share of the statement's content that each line holds, by weight; below ABOUT if it is only led to it.

    Of what stands in the line itself, numbers that agree count in full, others not at all.
    """
    found, here = [0.0] * len(lines), [0.0] * len(lines)
    for column, token, weight in zip(columns, sought.said.content, sought.weights, strict=True):
        for at, match in column.items():
            found[at] += weight * match.score
            if not match.nearby:
                here[at] += token.weight * match.score
    return [_covered(sought, *each) for each in zip(found, here, lines, strict=True)]


def _covered(sought: Sought, found: float, here: float, line: Line) -> float:
    """The share in one line, of whose words that weight was `found`, and that weight of it `here`."""
    total, agreeing = sought.total, 0.0
    for quantity in sought.said.quantities:
        others = line.reading.quantities
        exact = any(agree(quantity, other) for other in others)
        agreeing += _EXACT if exact else 0.0
        if not _is_one(quantity):
            total += _EXACT if exact else 1.0
            found += _EXACT if exact else float(any(other.dimension == quantity.dimension for other in others))
    covered = found / total if total else 0.0
    direct = (here + agreeing) / (sought.plain + agreeing) if sought.plain else 1.0
    return covered if direct >= _DIRECT else min(covered, ABOUT - 0.01)


def _is_one(quantity: Quantity) -> bool:
    return quantity.dimension in ("count", "ordinal") and quantity.value == 1
