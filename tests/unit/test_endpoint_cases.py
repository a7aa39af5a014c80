"""What people reported of tools like this one (cases H-04 to H-08), through the command line against a server.

H-07, the forms of an address, is in test_checks.py.
"""

import json
from collections.abc import Callable
from functools import partial

import pytest

from rag_variants.llm.declining import DECLINING
from tests.house import asked_about, data_of, of_answers, reply, schema_of
from tests.stub import Answer, Request, Stub, error, first, refusing

ANSWERER = "keyword:answerer=house:writer"
STATEMENTS = [f"Claim {at}." for at in range(6)]


# H-04: verdicts that are no verdicts.


def six_verdicts(verdicts: list[object]) -> Callable[[Request], str]:
    """Six claims in the one answer, a verdict each; `...` for one that is left out."""
    given = [
        {"statement": each, "reason": "r"} | ({} if verdict is ... else {"verdict": verdict})
        for each, verdict in zip(STATEMENTS, verdicts, strict=True)
    ]
    return partial(reply, StatementGeneratorOutput={"statements": STATEMENTS}, StatementVerdicts={"statements": given})


NO_VERDICTS: dict[str, list[object]] = {
    "no in words": ["false", "No", "0", "INCORRECT", "nie", "否"],
    "yes in words": ["true", "Yes", "1", "CORRECT", "tak", "是"],
    "false": [False] * 6,
    "true": [True] * 6,
    "one true among plain ones": [1, 1, 1, 1, 1, True],
    "null": [None] * 6,
    "left out": [...] * 6,
    "left out once": [1, 1, 1, 1, 1, ...],
    "another number": [1, 1, 1, 1, 1, 2],
}


@pytest.mark.parametrize("verdicts", NO_VERDICTS.values(), ids=NO_VERDICTS)
def test_h04_a_word_for_yes_or_no_is_no_score_and_what_was_said_is_kept(house, verdicts):
    """Neither set is guessed at, so no word for "no" counts as yes and no word for "yes" as a plain 0."""
    with Stub(six_verdicts(verdicts)) as stub:
        house.settle(stub)
        shown = house.run("run", ANSWERER)
    (score,) = shown.scores()
    assert shown.code == 3, "the one judgement of the run failed"
    assert score["value"] is None
    assert score["error"].startswith("the judge's reply is not readable: house:judge sent a reply")
    (raw,) = score["detail"]["replies"]
    assert [each.get("verdict", ...) for each in json.loads(raw["text"])["statements"]] == verdicts
    asked = [request for request in stub.requests if schema_of(request) == "StatementVerdicts"]
    assert len(asked) == 10


@pytest.mark.parametrize(
    "said", ["{}", '{"verdict": null}', '{"reason": "r"}', '{"reason": "r", "verdict": null}', "1"]
)
def test_h04_a_missing_verdict_is_never_a_pass(house, said):
    with Stub(partial(reply, UsefulnessVerdict=said)) as stub:
        house.settle(stub)
        (score,) = house.run("run", ANSWERER, metrics="context_precision").scores("context_precision")
    assert score["value"] is None
    assert score["error"].startswith("the judge's reply is not readable")
    assert score["detail"]["replies"] == [{"text": said}]


@pytest.mark.parametrize(("verdicts", "value"), [([0, 0, 0, 0, 0, 0], 0 / 6), ([1, 0, 1.0, 0.0, 0, 1], 3 / 6)])
def test_h04_the_numbers_0_and_1_are_verdicts_however_they_are_written(house, verdicts, value):
    with Stub(six_verdicts(verdicts)) as stub:
        house.settle(stub)
        (score,) = house.run("run", ANSWERER).scores()
    assert (score["value"], score["error"]) == (value, None)


# H-05: thinking, fences and small talk. The true verdict is 0 in all of them.

ZERO = '{"statements": [{"statement": "s", "reason": "r", "verdict": 0}]}'
ONE = ZERO.replace("0}", "1}")
AROUND = {
    "thinking, fence, small talk": (f"<think>perhaps {ONE}? No.</think>\n```json\n{ZERO}\n```\nHope it helps!", 0.0),
    "braces in the thinking": (f"<think>set {{a, b}}</think>{ZERO}", 0.0),
    "a fence": (f"```json\n{ZERO}\n```", 0.0),
    "small talk": (f"Sure: {ZERO}. Ask if {{anything}} is unclear.", 0.0),
    "thinking without an end": (f"<think> perhaps {ONE}\n{ZERO}", None),
}


