import asyncio
import gc
import logging
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Literal

import pytest
from pydantic import BaseModel, SecretStr

from rag_variants.errors import CallError, StateError
from rag_variants.llm.cached_replies import open_cached_replies
from rag_variants.llm.chat import Message
from rag_variants.llm.dispatcher import FIRST_REACHES, Dispatcher
from rag_variants.llm.endpoint import make_endpoint
from rag_variants.llm.endpoint_chat import Desk, EndpointChat
from rag_variants.llm.opening import open_chat
from rag_variants.llm.waiting import wait_for
from rag_variants.settings import EndpointSettings, Settings
from tests.stub import Answer, Stub, completion, error, first, refusing, streamed
from tests.unit.llm.conftest import KEY, say

ROOT = Path(__file__).parents[3]


class Verdict(BaseModel):
    verdict: Literal[0, 1]


def ask_all(model, prompts, **how):
    async def ask():
        return await asyncio.gather(*(model.ask(say(each), **how) for each in prompts), return_exceptions=True)

    return asyncio.run(ask())


def ask(model, prompt="Is it?", **how):
    return asyncio.run(model.ask(say(prompt), **how))


def test_a_reply_says_what_it_took(connect):
    with Stub(lambda request: "It is so.") as stub:
        reply = ask(connect(stub.url))
    assert (reply.text, reply.prompt_tokens, reply.completion_tokens, reply.reused) == ("It is so.", 7, 3, False)
    assert reply.seconds > 0
    assert stub.requests[0].body == {
        "model": "judge-prod",
        "messages": [{"role": "user", "content": "Is it?"}],
        "temperature": 0.0,
    }


# What is asked again, and what is not.


def test_a_rate_limit_waits_as_long_as_the_server_asks(connect, clock):
    with Stub(faults=(first(1, error(429, "rate_limit_exceeded", retry_after="2")),)) as stub:
        assert ask(connect(stub.url)).text == "ok"
    assert len(stub.requests) == 2
    assert clock.slept == [2.0]


def test_a_rate_limit_may_name_a_date(connect, clock):
    # The clock stands at 1,800,001,000, which is 15 January 2027, 08:16:40; the date is 20 s later.
    header = "Fri, 15 Jan 2027 08:17:00 GMT"
    with Stub(faults=(first(1, error(429, retry_after=header)),)) as stub:
        ask(connect(stub.url))
    assert clock.slept == [20.0]


def test_one_rate_limit_holds_back_all_calls(connect, clock):
    limited = first(3, error(429, retry_after="7"))
    with Stub(faults=(limited,)) as stub:
        replies = ask_all(connect(stub.url, concurrency=3), [f"q{at}" for at in range(12)])
    assert [reply.text for reply in replies] == ["ok"] * 12
    assert len(stub.requests) == 12 + 3
    assert clock.seconds == 1000 + 3 * 7  # one call at a time until the first answer: three pauses in turn


def test_a_rate_limit_of_an_hour_is_not_waited_for(connect, clock):
    with Stub(faults=(first(99, error(429, retry_after="3600")),)) as stub, pytest.raises(CallError) as caught:
        ask(connect(stub.url))
    assert (caught.value.kind, caught.value.stops, len(stub.requests), clock.slept) == ("rate", False, 1, [])


PASSING = {
    "500": (error(500), "server"),
    "503 of a proxy": (Answer(503, raw=b"<html>busy</html>", headers={"content-type": "text/html"}), "server"),
    "dropped": (Answer(drop=True), "dropped"),
    "no JSON": (Answer(raw=b'{"choices": [{"mess'), "unreadable"),
    "no object": (Answer(raw=b"[]"), "unreadable"),
    "an error inside": (Answer(body={"error": {"code": 502, "message": "upstream"}}), "server"),
    "no choice": (Answer(body={"choices": []}), "empty"),
    "no text": (completion(None), "empty"),
    "thinking alone": (completion("<think>hm"), "empty"),
    "a broken stream": (streamed("It is", finish=None), "dropped"),
}


