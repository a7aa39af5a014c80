"""Key facts: how many of the expected facts stand in the answer."""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.facts import holds, language_of
from rag_variants.metrics.metric import Detail, Place, Subject, Worked
from rag_variants.types import Answer, Score


def _key_facts(subject: Subject) -> Score:
    """Facts found in the answer ÷ facts expected, 0…1; any alternative of a fact counts."""
    question, text = subject.record.question, (subject.record.answer or Answer("")).text
    language = language_of(text, question)
    facts = [
        {
            "alternatives": list(alternatives),
            "found": next((each for each in alternatives if holds(text, each, language)), None),
        }
        for alternatives in question.answer_keys
        if alternatives
    ]
    found = sum(1 for fact in facts if fact["found"] is not None)
    return scored(found / len(facts), None, {"facts": facts})


def _work_out(detail: Detail) -> Worked:
    found, facts = sum(each["found"] is not None for each in detail["facts"]), len(detail["facts"])
    return Worked("facts found / facts expected", f"{found} / {facts}", found / facts)


METRIC = make_metric(
    "key_facts",
    ("answer", "Answered it?"),
    (
        "Key facts",
        "The share of expected facts (numbers, dates, names) that stand in the answer, however they are written.",
        "It does not see what else the answer says.",
    ),
    _key_facts,
    Cases(frozenset({"keys", "answer"}), "answer", declined="zero"),
    translations={
        "pl": (
            "kluczowe fakty",
            "Jaka część oczekiwanych faktów (liczb, dat, nazw) jest w odpowiedzi, niezależnie od zapisu.",
            "Nie widzi, co jeszcze mówi odpowiedź.",
        ),
        "zh": (
            "关键事实",
            "预期的事实（数字、日期、名称）有多少出现在答案里，写法不同也算。",
            "它看不到答案还说了别的什么。",
        ),
    },
    headline=Place("answers", 1),
    work_out=_work_out,
)
