"""The recordings that come with the sample: every answer belongs to a question, and to chunks that are found today."""

from dataclasses import replace
from pathlib import Path

import pytest

from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.run import run_variant
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.answer.recordings import load_recording
from rag_variants.pipeline.bench import open_bench
from rag_variants.pipeline.records import retrieve_question
from rag_variants.settings import packaged

FILES = sorted((packaged("sample_kb") / "recorded").glob("*.jsonl"))


@pytest.fixture(scope="module")
def plan() -> Plan:
    return make_plan(metrics="effort")


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_answer_belongs_to_what_is_found_today(path: Path, plan: Plan):
    recording = load_recording(path)
    assert not recording.skipped
    assert path.stat().st_size <= 300_000
    asked = {question.user_input: question for question in plan.questions.questions}
    bench = open_bench(plan.knowledge, plan.today)
    for kept in recording.answers:
        assert kept.variant and kept.chunks
        hits = retrieve_question(read_variant(kept.variant), asked[kept.user_input], bench).hits
        assert tuple(hit.chunk.id for hit in hits) == kept.chunks, f"{kept.variant}: {kept.user_input}"
        assert set(kept.answer.citations) <= {hit.rank for hit in hits}
        assert {"model", "weights", "server", "prompt", "lesson", "created"} <= dict(kept.answer.origin).keys()


def test_smollm2_answers_its_lesson_and_says_so_where_it_does_not(plan: Plan):
    bench = open_bench(plan.knowledge, plan.today)
    lesson = plan.restricted("lesson=rulers")
    recording = load_recording(packaged("sample_kb") / "recorded" / "smollm2.jsonl")
    replayed = 0
    for text in ("hybrid:top_k=4", "keyword:top_k=4"):
        run = run_variant(replace(read_variant(text), answerer="recorded:smollm2"), lesson, bench)
        for row in run.rows:
            found = row.record.question.user_input, tuple(hit.chunk.id for hit in row.record.hits)
            kept = [each.answer for each in recording.answers if (each.user_input, each.chunks) == found]
            assert [row.record.answer] == (kept or [None])
            assert row.record.answer or "choose another answerer" in str(row.record.error)
            replayed += row.record.answer is not None
    assert replayed >= len(recording.answers) > 0
