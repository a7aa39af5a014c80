"""A judge's reply is held to what it was asked: first the rule, then what becomes of a reply that breaks it."""

from collections.abc import Mapping
from typing import Any

import pytest

from rag_variants.judges.chat import ChatJudge
from rag_variants.judges.held import find_fault
from rag_variants.judges.ragas_llm import (
    AnswerRelevanceInput,
    AnswerRelevanceOutput,
    ClaimDecompositionInput,
    ClaimDecompositionOutput,
    ContextRecallInput,
    ContextRecallOutput,
    NLIStatementInput,
    NLIStatementOutput,
)
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.metrics import METRICS
from rag_variants.types import Score
from tests.house import data_of, reply, schema_of
from tests.making import WordVectors
from tests.scripted import make_subject, score
from tests.scripted_chat import Asked, ScriptedChat
from tests.stub import Request, Stub

ASKED = {
    "en": ["The fee is 20 euros.", "The desk opens at nine.", "Keys are returned by hand."],
    "pl": ["Opłata wynosi 20 zł.", "Recepcja działa od dziewiątej.", "Klucze oddaje się osobiście."],
    "zh": ["费用为20元。", "前台九点开门。", "钥匙须当面归还。"],
}


def verdicts_on(statements: list[str]) -> NLIStatementOutput:
    return NLIStatementOutput.model_validate(
        {"statements": [{"statement": each, "reason": "r", "verdict": 1} for each in statements]}
    )


def fault(asked: list[str], given: list[str]) -> str | None:
    return find_fault(NLIStatementInput(context="c", statements=asked), verdicts_on(given))


@pytest.mark.parametrize("language", ASKED)
def test_every_statement_needs_its_one_verdict(language):
    one, two, three = asked = ASKED[language]
    assert fault(asked, asked) is None
    assert fault(asked, [three, one, two]) is None, "the order says nothing"
    assert fault(asked, [f"1. {one}", f'"{two}"', three.strip(".。").upper()]) is None, "nor do marks, quotes and case"
    assert fault(asked, [one, two]) == "2 verdicts for 3 statements"
    assert fault(asked, [*asked, "Dogs bark."]) == "4 verdicts for 3 statements"
    assert fault(asked, [one, one, three]) == "1 of 3 statements judged more than once, others not at all"
    assert fault(asked, [one, two, "Dogs bark loudly."]) == "verdicts on 1 statements that were not asked for, of 3"
    assert fault(asked, []) == "0 verdicts for 3 statements"


@pytest.mark.parametrize(
    ("asked", "given", "fits"),
    [
        ("The big desk opens every day at nine o'clock.", "The big desk opens each day at nine o'clock.", True),
        ("The fee is 20 euros.", "The fee is 30 euros.", False),
        ("The desk opens on Monday morning.", "The desk never opens on Monday morning.", False),
        ("Recepcja działa w każdy poniedziałek rano.", "Recepcja nie działa w każdy poniedziałek rano.", False),
        ("前台星期一上午九点准时开门。", "前台星期一上午九点不准时开门。", False),
    ],
)
def test_a_slip_of_the_pen_is_no_other_statement_but_a_number_or_a_negation_is(asked, given, fits):
    assert (fault([asked, "Cats purr."], [given, "Cats purr."]) is None) == fits


def test_equal_statements_need_a_verdict_each():
    assert fault(["Same.", "Same.", "Other."], ["Same.", "Other.", "Same."]) is None
    assert fault(["Same.", "Same.", "Other."], ["Same.", "Other.", "Other."]) is not None


def parts(reference: str, given: list[str], question: str = "What holds?") -> str | None:
    asked = ContextRecallInput(question=question, context="c", answer=reference)
    classified = [{"statement": each, "reason": "r", "attributed": 1} for each in given]
    return find_fault(asked, ContextRecallOutput.model_validate({"classifications": classified}))


