"""The hold-out: opened by the first step and not before, and remembered."""

from dataclasses import replace

import pytest

from rag_variants.errors import QuestionsError
from rag_variants.evaluation.tuning.final_check import FinalCheck, held_out_plan, opened_before
from rag_variants.evaluation.tuning.tuning_log import TuningLog
from rag_variants.pipeline import read_variant
from tests.making import bench
from tests.unit.evaluation.tuning.test_sweep_work import SET, TEXTS, plan

HELD = replace(SET.questions[0], tags=(("split", "holdout"),))
WHOLE = SET.chosen((HELD, *SET.questions[1:]))


def test_the_plan_holds_the_held_out_questions_of_the_whole_file():
    restricted = plan(WHOLE).restricted(None)
    assert [each.id for each in restricted.questions.questions] == ["q1", "q2"]
    held = held_out_plan(restricted)
    assert [each.id for each in held.questions.questions] == ["q0"]
    assert (held.slice, held.notes) == ("split=holdout", ())


def test_a_file_without_a_holdout_is_named():
    with pytest.raises(QuestionsError, match=r"none of set is tagged split=holdout\. Tag some before tuning"):
        held_out_plan(plan())


def test_opening_is_remembered_at_the_first_step(tmp_path):
    log = TuningLog(tmp_path, lambda: tmp_path)
    whole = plan(WHOLE)
    a, b = read_variant("keyword:top_k=1"), read_variant("keyword")
    check = FinalCheck(a, b, held_out_plan(whole), bench(TEXTS), log)
    assert (check.result(), check.complete, opened_before(whole, log)) == (None, False, None)
    for _ in check.steps():
        pass
    found = check.result()
    assert found is not None
    assert (check.complete, opened_before(whole, log) is not None) == (True, True)
    assert [row.record.question.id for row in found.a.rows] == ["q0"]
    assert (found.a.variant, found.b.variant) == (a, b)
    assert not any("opened before" in note for note in found.warnings), "this was the first time"


def test_a_second_check_says_that_it_was_opened(tmp_path):
    log = TuningLog(tmp_path, lambda: tmp_path)
    for expected in (False, True):
        check = FinalCheck(
            read_variant("keyword:top_k=1"), read_variant("keyword"), held_out_plan(plan(WHOLE)), bench(TEXTS), log
        )
        for _ in check.steps():
            pass
        found = check.result()
        assert found is not None
        assert any("opened before" in note for note in found.warnings) is expected
