"""A score worked out from its own detail: the formula, the same with the question's numbers, and what they give."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_variants.judges.entered import Reading
from rag_variants.metrics.cases import DIGITS
from rag_variants.metrics.details import average_precision
from rag_variants.metrics.laboratory import write_sum
from rag_variants.types import Score

Detail = Mapping[str, Any]
_TERMS = 6  # terms of a sum that are written out
_RULES = frozenset({"hit_rate", "all_evidence", "avoids", "abstention"})

# Where the verdicts of a metric stand in its detail.
VERDICTS: Mapping[str, str] = {
    "faithfulness": "claims",
    "context_recall": "statements",
    "context_precision": "verdicts",
    "context_utilization": "verdicts",
    "context_precision_evidence": "verdicts",
}


@dataclass(frozen=True, slots=True)
class Worked:
    """How a score came about: `formula` in words, `numbers` with this question's ("3 / 4"), and the `value` 0…1.

    `is_sum` is False where the numbers decide between 0 and 1 by a rule and are nothing to add up ("1 of 5 are gold").
    """

    formula: str
    numbers: str
    value: float
    is_sum: bool = True


def work_out(metric: str, score: Score) -> Worked | None:
    """The sum behind a score, recomputed from what its detail shows; `value` is `score.value` again.

    None where there is nothing to sum up: the score was not made, it is 0 by rule (its reason says so), or the metric
    is one number (a similarity, a count) or of another package.
    """
    make = _SUMS.get(metric)
    if make is None or score.value is None or not score.detail:
        return None
    formula, numbers, value = make(metric, score.detail)
    return Worked(formula, numbers, round(value, DIGITS) + 0.0, metric not in _RULES)


def readings_of(detail: Detail) -> tuple[Reading, ...]:
    """The questions read out of an answer, as answer relevancy has them in its detail."""
    return tuple(Reading(each["similarity"], bool(each["noncommittal"])) for each in detail["questions"])


def verdicts_of(metric: str, detail: Detail) -> tuple[bool, ...]:
    """The verdicts of a metric in their order."""
    return tuple(bool(each["verdict"]) for each in detail[VERDICTS[metric]])


_Sum = tuple[str, str, float]


def _share(metric: str, detail: Detail) -> _Sum:
    marks = verdicts_of(metric, detail)
    formula = {
        "faithfulness": "supported claims / claims",
        "context_recall": "statements found / statements of the reference",
    }[metric]
    return formula, write_sum(metric, marks), sum(marks) / len(marks)


def _average_precision(metric: str, detail: Detail) -> _Sum:
    marks = verdicts_of(metric, detail)
    useful = "gold" if metric == "context_precision_evidence" else "useful"
    formula = f"sum of (share of {useful} chunks down to the rank, at each {useful} rank) / {useful} chunks"
    return formula, write_sum("context_precision", marks) or "0", average_precision([int(each) for each in marks])


def _relevancy(metric: str, detail: Detail) -> _Sum:
    readings = readings_of(detail)
    mean = math.fsum(each.similarity for each in readings) / len(readings)
    value = 0.0 if all(each.noncommittal for each in readings) else mean
    formula = "sum of the cosines with the real question / questions read out of the answer (× 0 if it is evasive)"
    return formula, write_sum("answer_relevancy", (), readings), value


def _hit_rate(metric: str, detail: Detail) -> _Sum:
    gold = len(detail["gold_ranks"])
    return "1 if a gold chunk was retrieved, else 0", f"{gold} of {detail['hits']} are gold", float(gold > 0)


def _evidence_recall(metric: str, detail: Detail) -> _Sum:
    shares = list(detail["groups"].values())
    written = " + ".join(f"{share:.2f}" for share in shares)
    numbers = f"({written}) / {len(shares)}" if len(shares) > 1 else f"{written} / 1"
    return "sum of the covered share of each piece of evidence / pieces", numbers, math.fsum(shares) / len(shares)


def _all_evidence(metric: str, detail: Detail) -> _Sum:
    absent = len(detail["groups_without_gold"])
    formula = "1 if no piece of evidence is without a gold chunk, else 0"
    return formula, f"{absent} without one", float(not absent)


def _evidence_share(metric: str, detail: Detail) -> _Sum:
    evidence, characters = detail["evidence_characters"], detail["characters"]
    return "characters of evidence / characters retrieved", f"{evidence} / {characters}", evidence / characters


def _precision(metric: str, detail: Detail) -> _Sum:
    gold, hits = len(detail["gold_ranks"]), detail["hits"]
    return "gold chunks / chunks retrieved", f"{gold} / {hits}", gold / hits


def _reciprocal_rank(metric: str, detail: Detail) -> _Sum:
    first = next(iter(detail["gold_ranks"]), None)
    formula = "1 / rank of the first gold chunk (0 without one)"
    return formula, f"1 / {first}" if first else "0", 1 / first if first else 0.0


def _ndcg(metric: str, detail: Detail) -> _Sum:
    gold, ideal = detail["gold_ranks"], range(1, detail["gold_in_knowledge"] + 1)
    best = _gain(ideal)
    formula = "sum of 1/log₂(rank + 1) at the gold ranks / the same with all gold chunks of the documents on top"
    return formula, f"({_gain_words(gold)}) / ({_gain_words(ideal)})", _gain(gold) / best if best else 0.0


def _gain(ranks: Sequence[int]) -> float:
    return sum(1 / math.log2(rank + 1) for rank in ranks)


def _gain_words(ranks: Sequence[int]) -> str:
    if len(ranks) > _TERMS:
        return f"{_gain(ranks):.4f}"
    return " + ".join(f"1/log₂({rank + 1})" for rank in ranks) or "0"


def _key_facts(metric: str, detail: Detail) -> _Sum:
    found, facts = sum(each["found"] is not None for each in detail["facts"]), len(detail["facts"])
    return "facts found / facts expected", f"{found} / {facts}", found / facts


def _avoids(metric: str, detail: Detail) -> _Sum:
    found = len(detail["found"])
    return "1 if nothing forbidden stands in the answer, else 0", f"{found} found in it", float(not found)


def _abstention(metric: str, detail: Detail) -> _Sum:
    should, did = not detail["answerable"], detail["declined"]
    numbers = f"{'' if should else 'no '}decline due, {'declined' if did else 'answered'}"
    return "1 if it declined exactly when that was due, else 0", numbers, float(should == did)


def _coverage(metric: str, detail: Detail) -> _Sum:
    shares = [each["similarity"] for each in detail["sentences"]]
    written = " + ".join(f"{share:.2f}" for share in shares) if len(shares) <= _TERMS else f"{math.fsum(shares):.4f}"
    formula = "sum of each reference sentence's closest similarity in the answer / sentences of the reference"
    return formula, f"({written}) / {len(shares)}", math.fsum(shares) / len(shares)


def _shared_claims(metric: str, detail: Detail) -> _Sum:
    """F1 as ragas has it (0.4.3), rounded to two digits: the claims that hold are those of the answer."""
    holds = sum(each["verdict"] for each in detail["claims"])
    wrong = len(detail["claims"]) - holds
    missing = sum(1 for each in detail["reference_claims"] if not each["verdict"])
    value = round(2 * holds / (2 * holds + wrong + missing), 2) if holds else 0.0
    formula = "2 × right claims / (2 × right claims + wrong claims + claims of the reference that are missing)"
    return formula, f"2 × {holds} / (2 × {holds} + {wrong} + {missing})", value


_SUMS: Mapping[str, Callable[[str, Detail], _Sum]] = {
    "faithfulness": _share,
    "context_recall": _share,
    "context_precision": _average_precision,
    "context_utilization": _average_precision,
    "context_precision_evidence": _average_precision,
    "answer_relevancy": _relevancy,
    "hit_rate": _hit_rate,
    "evidence_recall": _evidence_recall,
    "all_evidence": _all_evidence,
    "evidence_precision": _evidence_share,
    "precision": _precision,
    "mrr": _reciprocal_rank,
    "ndcg": _ndcg,
    "key_facts": _key_facts,
    "avoids": _avoids,
    "abstention": _abstention,
    "reference_coverage": _coverage,
    "factual_correctness": _shared_claims,
}