COVERING = {
    "as it stands": ("Breakfast is from 7. Dogs cost 8 euros.", ["Breakfast is from 7.", "Dogs cost 8 euros."]),
    "whole": ("Breakfast is from 7 to 10. Dogs cost 8 euros.", ["Breakfast is from 7 to 10. Dogs cost 8 euros."]),
    "it named": ("The stay is short. It lasts 30 days.", ["The stay is short.", "The stay lasts 30 days."]),
    "one in two": ("The tower opens at nine and costs 5 euros.", ["It opens at nine.", "The tower costs 5 euros."]),
    "yes left out": ("Yes. The fee is refunded in May.", ["The fee is refunded in May."]),
    "thousands": ("The rent is 1,240 euros a month.", ["The rent is 1240 euros a month."]),
    "Polish endings": ("Kaucja wynosi 450 zł. Zwrot w maju.", ["Kaucja wynosi 450 złotych.", "Kaucję: zwrot w maju."]),
    "Chinese": ("押金为450元。退房后三十天内退还。", ["押金是450元。", "押金在退房后三十天内退还。"]),
    "a word": ("Paris", ["Paris"]),
}  # fmt: skip


@pytest.mark.parametrize(("reference", "given"), COVERING.values(), ids=COVERING)
def test_statements_that_cover_the_reference_are_taken(reference, given):
    assert parts(reference, given) is None


UNCOVERED = {
    "a sentence": ("Breakfast is from seven. Dogs cost more.", ["Breakfast is from seven."], "1 of 2 sentences"),
    "one of two alike": (
        "Up to six people may stay in the hut. In winter only four people may stay in the hut.",
        ["Up to six people may stay in the hut."],
        "1 of 2 sentences",
    ),
    "a clause": ("The tower opens at nine, costs five euros, has a café.", ["The tower opens at nine."], "1 of 1"),
    "a number": ("Bring 450 euros, 30 prints, 2 keys.", ["Bring 450 euros, 30 prints, keys."], "1 of the numbers"),
    "Polish": ("Kaucja wynosi dużo. Psy nocują w stajni.", ["Psy nocują w stajni."], "1 of 2 sentences"),
    "Chinese": ("押金为四百元。退房后三十天内退还。", ["押金为四百元。"], "1 of 2 sentences"),
    "all": ("Breakfast is from seven.", [], "not taken apart"),
    "twice": ("Breakfast is from seven.", ["Breakfast is from seven.", "breakfast is from  seven"], "twice"),
    "added": ("Breakfast is from seven.", ["Breakfast is from seven.", "Dogs cost more in summer."], "does not stand"),
    "translated": ("Śniadanie podaje się od siódmej.", ["Breakfast is served from seven."], "1 of 1 sentences"),
}  # fmt: skip


@pytest.mark.parametrize(("reference", "given", "words"), UNCOVERED.values(), ids=UNCOVERED)
def test_statements_that_leave_out_or_add_something_are_not(reference, given, words):
    found = parts(reference, given)
    assert found is not None and words in found


def test_a_pronoun_may_be_named_out_of_the_question():
    assert (
        parts("Thirty days.", ["The cancellation period is thirty days."], "How long is the cancellation period?")
        is None
    )


def test_a_question_that_is_none_is_no_reading():
    asked = AnswerRelevanceInput(response="It opens at nine.")
    assert find_fault(asked, AnswerRelevanceOutput(question=" ", noncommittal=0)) is not None
    assert find_fault(asked, AnswerRelevanceOutput(question="When does it open?", noncommittal=0)) is None


@pytest.mark.parametrize("claims", [[], ["It opens at nine.", " "]])
def test_a_text_has_claims(claims):
    asked = ClaimDecompositionInput(response="It opens at nine.")
    assert find_fault(asked, ClaimDecompositionOutput(claims=claims)) is not None
    assert find_fault(asked, ClaimDecompositionOutput(claims=["It opens at nine."])) is None


# What becomes of such a reply: asked for once more, then a score that failed.

ANSWER = " ".join(ASKED["en"])
FULL = {"statements": [{"statement": each, "reason": "r", "verdict": 1} for each in ASKED["en"]]}
RECALL = {"classifications": [{"statement": each, "reason": "r", "attributed": 1} for each in ASKED["en"]]}


def cut_short(whole: Mapping[str, list[Any]]) -> dict[str, list[Any]]:
    return {name: items[1:] for name, items in whole.items()}