@pytest.mark.parametrize(("said", "value"), AROUND.values(), ids=AROUND)
def test_h05_the_verdict_is_read_out_of_what_stands_around_it(house, said, value):
    with Stub(partial(reply, StatementVerdicts=said)) as stub:
        house.settle(stub)
        (score,) = house.run("run", ANSWERER).scores()
    assert score["value"] == value
    assert (score["error"] is None) is (value is not None)


@pytest.mark.parametrize("around", ["<think>Is it {a} or q9?</think>\n\n{}", "Is it q9?\n</think>\n{}"])
def test_h05_an_answer_starts_after_its_thinking_and_is_judged_without_it(house, around):
    words = around.replace("{a}", "{{a}}").replace("{}", "The stay is 3 days [1].")
    with Stub(partial(reply, answer=words)) as stub:
        house.settle(stub)
        shown = house.run("run", ANSWERER, metrics="faithfulness,answer_relevancy")
    (row,) = shown.document["rows"]
    assert row["a"]["answer"] == "The stay is 3 days [1]."
    assert row["a"]["scores"]["faithfulness"]["value"] == 1.0
    judged = [request for request in stub.requests if schema_of(request) is not None]
    assert len(judged) == 2 + 3
    assert not [request for request in judged if "think>" in request.prompt or "q9" in request.prompt]


def test_h05_a_declining_after_thinking_is_a_declining(house):
    with Stub(partial(reply, answer=f"<think>Nothing there.</think>{DECLINING['en']}")) as stub:
        house.settle(stub)
        shown = house.run("run", ANSWERER)
    assert shown.document["rows"][0]["a"]["declined"] is True
    assert len(stub.requests) == 1, "there is nothing to judge"


# H-06: three errors that look alike, for the second of twenty questions.


def answering_q02(answer: Answer) -> Callable[[Request], Answer | None]:
    return lambda request: answer if asked_about(request) == "q02" else None


def test_h06_a_rate_limit_waits_as_long_as_it_was_told_and_costs_nothing(house):
    at: list[float] = []
    once = first(1, error(429, "rate_limit_exceeded", retry_after="2"))

    def fault(request: Request) -> Answer | None:
        if asked_about(request) != "q02":
            return None
        at.append(house.clock.now())
        return once(request)

    with Stub(reply, faults=(fault,)) as stub:
        house.settle(stub)
        shown = house.run("run", ANSWERER, questions=20)
    assert [score["value"] for score in shown.scores()] == [1.0] * 20
    assert len(of_answers(stub.requests)) == 20 + 1
    begun, again = at
    assert again - begun >= 2
    assert shown.document["complete"] is True


def test_h06_no_credit_ends_the_run_says_so_and_keeps_what_was_done(house):
    with Stub(reply, faults=(answering_q02(error(429, "insufficient_quota")),)) as stub:
        house.settle(stub, concurrency=1)
        shown = house.run("run", ANSWERER, questions=20)
    assert shown.code == 130, "calls were paid for: it had started"
    assert "The account of house has no credit left (HTTP 429). Top it up." in shown.err
    assert "No question was finished; " in shown.err
    assert of_answers(stub.requests).count("q02") == 1
    assert len(stub.requests) <= 20
    assert house.clock.slept == []


def test_h06_no_credit_after_some_rows_keeps_them(house):
    def fault(request: Request) -> Answer | None:
        judged = schema_of(request) is not None and "q05" in request.prompt
        return error(429, "insufficient_quota") if judged else None

    with Stub(reply, faults=(fault,)) as stub:
        house.settle(stub, concurrency=1)
        shown = house.run("run", ANSWERER, questions=20)
    assert shown.code == 130
    assert {score["value"] for score in shown.scores()} == {1.0}
    assert "q05" not in {row["id"] for row in shown.document["rows"]}
    assert shown.document["complete"] is False
    assert shown.document["notes"] == ["The account of house has no credit left (HTTP 429). Top it up."]