@pytest.mark.parametrize(("answer", "kind"), PASSING.values(), ids=PASSING)
def test_what_can_pass_is_asked_ten_times(connect, clock, answer, kind):
    with Stub(faults=(first(9, answer),)) as stub:
        assert ask(connect(stub.url)).text == "ok"
    assert len(stub.requests) == 10
    waits = [min(20.0, 0.5 * 2**at) for at in range(9)]
    assert all(wait / 2 <= slept <= wait for wait, slept in zip(waits, clock.slept, strict=True))
    with Stub(faults=(first(10, answer),)) as stub, pytest.raises(CallError) as caught:
        ask(connect(stub.url), "another")
    assert (caught.value.kind, caught.value.stops, len(stub.requests)) == (kind, False, 10)


LASTING = {
    "no credit": (error(429, "insufficient_quota"), "credit"),
    "no credit, 402": (error(402), "credit"),
    "bad key": (error(401, "invalid_api_key", f"Incorrect API key provided: {KEY}"), "key"),
    "forbidden": (error(403), "key"),
    "filter": (error(400, "content_filter"), "filtered"),
    "filtered reply": (completion("", finish="content_filter"), "filtered"),
    "no such model": (error(404, "model_not_found", "The model does not exist"), "model"),
    "no such path": (Answer(404, raw=b"404 page not found"), "url"),
    "a web page": (Answer(raw=b"<!doctype html><p>Sign in", headers={"content-type": "text/html"}), "url"),
    "cut reply": (completion("It is", finish="length"), "cut"),
    "long prompt": (error(400, "context_length_exceeded", "maximum context length is 8192 tokens"), "cut"),
    "another 400": (error(400, "invalid_request_error"), "server"),
}


@pytest.mark.parametrize(("answer", "kind"), LASTING.values(), ids=LASTING)
def test_what_cannot_pass_is_asked_once(connect, clock, answer, kind):
    with Stub(faults=(first(99, answer),)) as stub, pytest.raises(CallError) as caught:
        ask(connect(stub.url))
    assert (caught.value.kind, len(stub.requests), clock.slept) == (kind, 1, [])
    assert caught.value.stops == (kind in {"key", "credit", "model", "url"})


def test_a_hanging_server_is_left_after_the_timeout(connect):
    with Stub(faults=(first(2, Answer(hang=60)),)) as stub, pytest.raises(CallError, match=r"within 0\.2 s") as caught:
        ask(connect(stub.url, timeout=0.2, attempts=2))
    assert (caught.value.kind, len(stub.requests)) == ("timeout", 2)


def test_a_stopped_server_is_named(connect):
    with Stub() as stub:
        pass
    with pytest.raises(CallError, match=f"127.0.0.1:{stub.port}/v1 cannot be reached") as caught:
        ask(connect(stub.url))
    assert caught.value.kind == "network"


def test_a_server_that_never_replied_is_given_up_soon_and_ends_the_run(connect, clock):
    with Stub() as stub:
        pass
    [found] = ask_all(connect(stub.url), ["q1"])
    assert isinstance(found, CallError) and (found.kind, found.stops) == ("network", True)
    assert len(clock.slept) == FIRST_REACHES - 1


def test_after_one_call_in_vain_others_do_not_wait_as_long(connect, clock):
    with Stub() as stub:
        model = connect(stub.url, concurrency=1)
        ask_all(model, ["q0"])
    ask_all(model, ["q1"])
    slept = len(clock.slept)
    assert slept == 9
    assert all(isinstance(each, CallError) for each in ask_all(model, ["q2", "q3"]))
    assert len(clock.slept) == slept


def test_no_credit_stops_the_calls_that_wait(connect):
    with Stub(faults=(lambda request: error(429, "insufficient_quota") if request.prompt == "q2" else None,)) as stub:
        found = ask_all(connect(stub.url, concurrency=1), [f"q{at}" for at in range(1, 21)])
    kinds = [each.kind if isinstance(each, CallError) else each.text for each in found]
    assert kinds == ["ok"] + ["credit"] * 19
    assert len(stub.requests) == 2


def test_a_filtered_prompt_takes_no_other_down(connect):
    with Stub(faults=(lambda request: error(400, "content_filter") if request.prompt == "q2" else None,)) as stub:
        found = ask_all(connect(stub.url), [f"q{at}" for at in range(1, 21)])
    assert [each for each in found if isinstance(each, CallError)] == [found[1]]
    assert len(stub.requests) == 20


