"""Which of the rated sentences are said, and in what order."""

from collections.abc import Sequence

import numpy as np

from rag_variants_embedded.answer.candidates import Candidate
from rag_variants_embedded.answer.rating import Rated

_MOST = 3
# Another sentence is said as well if it answers nearly as well as the best: beside it, or elsewhere whatever its rank.
_MARGIN_BESIDE = 0.6
_MARGIN_ELSEWHERE = 1.0
# What a further part of a question gets has to bear that part out.
_LEAST_SUPPORT = 3.0


def choose(rated: Sequence[Rated], candidates: Sequence[Candidate]) -> list[Candidate]:
    """The best sentence for each part that has one, and those nearly as good, three at most."""
    parts = [(one, int(np.argmax(one.scores))) for one in rated]
    borne = [(one, best) for one, best in parts if one.support[best] >= _LEAST_SUPPORT] or parts[:1]
    chosen = list(dict.fromkeys(best for _, best in borne))
    for one, best in borne:
        chosen += [index for index in _rivals(one, best, candidates) if index not in chosen]
    return _in_order([candidates[index] for index in chosen[:_MOST]])


def _rivals(rated: Rated, best: int, candidates: Sequence[Candidate]) -> list[int]:
    """Sentences that answer a part nearly as well as the best one, the best of them first."""
    found = []
    for index in np.argsort(-rated.scores, kind="stable"):
        beside = candidates[index].document == candidates[best].document
        behind = rated.scores[best] - rated.scores[index] if beside else rated.merits[best] - rated.merits[index]
        if index != best and behind <= (_MARGIN_BESIDE if beside else _MARGIN_ELSEWHERE):
            found.append(int(index))
    return found[:1]


def _in_order(chosen: Sequence[Candidate]) -> list[Candidate]:
    """Sentences of one document stand together, in its order; documents in the order chosen."""
    documents = list(dict.fromkeys(one.document for one in chosen))
    return sorted(chosen, key=lambda one: (documents.index(one.document), one.start))
