"""Which documents are current depends on the day, and the day on the time zone; runs keep both."""

from dataclasses import replace
from datetime import UTC, date, datetime, tzinfo

import pytest

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.errors import UserError
from rag_variants.evaluation.compare import ComparisonError, compare_runs
from rag_variants.evaluation.differences import name_differences
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import run_variant
from rag_variants.evaluation.runs import Run
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.questions.sets import QuestionSet
from rag_variants.settings import Settings
from rag_variants.storage.run_documents import run_document, to_json
from rag_variants.storage.run_files import load_run
from rag_variants.storage.saved_runs.notes import make_note
from rag_variants.types import Evidence, Question
from tests.making import WordVectors, document

INSTANT = datetime(2026, 12, 1, 3, 0, tzinfo=UTC)  # 19:00 of 30 November in Los Angeles
BASE = KnowledgeBase(
    "shop",
    (
        document("new.md", "Goods can be returned within 14 days."),
        document("old.md", "Goods can be returned within 30 days.", valid_until=date(2026, 11, 30)),
    ),
)
ASKED = (Question("q", "Within how many days can goods be returned?",
                  evidence=(Evidence("new.md", "Goods can be returned within 14 days.", 1),)),)  # fmt: skip


class Frozen(datetime):
    """The clock, stopped at INSTANT."""

    @classmethod
    def now(cls, tz: tzinfo | None = None) -> datetime:  # type: ignore[override]
        return INSTANT.astimezone(tz)


def run_on(day: date, variant: str = "keyword:documents=current") -> Run:
    plan = Plan(BASE, QuestionSet("one", ASKED), choose_metrics("hit_rate,context_characters"), today=day)
    words = CachedEmbeddings(WordVectors(), None, None)
    return run_variant(read_variant(variant), plan, open_bench(BASE, day, encoders=lambda spec: words))


@pytest.mark.parametrize(
    ("zone", "day", "read"),
    [
        ("UTC", date(2026, 12, 1), {"new.md"}),
        ("America/Los_Angeles", date(2026, 11, 30), {"new.md", "old.md"}),
        ("Asia/Shanghai", date(2026, 12, 1), {"new.md"}),
        ("Europe/Warsaw", date(2026, 12, 1), {"new.md"}),
    ],
)
def test_the_zone_decides_which_day_it_is_and_so_what_is_read(zone, day, read, monkeypatch):
    monkeypatch.setattr("rag_variants.settings.datetime", Frozen)
    today = Settings(time_zone=zone).today()
    assert today == day
    run = run_on(today)
    assert {hit.chunk.document for hit in run.rows[0].record.hits} == read
    assert (run.knowledge.day, run.knowledge.current) == (day.isoformat(), BASE.current(day).fingerprint)
    assert f"{len(read)} of 2 documents were current on {day}." in run.notes
    assert not any("were current" in note for note in run_on(today, "keyword").notes)


@pytest.mark.parametrize("zone", ["Mars/Olympus", "", "../etc/passwd", "Europe/Warsaw\x00"])
def test_what_is_no_zone_is_said(zone):
    with pytest.raises(UserError, match="is no time zone; write one such as Europe/Warsaw"):
        Settings(time_zone=zone)


def test_runs_that_read_what_was_current_on_unlike_days_are_over_other_documents():
    before, after, later = (run_on(day) for day in (date(2026, 11, 30), date(2026, 12, 1), date(2026, 12, 24)))
    (difference,) = name_differences(before, after)
    assert difference.what == "documents"
    assert difference.sentence == (
        "A saw those current on 2026-11-30, B those on 2026-12-01, and these are not the same"
    )
    with pytest.raises(ComparisonError, match="differ in documents"):
        compare_runs(before, after)
    assert compare_runs(before, after, anyway=True).warnings[0].startswith("Different documents: A saw those current")
    assert name_differences(after, later) == (), "other days with the same documents"


def test_where_no_side_leaves_anything_out_the_day_is_no_difference():
    everything = [run_on(day, "keyword") for day in (date(2026, 11, 30), date(2026, 12, 1))]
    assert name_differences(*everything) == ()
    assert [each.what for each in name_differences(everything[0], run_on(date(2026, 12, 1)))] == ["documents"]
    unknown = replace(everything[0].knowledge, day="", current="")
    assert name_differences(replace(everything[0], knowledge=unknown), run_on(date(2026, 12, 1))) == (), "saved before"


def test_a_file_keeps_the_day_and_a_kept_run_is_another_one_where_other_documents_were_current(tmp_path):
    before, after, later = (run_on(day) for day in (date(2026, 11, 30), date(2026, 12, 1), date(2026, 12, 24)))
    path = tmp_path / "run.json"
    path.write_text(to_json(run_document(before)), encoding="utf-8")
    assert load_run(path).knowledge == before.knowledge
    assert make_note(before).knowledge == before.knowledge
    assert make_note(before).id != make_note(after).id == make_note(later).id
    all_before, all_after = (run_on(day, "keyword") for day in (date(2026, 11, 30), date(2026, 12, 1)))
    assert make_note(all_before).id == make_note(all_after).id