def test_calls_of_a_kind_that_was_answered_do_not_wait_for_the_first_of_another(connect):
    """A text first, alone; then the first structured reply, which hangs until four more texts have come."""
    others = threading.Event()

    def reply(request):
        if "response_format" in request.body:
            assert others.wait(10)
            return '{"verdict": 1}'
        if sum("response_format" not in each.body for each in stub.requests) == 5:
            others.set()
        return "ok"

    async def ask_both(model):
        texts = [model.ask(say(f"q{at}")) for at in range(5)]
        verdicts = [model.ask(say(f"v{at}"), schema=Verdict) for at in range(3)]
        return await asyncio.gather(texts[0], *verdicts, *texts[1:])

    with Stub(reply) as stub:
        found = asyncio.run(ask_both(connect(stub.url)))
    assert [each.text for each in found if each.parsed is None] == ["ok"] * 5
    forms = ["response_format" in request.body for request in stub.requests]
    assert forms[0] is False
    assert forms.index(True) < 5 and sum(forms[:6]) == 1  # no other verdict before the first one came


def test_a_model_that_nobody_has_any_more_leaves_no_connection_open(connect):
    with Stub() as stub:
        model = connect(stub.url)
        ask(model)
        assert len(stub.connections) == 1
        del model
        gc.collect()
        for _ in range(1000):
            if not stub.connections:
                break
            wait_for(asyncio.sleep(0.01))
        assert not stub.connections


# Parameters that a server refuses.


@pytest.mark.parametrize("param", [True, False], ids=["named", "in words"])
def test_refused_parameters_are_left_out_once_for_all_calls(connect, param):
    faults = (refusing("temperature", "unsupported_value", param), refusing("max_tokens", param=param))
    with Stub(faults=faults) as stub:
        replies = ask_all(connect(stub.url, max_tokens=50), [f"q{at}" for at in range(20)])
    assert len(stub.requests) == 20 + 2
    assert stub.requests[-1].body.keys() == {"model", "messages", "max_completion_tokens"}
    assert {reply.notes for reply in replies} == {
        (
            "the server refused temperature; sent without it",
            "the server refused max_tokens; sent max_completion_tokens",
        )
    }


def test_a_schema_is_asked_for_in_the_form_that_the_server_takes(connect):
    def only_plain(request):
        return error(400, None, "'response_format' is not supported") if "response_format" in request.body else None

    with Stub(lambda request: '{"verdict": 1}', faults=(only_plain,)) as stub:
        replies = ask_all(connect(stub.url), [f"q{at}" for at in range(5)], schema=Verdict)
    assert [reply.parsed for reply in replies] == [Verdict(verdict=1)] * 5
    forms = [request.body.get("response_format", {}).get("type") for request in stub.requests]
    assert forms == ["json_schema", "json_object"] + [None] * 5
    assert '"verdict"' in stub.requests[-1].prompt
    assert '"verdict"' not in stub.requests[0].prompt
    assert len(replies[0].notes) == 2


def test_a_refusal_that_names_nothing_we_sent_is_final(connect):
    with Stub(faults=(first(9, error(400, "unsupported_parameter", param="logit_bias")),)) as stub:
        with pytest.raises(CallError, match=r"HTTP 400, unsupported_parameter, stub, logit_bias"):
            ask(connect(stub.url))
        assert len(stub.requests) == 1


# Structured replies.


def test_an_unreadable_verdict_is_asked_again_and_never_guessed(connect):
    with Stub(lambda request: '{"verdict": "false"}') as stub, pytest.raises(CallError, match="Verdict") as caught:
        ask(connect(stub.url), schema=Verdict)
    assert (caught.value.kind, caught.value.reply, len(stub.requests)) == ("unreadable", '{"verdict": "false"}', 10)
    forms = [request.body.get("response_format", {}).get("type") for request in stub.requests]
    assert forms == ["json_schema"] * 5 + ["json_object"] * 5


def test_a_reply_that_was_streamed_is_read_and_noted(connect):
    with Stub(faults=(first(1, streamed("It is so.")),)) as stub:
        reply = ask(connect(stub.url))
    assert reply.text == "It is so."
    assert reply.notes == ("the server streamed although it was not asked to",)


