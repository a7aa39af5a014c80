"""Avoids errors: is the answer free of what is known to be wrong?"""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.facts import holds, language_of
from rag_variants.metrics.metric import Detail, Subject, Worked
from rag_variants.types import Answer, Score


def _avoids(subject: Subject) -> Score:
    """1 if no forbidden string stands in the answer, else 0."""
    question, answer = subject.record.question, subject.record.answer or Answer("")
    language = language_of(answer.text, question)
    found = [each for each in question.avoid if holds(answer.text, each, language)]
    reason = "the answer declined" if answer.declined else None
    return scored(float(not found), reason, {"avoid": list(question.avoid), "found": found})


def _work_out(detail: Detail) -> Worked:
    found = len(detail["found"])
    formula = "1 if nothing forbidden stands in the answer, else 0"
    return Worked(formula, f"{found} found in it", float(not found), is_sum=False)


METRIC = make_metric(
    "avoids",
    ("answer", "Answered it?"),
    (
        "Avoids errors",
        "1 if nothing known to be wrong stands in the answer, such as an old version's figure; 0 if it does, even as "
        "a mention.",
        "A declined answer avoids everything.",
    ),
    _avoids,
    Cases(frozenset({"avoid", "answer"}), "answer"),
    translations={
        "pl": (
            "brak znanych błędów",
            "1, jeśli w odpowiedzi nie ma niczego znanego jako błędne, np. liczby ze starej wersji; 0, jeśli jest, "
            "choćby wspomniane.",
            "Odmowa unika wszystkiego.",
        ),
        "zh": (
            "避免已知错误",
            "答案里没有任何已知的错误内容（例如旧版本的数字）时为 1；只要出现，哪怕只是提到，就是 0。",
            "拒答则一概避开。",
        ),
    },
    work_out=_work_out,
)
