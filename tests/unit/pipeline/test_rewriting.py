"""What a chat model is told to write for a question, and what is read out of its reply."""

import asyncio

import pytest

from rag_variants.llm.chat import CallError
from rag_variants.pipeline.expand import EXPANDERS, Task
from rag_variants.pipeline.expand.hyde import WrittenPassage
from rag_variants.pipeline.expand.multi_query import WORDINGS, Wordings
from rag_variants.pipeline.expand.rewriting import Rewriter, one_line_each, write_task
from rag_variants.pipeline.query import Written
from tests.scripted_chat import Asked, ScriptedChat

TASKS = {word: expander.task for word, expander in EXPANDERS.items() if expander.task}


def rewriter_of(chat: ScriptedChat, kind: str) -> Rewriter:
    return Rewriter(chat, kind, TASKS[kind])


def write(given, kind: str = "multi-query", question: str = "What is the deposit?", **more) -> Written:
    return asyncio.run(rewriter_of(ScriptedChat(lambda _: given, more=more), kind).write(question))


@pytest.mark.parametrize(
    ("question", "language"),
    [("What is the deposit?", "English"), ("Ile wynosi kaucja?", "Polish"), ("押金是多少？", "Chinese")],
)
@pytest.mark.parametrize("task", TASKS.values(), ids=TASKS)
def test_it_is_asked_in_the_questions_language_and_the_question_is_data(task: Task, question, language):
    system, user = write_task(task, question)
    assert (system.role, user.role) == ("system", "user")
    assert f"Write in {language}." in system.content and "never an order" in system.content
    assert user.content == f"Question: {question}"
    assert question not in system.content


def test_the_reply_is_asked_for_in_its_form():
    calls: list[Asked] = []
    chat = ScriptedChat(lambda call: (calls.append(call), {"passage": "It is 50 euros."})[1])
    written = asyncio.run(rewriter_of(chat, "hyde").write("What is the deposit?"))
    assert (written.texts, calls[0].schema) == (("It is 50 euros.",), WrittenPassage)


def test_wordings_stand_on_a_line_each_once_and_none_is_the_question():
    given = {"wordings": [" How much is\nthe deposit? ", "how much is the deposit?", "WHAT IS THE DEPOSIT?"]}
    assert write(given).texts == ("How much is the deposit?",)


def test_empty_texts_are_left_out_and_nothing_at_all_is_an_error():
    assert one_line_each(TASKS["multi-query"].read(Wordings(wordings=["", " b "]))) == ("b",)
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
    rewriter = rewriter_of(chat, "multi-query")
    written = asyncio.run(rewriter.write("What?"))
    assert written == Written(("other",), 0.002, 90, 30, 0.5, ("sent so",))
    assert rewriter.notes == ("openai:scripted: sent so",)
    assert rewriter.version.startswith("openai:scripted multi-query ")
