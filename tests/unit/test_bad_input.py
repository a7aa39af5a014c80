"""What an endpoint can send that is no answer: a named reason on the score or a clear stop, never a wrong number."""

from collections.abc import Callable

import pytest

from tests.house import House, Shown, asked_about, data_of, of_answers, reply, schema_of
from tests.stub import Answer, Fault, Request, Stub, completion, embeddings, error, first, streamed, vector

ANSWERER = "keyword:answerer=house:writer"
METRICS = "faithfulness,context_recall"
FAULTY = "q02"


def answering(request: Request) -> bool:
    return asked_about(request) == FAULTY


def judging(request: Request) -> bool:
    return schema_of(request) == "StatementGeneratorOutput" and FAULTY in data_of(request)["question"]


def spoiling(where: Callable[[Request], bool], answer: Answer) -> Fault:
    return lambda request: answer if where(request) else None


def shown_with(house: House, *faults: Fault, **limits: object) -> Shown:
    with Stub(reply, faults=faults) as stub:
        house.settle(stub, **limits)
        return house.run("run", ANSWERER, questions=3, metrics=METRICS)


# What costs one row or one score: what comes in, and what is said of it.
ONE_ROW = {
    "nothing for too long": (Answer(hang=30), "house did not answer within 0.5 s. Raise its timeout"),
    "an empty choice": (completion(""), "house sent an empty reply"),
    "no text": (completion(None), "house sent an empty reply"),
    "no choice": (Answer(body={"choices": []}), "house sent no reply in its answer"),
    "a reply cut at the token limit": (completion('{"statements": ["It', finish="length"), "cut at the token limit"),
    "half a stream": (streamed("The stay is", finish=None), "broke off in the middle of a reply"),
    "half an answer": (Answer(raw=b'{"choices": [{"mess'), "sent an answer that is not readable"),
    "a closed connection": (Answer(drop=True), "house dropped the connection"),
    "a server's error": (error(500), "house failed (HTTP 500)"),
    "an error in place of a reply": (Answer(body={"error": {"message": "x"}}), "sent an error in place of a reply"),
}


@pytest.mark.parametrize("where", [answering, judging])
@pytest.mark.parametrize(("answer", "words"), ONE_ROW.values(), ids=ONE_ROW)
def test_one_bad_reply_costs_its_own_scores_and_says_why(house, answer, words, where):
    shown = shown_with(house, spoiling(where, answer), attempts=2, timeout=0.5 if answer.hang else 120)
    assert shown.code == 0
    faithfulness, recall = shown.scores(), shown.scores("context_recall")
    assert [score["value"] for score in faithfulness] == [1.0, None, 1.0]
    assert words in faithfulness[1]["error"]
    assert [score["value"] for score in recall] == [1.0, 1.0, 1.0]
    row = shown.document["rows"][1]["a"]
    assert (row["answer"] is None) is (where is answering)
    assert shown.document["complete"] is True


@pytest.mark.parametrize("where", [answering, judging])
def test_a_web_page_stops_the_run_and_names_the_address(house, where):
    page = Answer(raw=b"<!doctype html><title>Sign in</title>", headers={"content-type": "text/html"})
    shown = shown_with(house, spoiling(where, page))
    assert shown.code in (2, 130)  # whether another row was finished before
    assert "answers with a web page. Check RAG_VARIANTS_ENDPOINTS__HOUSE__BASE_URL; most end in /v1." in shown.err
    assert "Traceback" not in shown.err


@pytest.mark.parametrize("status", [500, 502, 503])
def test_a_web_page_of_a_proxy_that_is_busy_passes(house, status):
    busy = first(3, Answer(status, raw=b"<html>busy</html>", headers={"content-type": "text/html"}))
    assert [score["value"] for score in shown_with(house, busy).scores()] == [1.0] * 3


@pytest.mark.parametrize("end", ["stop", None])
def test_a_stream_that_nobody_asked_for_is_read_whole_and_noted(house, end):
    """With its end it is a reply like any other; without, it is asked for again."""

    def fault(request: Request) -> Answer | None:
        return streamed(reply(request), finish=end) if where_first(request) else None

    where_first = first_of_each()
    shown = shown_with(house, fault)
    assert [score["value"] for score in shown.scores()] == [1.0] * 3
    noted = "house:writer: the server streamed although it was not asked to" in shown.document["notes"]
    assert noted is (end is not None)
    assert [row["a"]["answer"] for row in shown.document["rows"]] == [
        f"The stay is q0{at} days [1]." for at in (1, 2, 3)
    ]


