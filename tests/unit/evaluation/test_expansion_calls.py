"""Expansions by a chat model on loopback: one call a question, kept, counted, foretold, paid for, and seen to fail."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from rag_variants.evaluation.forecast import Forecast
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.runs import Run
from rag_variants.llm.prices import Price, write_prices
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.calls import cost_lines
from rag_variants.report.expansion_words import expansion_line
from rag_variants.settings import EndpointSettings, Settings
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import load_run
from rag_variants.types import Expansion, Question
from tests.making import knowledge
from tests.stub import Request, Stub, error

TEXTS = {"deposit.md": "The deposit is 450 EUR.", "refund.md": "A refund takes 14 days.", "desk.md": "It opens at 9."}
QUESTIONS = tuple(Question(each, f"What of the {each}?", f"The {each} is so.") for each in ("deposit", "refund"))
MULTI, HYDE = (f"keyword:expansion={kind},expander=stub:small" for kind in ("multi-query", "hyde"))
LATENCY = 0.05


def rewrite(request: Request) -> str:
    """Another wording or a passage about the desk; an answer where one is asked for."""
    asked = request.body.get("response_format")
    if asked is None:
        return "It is so [1]."
    wanted = asked["json_schema"]["schema"]["properties"]
    return json.dumps(
        {"wordings": ["When does it open?"]} if "wordings" in wanted else {"passage": "The desk opens at 9."}
    )


@pytest.fixture
def stub() -> Iterator[Stub]:
    with Stub(rewrite, latency=LATENCY) as served:
        yield served


@pytest.fixture
def bench(stub: Stub, tmp_path: Path) -> Bench:
    settings = Settings(home=tmp_path, endpoints={"stub": EndpointSettings(base_url=stub.url, attempts=1)})
    write_prices(settings, [Price("stub:small", 1.0, 2.0)])
    return open_bench(knowledge(TEXTS), settings=settings)


def plan(bench: Bench, metrics: str = "retrieval,effort", questions: tuple[Question, ...] = QUESTIONS) -> Plan:
    return Plan(bench.knowledge, QuestionSet("qs", questions), choose_metrics(metrics), today=bench.today)


def run(bench: Bench, *variants: str) -> tuple[Run, ...]:
    experiment = Experiment([read_variant(each) for each in variants], plan(bench), bench)
    for _ in experiment.steps():
        pass
    return experiment.runs()


def foretold(bench: Bench, *variants: str) -> Forecast:
    work = Forecast([read_variant(each) for each in variants], plan(bench), bench)
    for _ in work.steps():
        pass
    return work


def needed(work: Forecast) -> int:
    found = work.result()
    assert found is not None
    return sum(need.calls for need in found.calls.values())


@pytest.mark.parametrize("spec", [MULTI, HYDE])
def test_the_forecast_asks_nothing_and_names_the_calls_that_the_run_then_counts(stub, bench, spec):
    assert needed(foretold(bench, spec)) == len(QUESTIONS)
    assert stub.requests == []

    (made,) = run(bench, spec)
    assert made.calls.queries.issued == len(stub.requests) == len(QUESTIONS)
    assert (made.calls.answers.issued, made.calls.judge.issued) == (0, 0)
    assert made.versions["expander"].startswith("stub:small ")
    assert needed(foretold(bench, spec)) == 0
    assert cost_lines([("A", made)])[0].startswith("A queries: 2 calls made; 14 tokens read")  # 7 a prompt


def test_what_a_forecast_puts_in_place_of_a_reply_is_no_search_of_the_run(stub, bench):
    foretold(bench, MULTI)
    (made,) = run(bench, MULTI)
    for row in made.rows:
        assert row.record.expansion.texts == ("When does it open?",)
        assert "desk.md" in [hit.chunk.document for hit in row.record.ranking]


def test_both_sides_share_a_call_and_later_settings_ask_nothing(stub, bench):
    a, b = run(bench, MULTI, f"{MULTI},top_k=1,chunk_size=300")
    assert len(stub.requests) == len(QUESTIONS)
    assert a.calls.queries.issued + b.calls.queries.issued == len(QUESTIONS)
    assert a.calls.queries.reused + b.calls.queries.reused == len(QUESTIONS)
    (again,) = run(bench, f"{MULTI},k1=2")
    assert (again.calls.queries.issued, again.calls.queries.reused) == (0, len(QUESTIONS))


def test_questions_are_expanded_side_by_side(stub, bench):
    """The first call alone finds out what the server takes, the others go together."""
    many = tuple(Question(f"q{at}", f"What of number {at}?") for at in range(6))
    experiment = Experiment([read_variant(MULTI)], plan(bench, questions=many), bench)
    for _ in experiment.steps():
        pass
    assert len(stub.requests) == len(many)
    assert stub.most_at_once > 1


def test_cost_and_time_hold_the_expansion(bench):
    """7 tokens read at 1 $ and so many written at 2 $ a million; the embedded answer costs nothing."""
    (made,) = run(bench, HYDE)
    for row in made.rows:
        expansion = row.record.expansion
        dollars = (7 * 1.0 + expansion.completion_tokens * 2.0) / 1e6
        assert row.scores["cost_usd"].value == expansion.cost_usd == pytest.approx(dollars)
        assert row.scores["latency_ms"].value >= row.record.timing_ms["query"] >= LATENCY * 1000
    (again,) = run(bench, HYDE)
    assert {row.scores["latency_ms"].value for row in again.rows} == {None}
    assert "came from memory" in again.rows[0].scores["latency_ms"].reason
    assert again.rows[0].scores["cost_usd"].value == made.rows[0].scores["cost_usd"].value


def test_a_failed_call_is_the_records_error_and_no_plain_search(stub, bench):
    stub.faults = (lambda request: error(500) if "refund" in request.prompt else None,)
    (made,) = run(bench, f"{HYDE},top_k=2")
    good, bad = (row.record for row in made.rows)
    assert good.error is None and good.hits
    assert bad.error.startswith(f"{HYDE},top_k=2: ") and "500" in bad.error
    assert (bad.ranking, bad.hits, bad.answer) == ((), (), None)
    assert made.calls.queries.failed == 1


def test_texts_for_an_encoder_elsewhere_are_foretold_and_not_sent(stub, bench):
    """3 chunks, 2 questions, and 2 passages still to be written; once written, those passages."""
    spec = "vector:expansion=hyde,expander=stub:small,embeddings=stub:small"
    assert foretold(bench, spec).result().texts["stub:small"].calls == len(TEXTS) + len(QUESTIONS) + len(QUESTIONS)
    assert stub.requests == []
    run(bench, MULTI.replace("multi-query", "hyde"))
    asked = len(stub.requests)
    found = foretold(bench, spec).result()
    assert len(stub.requests) == asked
    assert found.calls == {}
    assert found.texts["stub:small"].calls == len(TEXTS) + len(QUESTIONS) + 1  # the stub writes one text for both


@pytest.mark.parametrize("spec", [MULTI, HYDE, "hybrid:expansion=feedback", "keyword"])
def test_a_kept_run_says_what_was_searched(bench, tmp_path, spec):
    (made,) = run(bench, spec)
    path = tmp_path / "run.json"
    path.write_text(to_json(run_document(made)), encoding="utf-8")
    read = load_run(path)
    assert [row.record.expansion for row in read.rows] == [row.record.expansion for row in made.rows]
    assert read.calls == made.calls
    assert (made.rows[0].record.expansion is None) is (spec == "keyword")


@pytest.mark.parametrize(
    ("expansion", "line"),
    [
        (None, ""),
        (Expansion("multi-query", ("a *b*", "c")), "Also searched for: a *b* · c"),
        (Expansion("multi-query"), "Searched for the question alone: the model had no other wording."),
        (Expansion("hyde", ("p",)), "Also searched for a passage that a model wrote: p"),
        (
            Expansion("feedback", (), (("voucher", 0.25), ("x", 0.125)), ("a.md:0-9", "b.md:0-9")),
            "Also searched for words of the 2 chunks found first, as they are indexed: voucher ×0.25 · x ×0.12",
        ),
        (Expansion("feedback", (), (), ("a.md:0-9",)), "Also searched for what is near to the chunk found first."),
        (Expansion("feedback"), "Searched for the question alone: it found no chunk to learn from."),
    ],
)
def test_the_line_on_the_page(expansion, line):
    assert expansion_line(expansion) == line