@pytest.mark.parametrize("code", ["content_filter", "content_policy_violation"])
def test_h06_a_filtered_prompt_is_asked_once_and_costs_its_row_alone(house, code):
    with Stub(reply, faults=(answering_q02(error(400, code)),)) as stub:
        house.settle(stub)
        shown = house.run("run", ANSWERER, questions=20)
    assert of_answers(stub.requests).count("q02") == 1
    values = [score["value"] for score in shown.scores()]
    assert values == [1.0, None] + [1.0] * 18
    assert "Blocked by the filter of house (HTTP 400)" in shown.scores()[1]["error"]
    assert shown.code == 0


# H-08: a judge that refuses parameters; its name, an alias, says nothing.


def test_h08_refused_parameters_are_learned_once_and_the_run_says_what_was_sent(house):
    faults = (refusing("temperature", "unsupported_value"), refusing("max_tokens"), refusing("n"))
    with Stub(reply, faults=faults) as stub:
        house.settle(stub, max_tokens=500)
        pair = ("compare", "keyword", "keyword:top_k=1")
        shown = house.run(*pair, questions=20, metrics="core", judge="house:judge-prod")
    assert shown.code == 0
    for side in ("a", "b"):
        assert {score["value"] for score in shown.scores("context_recall", side)} == {1.0}
    refused = [request for request in stub.requests if {"temperature", "max_tokens", "n"} & request.body.keys()]
    assert len(refused) == 2
    sent = {"model", "messages", "response_format", "max_completion_tokens"}
    assert {frozenset(request.body) for request in stub.requests if request not in refused} == {frozenset(sent)}
    assert {request.body["model"] for request in stub.requests} == {"judge-prod"}
    notes = [
        "judge house:judge-prod: the server refused temperature; sent without it",
        "judge house:judge-prod: the server refused max_tokens; sent max_completion_tokens",
    ]
    *said, near = shown.document["warnings"]
    assert said == notes
    assert near.startswith("Near-copies, ")  # the questions differ in a number alone
    assert shown.document["judge"]["settings"]["model"] == "judge-prod"


def test_h08_one_model_that_answers_and_judges_is_refused_as_seldom(house):
    faults = (refusing("temperature", "unsupported_value"), refusing("max_tokens"))
    with Stub(reply, faults=faults) as stub:
        house.settle(stub, max_tokens=500)
        shown = house.run("run", "keyword:answerer=house:all", questions=20, metrics="core", judge="house:all")
        again = house.run("run", "keyword:answerer=house:all", questions=20, metrics="core", judge="house:all")
    refused = [request for request in stub.requests if {"temperature", "max_tokens"} & request.body.keys()]
    assert len(refused) == 2
    assert again.document["notes"] == shown.document["notes"], "kept replies still say what was sent"
    assert {note.partition(": ")[0] for note in shown.document["notes"]} == {"house:all", "judge house:all"}


def test_h08_a_parameter_that_cannot_be_left_out_is_named_with_the_setting(house):
    with Stub(reply, faults=(lambda request: error(400, "unsupported_parameter", param="messages"),)) as stub:
        house.settle(stub)
        shown = house.run("run", "keyword", questions=3, metrics="context_recall")
    assert len(stub.requests) == 3
    for score in shown.scores("context_recall"):
        assert "house refused the call (HTTP 400, unsupported_parameter, stub, messages). Check" in score["error"]


def test_the_prompts_of_the_judge_are_read_by_these_tests():
    """What the server of these tests finds in a prompt is what ragas put there."""
    text = 'Example\ninput: {"answer": "A."}\nOutput: x\nNow:\ninput: {"answer": "B."}\nOutput: '
    assert data_of(Request("", {"messages": [{"role": "user", "content": text}]}, {}, 0.0)) == {"answer": "B."}


def test_what_ends_a_comparison_is_said_once(house):
    def fault(request: Request) -> Answer | None:
        judged = schema_of(request) is not None and "q05" in request.prompt
        return error(429, "insufficient_quota") if judged else None

    with Stub(reply, faults=(fault,)) as stub:
        house.settle(stub, concurrency=1)
        shown = house.run("compare", ANSWERER, f"{ANSWERER},top_k=1", questions=20)
    sentence, stopped = shown.document["warnings"][:2]
    assert sentence == "The account of house has no credit left (HTTP 429). Top it up."
    assert stopped.startswith("Stopped early: ")
