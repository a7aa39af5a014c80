"""What was tried and opened outlives the process and follows the questions, not the file."""

import sqlite3
from dataclasses import replace
from datetime import date

import pytest

from rag_variants.errors import StateError
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.tuning.tuning_log import TuningLog, opening_holdout
from rag_variants.pipeline import read_variant
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Question
from tests.making import knowledge

TUNE = QuestionSet("set", (Question("1", "a"), Question("2", "b")))
HELD = (Question("3", "c", tags=(("split", "holdout"),)), Question("4", "d", tags=(("split", "holdout"),)))
DAY, LATER = date(2026, 6, 1), date(2026, 6, 2)


def log(home) -> TuningLog:
    return TuningLog(home, lambda: home)


def test_each_setting_counts_once_over_sweeps_and_processes(tmp_path):
    assert log(tmp_path).count_tried(TUNE) == 0
    assert not list(tmp_path.iterdir())  # looking makes no file
    log(tmp_path).add_tried(TUNE, [read_variant("keyword:top_k=1"), read_variant("keyword:top_k=2")], DAY)
    log(tmp_path).add_tried(TUNE, [read_variant("keyword:top_k=2"), read_variant("keyword:top_k=5")], LATER)
    assert log(tmp_path).count_tried(TUNE) == 3  # 2 + 2 − the one in both
    assert log(tmp_path).count_tried(TUNE.first(1)) == 0


def test_an_opened_holdout_is_known_by_its_questions_and_its_first_day(tmp_path):
    log(tmp_path).add_opened([*TUNE.questions, HELD[0]], DAY)
    log(tmp_path).add_opened(HELD, LATER)
    assert log(tmp_path).opened(HELD) == "2026-06-01"
    assert log(tmp_path).opened(HELD[1:]) == "2026-06-02"
    assert log(tmp_path).opened(TUNE.questions) is None  # not held out, so never opened
    assert log(tmp_path).opened([replace(HELD[0], user_input="another")]) is None


def test_a_plan_says_that_its_holdout_was_opened_before_and_only_then(tmp_path):
    plan = Plan(knowledge({"a.md": "Text."}), TUNE.chosen((*TUNE.questions, *HELD)), ())
    assert opening_holdout(plan.restricted(None), log(tmp_path)).notes == plan.restricted(None).notes
    assert log(tmp_path).opened(HELD) is None
    first = opening_holdout(plan.restricted("split=holdout"), log(tmp_path))
    assert first.notes == ()
    (again,) = opening_holdout(plan.restricted("all"), log(tmp_path)).notes
    assert again.startswith(f"The hold-out was opened before, on {date.today().isoformat()}")


def test_a_file_that_is_no_database_is_named_with_what_is_lost(tmp_path):
    (tmp_path / "tuning.sqlite").write_text("no database" * 100)
    with pytest.raises(StateError, match=r"tuning\.sqlite cannot be used .*remove the file; what was tried"):
        log(tmp_path).count_tried(TUNE)
    with pytest.raises(sqlite3.DatabaseError):
        sqlite3.connect(tmp_path / "tuning.sqlite").execute("SELECT * FROM tuning")