def test_an_answer_starts_after_the_thinking(connect):
    with Stub(lambda request: "<think>Let me see</think>450 EUR.") as stub:
        model = connect(stub.url)
        assert ask(model).text == "450 EUR."
        assert ask(model).text == "450 EUR."


def test_broken_letters_can_be_sent(connect):
    with Stub() as stub:
        ask(connect(stub.url), "Total \udbff 12")
    assert stub.requests[0].prompt == "Total ? 12"


def test_a_prompt_that_was_read_in_part_is_named(connect):
    def reading(tokens):
        answer = completion("ok")
        answer.body["usage"]["prompt_tokens"] = tokens
        return (lambda request: answer,)

    prompt = "Eins zwei drei. " * 500  # 16 × 500 − 1 = 7,999 characters, at 8 a token 999.9 tokens
    with Stub(faults=reading(900)) as stub, pytest.raises(CallError, match="900 tokens of a prompt of 8000") as caught:
        ask(connect(stub.url), prompt)
    assert (caught.value.kind, caught.value.stops, len(stub.requests)) == ("cut", False, 1)
    for tokens in (1_100, 40):
        with Stub(faults=reading(tokens)) as stub:
            assert ask(connect(stub.url), f"{prompt}{tokens}").text == "ok"


# Calls are made once.


def test_identical_calls_in_flight_are_one_call(connect):
    with Stub(latency=0.05) as stub:
        replies = ask_all(connect(stub.url), ["same"] * 20)
    assert len(stub.requests) == 1
    assert sorted(reply.reused for reply in replies) == [False] + [True] * 19
    assert [reply.seconds is None for reply in replies].count(True) == 19


def test_calls_in_flight_are_shared_by_those_with_the_same_key_alone(tmp_path, clock):
    """A refused key is nobody else's refusal, whoever asked first."""

    def open_model(key, desk):
        endpoint = make_endpoint("stub", EndpointSettings(base_url=SecretStr(stub.url), api_key=SecretStr(key)))
        return EndpointChat("stub:m", endpoint, "m", Dispatcher(endpoint, clock), desk)

    async def both():
        desk = Desk(None)
        asked = [open_model(key, desk).ask([Message("user", "same")]) for key in ("sk-wrong", "sk-right")]
        return await asyncio.gather(*asked, return_exceptions=True)

    with Stub(latency=0.05, key="sk-right") as stub:
        refused, fine = asyncio.run(both())
    assert (refused.kind, fine.text, len(stub.requests)) == ("key", "ok", 2)


def test_a_kept_reply_is_not_asked_for_again(connect):
    with Stub(lambda request: '{"verdict": 1}') as stub:
        new = ask(connect(stub.url), schema=Verdict)
        kept = ask(connect(stub.url), schema=Verdict)
    assert len(stub.requests) == 1
    assert (kept.parsed, kept.seconds, kept.reused, kept.prompt_tokens) == (new.parsed, None, True, 7)


def test_whatever_decides_a_reply_makes_another_call(connect):
    with Stub(lambda request: '{"verdict": 1}') as stub:
        model = connect(stub.url)
        for how in ({}, {"asked": 1}, {"asked": 2}, {"repeat": 1}, {"schema": Verdict}):
            ask(model, **how)
        ask(model, "Is it not?")
        ask(connect(stub.url, temperature=0.7))
        ask(connect(stub.url, max_tokens=9))
        ask(connect(stub.url, model="other"))
        assert len(stub.requests) == 9
        ask(model, repeat=1)
        assert len(stub.requests) == 9  # the same repeat goes on where it was


def test_a_failure_is_not_kept(connect):
    with Stub(faults=(first(1, error(400, "content_filter")),)) as stub:
        model = connect(stub.url)
        with pytest.raises(CallError):
            ask(model)
        assert ask(model).text == "ok"


def test_a_folder_that_cannot_be_made_costs_no_call(tmp_path):
    (tmp_path / "home").write_text("a file where the folder should be")
    with Stub() as stub:
        given = {"house": EndpointSettings(base_url=SecretStr(stub.url))}
        with pytest.raises(StateError, match="Set RAG_VARIANTS_HOME"):
            ask(open_chat("house:x", Settings(home=tmp_path / "home", endpoints=given)))
        assert stub.requests == []


