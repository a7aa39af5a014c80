"""The combinations that a sweep left out: how many, three of them, and where the others stand."""

import re
from collections.abc import Sequence
from itertools import islice

from rag_variants.evaluation.tuning.grid import Impossible

EXAMPLES = 3  # combinations that are shown


def left_out_heading(left_out: Sequence[Impossible]) -> str:
    """How many combinations were left out: `1 combination`, `2,221 combinations`."""
    return f"{len(left_out):,} combination{'' if len(left_out) == 1 else 's'}"


def left_out_examples(left_out: Sequence[Impossible]) -> tuple[Impossible, ...]:
    """Three combinations that were left out, of different reasons as far as there are; files of data hold them all."""
    kinds: dict[str, Impossible] = {}
    for each in left_out:
        kinds.setdefault(re.sub(r"[\d.]+", "0", each.reason), each)
    first = list(kinds.values())[:EXAMPLES]
    others = (each for each in left_out if each not in first)
    return (*first, *islice(others, EXAMPLES - len(first)))


def more_left_out(left_out: Sequence[Impossible]) -> str:
    """Where those are that are not among the examples; "" if there are none."""
    more = len(left_out) - EXAMPLES
    return f"{more:,} more: all of them stand in the .json and .csv files." if more > 0 else ""
