"""What the selected hits hold of the evidence; no judge is needed."""

import math
from collections.abc import Callable

from rag_variants.metrics.base import Group, Metric, Subject
from rag_variants.metrics.cases import Cases, Rule, make_metric, scored
from rag_variants.types import Score


def _hit_rate(subject: Subject) -> Score:
    """1 if any hit is gold, else 0."""
    marked = subject.marked
    return scored(float(bool(marked.gold_ranks)), marked.reason, marked.detail)


def _evidence_recall(subject: Subject) -> Score:
    """Mean over groups of the covered share of the best alternative's characters, 0…1."""
    marked = subject.marked
    shares = {group: subject.gold.covered_share(group, marked.chunks) for group in subject.gold.groups}
    detail = {**marked.detail, "groups": {str(group): round(share, 9) for group, share in shares.items()}}
    return scored(sum(shares.values()) / len(shares), None, detail)


def _all_evidence(subject: Subject) -> Score:
    """1 if every group has a gold hit, else 0."""
    marked = subject.marked
    found = {group for groups in marked.groups for group in groups}
    absent = [group for group in subject.gold.groups if group not in found]
    return scored(float(not absent), marked.reason, {**marked.detail, "groups_without_gold": absent})


def _evidence_precision(subject: Subject) -> Score:
    """Evidence characters (each place once) ÷ characters of the hits (repeats count), 0…1."""
    marked = subject.marked
    characters = sum(chunk.end - chunk.start for chunk in marked.chunks)
    evidence = subject.gold.evidence_characters(marked.chunks)
    detail = {**marked.detail, "evidence_characters": evidence, "characters": characters}
    return scored(evidence / characters if characters else 0.0, None, detail)


def _precision(subject: Subject) -> Score:
    """Gold hits ÷ hits, 0…1; `ceiling` in the detail is the most that this many hits could reach."""
    marked = subject.marked
    count = len(marked.chunks)
    ceiling = min(marked.gold_in_knowledge, count) / count
    return scored(len(marked.gold_ranks) / count, marked.reason, {**marked.detail, "ceiling": round(ceiling, 9)})


def _mrr(subject: Subject) -> Score:
    """1 ÷ rank of the first gold hit, 0 if there is none (reciprocal rank; Voorhees 1999)."""
    marked = subject.marked
    return scored(1.0 / marked.gold_ranks[0] if marked.gold_ranks else 0.0, marked.reason, marked.detail)


def _ndcg(subject: Subject) -> Score:
    """Σ 1/log₂(rank + 1) over gold hits ÷ the same sum with all gold chunks of the base on top, 0…1.

    Järvelin and Kekäläinen 2002, binary gain; the ideal has no cutoff: few hits cannot reach 1 if there is more gold.
    """
    marked = subject.marked
    ideal = sum(_discount(rank) for rank in range(1, marked.gold_in_knowledge + 1))
    gained = sum(_discount(rank) for rank in marked.gold_ranks)
    return scored(gained / ideal if ideal else 0.0, marked.reason, marked.detail)


def _discount(rank: int) -> float:
    return 1.0 / math.log2(rank + 1)


def _metric(name: str, group: Group, empty: Rule, compute: Callable[[Subject], Score], label: str, text: str) -> Metric:
    cases = Cases(frozenset({"evidence"}), "hits", nothing_retrieved=empty)
    return make_metric(name, ("retrieval", group), (label, text), compute, cases)


RETRIEVAL: tuple[Metric, ...] = (
    _metric(
        "hit_rate",
        "Found it?",
        "zero",
        _hit_rate,
        "Hit rate",
        "1 if at least one retrieved chunk holds evidence, else 0; the mean is the share of questions with a hit.",
    ),
    _metric(
        "evidence_recall",
        "Found it?",
        "zero",
        _evidence_recall,
        "Evidence recall",
        "How much of the quoted evidence the retrieved chunks cover, in characters; half a quote counts half.",
    ),
    _metric(
        "all_evidence",
        "Found it?",
        "zero",
        _all_evidence,
        "All evidence",
        "1 if every piece of evidence that the answer needs has a chunk, else 0: the test for questions that need "
        "several places.",
    ),
    _metric(
        "evidence_precision",
        "Ranked it?",
        "unscored",
        _evidence_precision,
        "Evidence share of text",
        "The share of the retrieved characters that is evidence. Small because chunks hold more than a quote, but "
        "comparable across chunk sizes.",
    ),
    _metric(
        "precision",
        "Ranked it?",
        "unscored",
        _precision,
        "Gold share of chunks",
        "Gold chunks among those retrieved. With one gold chunk, five hits cannot exceed 0.2: read it with its "
        "ceiling, and do not compare it across chunk sizes.",
    ),
    _metric(
        "mrr",
        "Ranked it?",
        "zero",
        _mrr,
        "Reciprocal rank",
        "1 for a gold chunk at rank 1, 1/2 at rank 2, 1/3 at rank 3; later gold chunks do not matter.",
    ),
    _metric(
        "ndcg",
        "Ranked it?",
        "zero",
        _ndcg,
        "nDCG",
        "All gold chunks, each worth less the lower it stands, against the best order of all gold chunks there are.",
    ),
)
