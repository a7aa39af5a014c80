"""Abstention: did it decline exactly where the documents hold no answer?"""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Subject, Worked
from rag_variants.types import Answer, Score


def _abstention(subject: Subject) -> Score:
    """1 if the answer declined and should, or did not and should not; else 0."""
    should, did = not subject.record.question.answerable, (subject.record.answer or Answer("")).declined
    reason = {
        (True, True): "declined, as it should",
        (True, False): "answered a question that has no answer in the documents",
        (False, True): "declined a question that the documents answer",
        (False, False): "answered, as it should",
    }[should, did]
    return scored(float(should == did), reason, {"answerable": not should, "declined": did})


def _work_out(detail: Detail) -> Worked:
    should, did = not detail["answerable"], detail["declined"]
    numbers = f"{'' if should else 'no '}decline due, {'declined' if did else 'answered'}"
    return Worked("1 if it declined exactly when that was due, else 0", numbers, float(should == did), is_sum=False)


METRIC = make_metric(
    "abstention",
    ("answer", "Answered it?"),
    (
        "Abstention",
        "1 if it declined exactly when the documents hold no answer.",
        "Read the two rates: declining everything is right on all questions without an answer.",
    ),
    _abstention,
    Cases(frozenset({"answerable", "answer"}), "answer", unanswerable=True),
    translations={
        "pl": (
            "trafne odmowy",
            "1, jeśli odmówiono dokładnie wtedy, gdy dokumenty nie zawierają odpowiedzi.",
            "Patrz na oba odsetki błędów: ciągłe odmowy też miewają rację.",
        ),
        "zh": (
            "拒答得当",
            "文档里没有答案就拒答、有答案就作答，则为 1，否则为 0。",
            "两种错误率要分开看：一律拒答，在没有答案的问题上也总是对的。",
        ),
    },
    work_out=_work_out,
)
