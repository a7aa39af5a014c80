"""All evidence: has every piece that the answer needs a gold chunk?"""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Subject, Worked
from rag_variants.types import Score


def _all_evidence(subject: Subject) -> Score:
    """1 if every group has a gold hit, else 0."""
    marked = subject.marked
    found = {group for groups in marked.groups for group in groups}
    absent = [group for group in subject.gold.groups if group not in found]
    return scored(float(not absent), marked.reason, {**marked.detail, "groups_without_gold": absent})


def _work_out(detail: Detail) -> Worked:
    absent = len(detail["groups_without_gold"])
    formula = "1 if no piece of evidence is without a gold chunk, else 0"
    return Worked(formula, f"{absent} without one", float(not absent), is_sum=False)


METRIC = make_metric(
    "all_evidence",
    ("retrieval", "Found it?"),
    (
        "All evidence",
        "1 if every piece of evidence that the answer needs has a chunk, else 0: the test for questions that need "
        "several places.",
        "It does not see how close it came.",
    ),
    _all_evidence,
    Cases(frozenset({"evidence"}), "hits", nothing_retrieved="zero"),
    translations={
        "pl": (
            "komplet dowodów",
            "1, jeśli każdy potrzebny dowód ma swój fragment, inaczej 0: sprawdzian dla pytań, które wymagają kilku "
            "miejsc.",
            "Nie widzi, jak niewiele zabrakło.",
        ),
        "zh": (
            "证据齐全率",
            "答案所需的每一处证据都有片段涵盖时为 1，否则为 0：专门检验需要多处材料的问题。",
            "它看不到差了多少。",
        ),
    },
    work_out=_work_out,
)