def judge_by(replies: Mapping[str, list[Mapping[str, Any]]], name: str) -> tuple[Score, ScriptedChat]:
    """Replies by schema, in turn; the last one for ever."""
    left = {schema: list(given) for schema, given in replies.items()}

    def script(call: Asked) -> Mapping[str, Any]:
        assert call.schema is not None
        given = left[call.schema.__name__]
        return given.pop(0) if len(given) > 1 else given[0]

    chat = ScriptedChat(script)
    judge = ChatJudge(chat, CachedEmbeddings(WordVectors(), None, None), None)
    subject = make_subject("A chunk.", answer=ANSWER, reference=ANSWER, judge=judge)  # type: ignore[arg-type]
    return score(METRICS[name], subject), chat


STATED, CLAIMED = {"statements": ASKED["en"]}, {"claims": ASKED["en"]}
HELD: dict[str, tuple[str, Mapping[str, Any], Mapping[str, list[Mapping[str, Any]]]]] = {
    "faithfulness": ("StatementVerdicts", FULL, {"StatementGeneratorOutput": [STATED]}),
    "context_recall": ("AttributionVerdicts", RECALL, {}),
    "factual_correctness": ("ClaimVerdicts", FULL, {"ClaimDecompositionOutput": [CLAIMED]}),
}


@pytest.mark.parametrize("name", HELD)
def test_a_reply_that_left_something_out_is_asked_for_once_more(name):
    schema, whole, before = HELD[name]
    made, chat = judge_by({**before, schema: [cut_short(whole), whole]}, name)
    assert (made.value, made.error) == (1.0, None)
    plain = judge_by({**before, schema: [whole]}, name)[1]
    assert len(chat.calls) == len(plain.calls) + 1


@pytest.mark.parametrize("name", HELD)
def test_after_the_second_the_score_has_failed_with_the_reason(name):
    schema, whole, before = HELD[name]
    made, _ = judge_by({**before, schema: [cut_short(whole)]}, name)
    assert made.value is None
    assert made.error is not None and "replied twice beside the question: " in made.error
    assert made.error.endswith("Choose another judge.")
    assert made.detail is not None and made.detail["replies"], "what was said can be read"
    assert "desk" not in made.error, "and is quoted in no sentence"


def test_a_bad_reply_is_not_kept_and_a_good_one_is(house):
    """Faithfulness: 1 answer, 1 list of statements, 2 lists of verdicts; the run after it makes no call."""
    said = {"StatementGeneratorOutput": {"statements": ASKED["en"]}}
    lists: list[int] = []

    def script(request: Request) -> str:
        if schema_of(request) == "StatementVerdicts":
            lists.append(1)
            return reply(request, StatementVerdicts=cut_short(FULL) if len(lists) == 1 else FULL)
        return reply(request, **said)

    with Stub(script) as stub:
        house.settle(stub)
        (first,) = house.run("run", "keyword:answerer=house:writer").scores()
        assert (first["value"], len(stub.requests)) == (1.0, 4)
        (again,) = house.run("run", "keyword:answerer=house:writer").scores()
        assert (again["value"], len(stub.requests)) == (1.0, 4)


def test_a_reply_that_stays_bad_is_asked_for_anew_by_the_next_run(house):
    bad = {"StatementGeneratorOutput": {"statements": ASKED["en"]}, "StatementVerdicts": cut_short(FULL)}
    with Stub(lambda request: reply(request, **bad)) as stub:
        house.settle(stub)
        counts = []
        for _ in range(2):
            (score_,) = house.run("run", "keyword:answerer=house:writer").scores()
            assert score_["value"] is None
            assert "2 verdicts for 3 statements" in score_["error"]
            counts.append(len(stub.requests))
    assert counts == [1 + 1 + 2, 4 + 2]


def test_what_the_server_is_sent_names_the_reference_whole(house):
    """Two sides ask one judge the same: one call, which serves both."""
    with Stub(reply) as stub:
        house.settle(stub)
        shown = house.run("compare", "keyword", "keyword:top_k=4", metrics="context_recall")
    asked = [data_of(request)["answer"] for request in stub.requests]
    assert set(asked) == {"The stay is 3 days."}
    assert {score["value"] for side in ("a", "b") for score in shown.scores("context_recall", side)} == {1.0}
