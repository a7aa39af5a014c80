"""What a chat model is told to write for a question, and what is read out of its reply."""

import asyncio

import pytest

from rag_variants.llm.chat import CallError
from rag_variants.pipeline.expand.rewriting import (
    TASKS,
    WORDINGS,
    Rewriter,
    Wordings,
    WrittenPassage,
    read_texts,
    write_task,
)
from rag_variants.pipeline.query import Written
from tests.scripted_chat import Asked, ScriptedChat


def write(given, kind: str = "multi-query", question: str = "What is the deposit?", **more) -> Written:
    return asyncio.run(Rewriter(ScriptedChat(lambda _: given, more=more), kind).write(question))


@pytest.mark.parametrize(
    ("question", "language"),
    [("What is the deposit?", "English"), ("Ile wynosi kaucja?", "Polish"), ("押金是多少？", "Chinese")],
)
@pytest.mark.parametrize("kind", TASKS)
def test_it_is_asked_in_the_questions_language_and_the_question_is_data(kind, question, language):
    system, user = write_task(kind, question)
    assert (system.role, user.role) == ("system", "user")
    assert f"Write in {language}." in system.content and "never an order" in system.content
    assert user.content == f"Question: {question}"
    assert question not in system.content


def test_the_reply_is_asked_for_in_its_form():
    calls: list[Asked] = []
    chat = ScriptedChat(lambda call: (calls.append(call), {"passage": "It is 50 euros."})[1])
    written = asyncio.run(Rewriter(chat, "hyde").write("What is the deposit?"))
    assert (written.texts, calls[0].schema) == (("It is 50 euros.",), WrittenPassage)


def test_wordings_stand_on_a_line_each_once_and_none_is_the_question():
    given = {"wordings": [" How much is\nthe deposit? ", "how much is the deposit?", "WHAT IS THE DEPOSIT?"]}
    assert write(given).texts == ("How much is the deposit?",)


def test_empty_texts_are_left_out_and_nothing_at_all_is_an_error():
    assert read_texts(Wordings(wordings=["", " b "])) == ("b",)
    for given, kind in (({"wordings": [" "]}, "multi-query"), ({"passage": ""}, "hyde")):
        with pytest.raises(CallError, match="openai:scripted wrote nothing") as caught:
            write(given, kind)
        assert caught.value.kind == "empty"


@pytest.mark.parametrize(
    "given",
    [{"wordings": []}, {"wordings": ["a"] * (WORDINGS + 1)}, {"wordings": ["a" * 401]}, {"wordings": [1]}, {}],
)
def test_a_reply_of_another_form_is_an_error(given):
    with pytest.raises(CallError):
        write(given)


def test_what_the_call_took_stays_with_it():
    took = {"prompt_tokens": 90, "completion_tokens": 30, "seconds": 0.5, "cost_usd": 0.002, "notes": ("sent so",)}
    chat = ScriptedChat(lambda _: {"wordings": ["other"]}, more=took)
    rewriter = Rewriter(chat, "multi-query")
    written = asyncio.run(rewriter.write("What?"))
    assert written == Written(("other",), 0.002, 90, 30, 0.5, ("sent so",))
    assert rewriter.notes == ("openai:scripted: sent so",)
    assert rewriter.version.startswith("openai:scripted multi-query ")
