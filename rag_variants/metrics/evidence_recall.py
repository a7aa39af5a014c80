"""Evidence recall: how much of the quoted evidence was retrieved."""

import math

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Place, Subject, Worked
from rag_variants.types import Score


def _evidence_recall(subject: Subject) -> Score:
    """Mean over groups of the covered share of the best alternative's characters, 0…1."""
    marked = subject.marked
    shares = {group: subject.gold.covered_share(group, marked.chunks) for group in subject.gold.groups}
    detail = {**marked.detail, "groups": {str(group): round(share, 9) for group, share in shares.items()}}
    return scored(sum(shares.values()) / len(shares), None, detail)


def _work_out(detail: Detail) -> Worked:
    shares = list(detail["groups"].values())
    written = " + ".join(f"{share:.2f}" for share in shares)
    numbers = f"({written}) / {len(shares)}" if len(shares) > 1 else f"{written} / 1"
    formula = "sum of the covered share of each piece of evidence / pieces"
    return Worked(formula, numbers, math.fsum(shares) / len(shares))


METRIC = make_metric(
    "evidence_recall",
    ("retrieval", "Found it?"),
    (
        "Evidence recall",
        "How much of the quoted evidence the retrieved chunks cover, in characters; half a quote counts half.",
        "It does not see order or noise.",
    ),
    _evidence_recall,
    Cases(frozenset({"evidence"}), "hits", nothing_retrieved="zero"),
    translations={
        "pl": (
            "pełność dowodów",
            "Jaką część cytowanych dowodów obejmują wyszukane fragmenty, liczone w znakach; pół cytatu liczy się "
            "jako pół.",
            "Nie widzi kolejności ani szumu.",
        ),
        "zh": (
            "证据召回率",
            "检索到的片段覆盖了多少作为证据的引文，按字符计算；覆盖一半就算一半。",
            "它看不到顺序，也看不到噪声。",
        ),
    },
    headline=Place("retrieval", 1),
    work_out=_work_out,
)