def first_of_each() -> Callable[[Request], bool]:
    """Whether a prompt comes for the first time."""
    seen: set[str] = set()

    def new(request: Request) -> bool:
        return request.prompt not in seen and not seen.add(request.prompt)

    return new


def test_a_prompt_that_was_cut_silently_is_no_answer(house):
    """Ollama cuts what does not fit and answers the rest: 300 tokens of a prompt of thousands of characters."""
    (house.folder / "kb" / "long.md").write_text("The stay is long. " * 500, encoding="utf-8")

    def fault(request: Request) -> Answer | None:
        if not answering(request):
            return None
        answer = completion("The stay is 3 days [1].")
        answer.body["usage"]["prompt_tokens"] = 300
        return answer

    with Stub(reply, faults=(fault,)) as stub:
        house.settle(stub)
        shown = house.run("run", f"{ANSWERER},chunk_size=4000", questions=3)
    assert [score["value"] for score in shown.scores()] == [1.0, None, 1.0]
    assert "house:writer read 300 tokens of a prompt of" in shown.scores()[1]["error"]
    assert "Ollama: num_ctx" in shown.scores()[1]["error"]
    assert of_answers(stub.requests).count(FAULTY) == 1


# Embeddings.


def embedding(house: House, change: Callable[[list[list[float]]], Answer | None]) -> tuple[Shown, Stub]:
    def fault(request: Request) -> Answer | None:
        if not request.path.endswith("/embeddings"):
            return None
        return change([vector(text) for text in request.body["input"]])

    with Stub(reply, faults=(fault,)) as stub:
        house.settle(stub)
        return house.run(
            "run", "vector:embeddings=house:small", questions=3, metrics="retrieval", judge="embedded"
        ), stub


def ranked(shown: Shown) -> list[list[str]]:
    return [[hit["chunk_id"] for hit in row["a"]["ranking"]] for row in shown.document["rows"]]


def test_embeddings_in_another_order_are_put_in_theirs(house, tmp_path):
    usual, _ = embedding(house, lambda rows: None)
    (tmp_path / "home" / "vectors.sqlite").unlink()
    turned, stub = embedding(house, lambda rows: embeddings(list(enumerate(rows))[::-1]))
    assert len(stub.requests) == 2
    assert ranked(turned) == ranked(usual)
    assert len(ranked(usual)[0]) == 4


ODD = {
    "fewer": (lambda rows: embeddings(list(enumerate(rows[:-1]))), "house:small sent 3 vectors for 4 texts."),
    "none": (lambda rows: embeddings([]), "house:small sent 0 vectors for 4 texts."),
    "in no order": (lambda rows: embeddings([(1, row) for row in rows]), "sent vectors whose order is not clear."),
    "unlike": (
        lambda rows: embeddings([(at, row[: 8 - at]) for at, row in enumerate(rows)]),
        "sent vectors of unlike length in one answer.",
    ),
    "of another dimension for questions": (
        lambda rows: embeddings(list(enumerate(rows if len(rows) == 4 else [row[:4] for row in rows]))),
        "sent vectors of 4 numbers after some of 8.",
    ),
    "cut": (lambda rows: Answer(raw=b'{"data": [{"embedd'), "house sent an answer that is not readable."),
}


@pytest.mark.parametrize(("change", "words"), ODD.values(), ids=ODD)
def test_embeddings_that_do_not_fit_stop_the_run(house, change, words):
    shown, _ = embedding(house, change)
    assert (shown.code, shown.out) == (2, "")
    assert words in shown.err


def test_another_dimension_in_a_later_run_is_named_and_not_mixed(house):
    """Vectors of the documents are kept from the first run; the questions' come anew, from another model."""
    command = ("run", "vector:embeddings=house:small")
    with Stub() as stub:
        house.settle(stub)
        assert house.run(*command, metrics="retrieval", judge="embedded").code == 0
        stub.faults = (lambda request: embeddings([(at, [1.0, 0.0]) for at, _ in enumerate(request.body["input"])]),)
        shown = house.run(*command, questions=2, metrics="retrieval", judge="embedded")
    assert (shown.code, shown.out) == (2, "")
    assert "Vectors of 2 and 8 numbers are kept under house:small" in shown.err
    assert "Give the model another name." in shown.err