def test_one_who_gives_up_does_not_take_the_others_down(connect):
    async def leave(model):
        tasks = [asyncio.create_task(model.ask(say("same"))) for _ in range(3)]
        while not stub.requests:
            await asyncio.sleep(0.001)
        tasks[0].cancel()
        return await asyncio.gather(*tasks, return_exceptions=True)

    with Stub(latency=0.05) as stub:
        left, *replies = asyncio.run(leave(connect(stub.url)))
    assert isinstance(left, asyncio.CancelledError)
    assert [reply.text for reply in replies] == ["ok", "ok"]
    assert len(stub.requests) == 1  # the call goes on for the two others


def test_the_limit_holds_over_threads(connect):
    with Stub(latency=0.01) as stub:
        model = connect(stub.url, concurrency=3)
        begin = threading.Barrier(4)

        def work(at):
            begin.wait()
            return ask_all(model, [f"q{at}-{number}" for number in range(10)] + ["shared"])

        with ThreadPoolExecutor(4) as pool:
            found = [reply.text for replies in pool.map(work, range(4)) for reply in replies]
    assert found == ["ok"] * 44
    assert len(stub.requests) == 41
    assert stub.most_at_once == 3


def test_models_opened_apart_share_calls_and_replies(tmp_path):
    async def both(models):
        return await asyncio.gather(*(model.ask(say("same")) for model in models))

    with Stub(latency=0.05) as stub:
        settings = Settings(home=tmp_path, endpoints={"house": EndpointSettings(base_url=SecretStr(stub.url))})
        models = [open_chat("house:x", settings), open_chat("House:x", settings, temperature=0)]
        replies = asyncio.run(both(models))
        assert len(stub.requests) == 1
        assert sorted(reply.reused for reply in replies) == [False, True]
        asyncio.run(open_chat("house:x", settings, temperature=0.5).ask(say("same")))
        assert stub.requests[1].body["temperature"] == 0.5
    assert open_cached_replies(settings).size().replies == 2


ASKER = """
import asyncio, sys
from pathlib import Path
from pydantic import SecretStr
from rag_variants.llm.chat import Message
from rag_variants.llm.opening import open_chat
from rag_variants.llm.waiting import wait_for
from rag_variants.settings import EndpointSettings, Settings

async def ask(model, number):
    await model.ask([Message("user", f"q{number}")])
    print(f"q{number}", flush=True)

async def main():
    endpoint = EndpointSettings(base_url=SecretStr(sys.argv[2]), concurrency=8)
    model = open_chat("house:x", Settings(home=Path(sys.argv[1]), endpoints={"house": endpoint}))
    await asyncio.gather(*(ask(model, number) for number in range(60)))

asyncio.run(main())
"""


def test_after_kill_minus_nine_no_call_is_made_twice_whose_reply_was_there(tmp_path):
    with Stub(latency=0.01) as stub:
        command = [sys.executable, "-c", ASKER, str(tmp_path), stub.url]
        killed = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=ROOT)
        assert killed.stdout is not None
        done = [killed.stdout.readline().strip() for _ in range(17)]
        killed.kill()
        done += killed.communicate()[0].split("\n")[:-1]
        before = len(stub.requests)
        again = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
        asked = [request.prompt for request in stub.requests[before:]]
    assert sorted(again.stdout.split()) == sorted(f"q{number}" for number in range(60))
    assert not set(asked) & set(done)
    assert len(asked) == len(set(asked))


# What must not be seen.


def test_no_key_and_no_prompt_in_messages_and_logs(connect, caplog):
    caplog.set_level(logging.INFO)
    prompt = "The secret of the house"
    quoting = error(400, "bad", f"cannot read: {prompt} with {KEY}")
    for answer in (quoting, error(401, "x", f"{KEY} is wrong"), error(500, "x", prompt)):
        with Stub(faults=(first(99, answer),)) as stub:
            model = connect(stub.url)
            with pytest.raises(CallError) as caught:
                ask(model, prompt)
        shown = f"{caught.value!r} {caught.value} {model!r} {model.settings!r} {vars(model)!r} {caplog.text}"
        assert KEY not in shown
        assert prompt not in shown
    assert stub.requests[0].headers["authorization"] == f"Bearer {KEY}"
