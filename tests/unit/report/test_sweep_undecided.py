"""A sweep that can tell nothing says so, recommends nothing, and leaves the hold-out closed."""

import json
import re
from dataclasses import replace

import pytest

from rag_variants.evaluation.tuning.grid import Impossible
from rag_variants.evaluation.tuning.sweep import Sweep
from rag_variants.report.page import sweep_html
from rag_variants.report.sweep_export import sweep_csv, sweep_document
from rag_variants.report.sweep_points import point_rows
from rag_variants.report.sweep_rows import marks_of
from rag_variants.report.sweep_text import sweep_markdown
from rag_variants.report.sweep_undecided import closed_sentence
from rag_variants.report.sweep_words import sweep_sentences
from rag_variants.storage.run_documents import to_json
from tests.sweeps_making import make_sweep, shown_in_terminal


def gaining(differing: int, start: str) -> Sweep:
    """top_k=1, 2 and 3 over eight questions: 2 and 3 are better than 1 on `differing` of them."""
    low, high = {"ndcg": [0.0] * 8}, {"ndcg": [1.0] * differing + [0.0] * (8 - differing)}
    return make_sweep(start, ["top_k=1..3"], [high, low, high] if start.endswith("3") else [low, high, high])


@pytest.mark.parametrize("start", ["keyword:top_k=3", "keyword:top_k=1"])
@pytest.mark.parametrize("differing", [1, 2, 6])
def test_where_too_few_questions_differ_nothing_is_recommended(start, differing):
    sweep = gaining(differing, start)
    first = sweep_sentences(sweep)[0]
    assert first.startswith("Too few questions differ to choose: no setting differs from top_k=")
    assert f" on more than {differing} question{'s' if differing > 1 else ''}, and 7 are the least" in first
    assert f"The best mean is nDCG {differing / 8:.3f}, of top_k=" in first
    document = json.loads(to_json(sweep_document(sweep)))
    assert (document["recommended"], document["decided"], document["differing"]) == (None, False, differing)
    assert closed_sentence(sweep) == "Too few questions differ to choose, so the hold-out stays closed."
    for text in (shown_in_terminal(sweep), sweep_markdown(sweep), sweep_csv(sweep)):
        assert not re.search("(?i)recommended|stay with|nothing tried|by luck", text)
    assert not any(row.recommended for row in point_rows(sweep))


def test_where_seven_questions_differ_there_is_a_recommendation():
    found = gaining(7, "keyword:top_k=1")
    assert found.decided
    assert sweep_sentences(found)[0].startswith("Recommended: top_k=2 (nDCG 0.875")  # 7 ÷ 8
    assert closed_sentence(found) == ""
    kept = make_sweep("keyword", ["top_k=3"], [{"ndcg": [1.0] * 8}, {"ndcg": [0.0] * 8}])
    assert closed_sentence(kept) == "No other setting is recommended, so the hold-out stays closed."


def test_where_no_question_differs_the_simplest_is_named():
    sweep = gaining(0, "keyword:top_k=3")
    assert sweep_sentences(sweep)[0] == (
        "No question differs, so there is nothing to choose by: every setting has nDCG 0.000. The simplest is top_k=3."
    )  # each has one setting off its default, and the start is the first in the grid
    assert closed_sentence(sweep) == "No question differs, so the hold-out stays closed."


def test_one_setting_alone_is_compared_with_nothing():
    alone = make_sweep("vector", ["expansion=off"], [{"ndcg": [0.5] * 8}])
    sweep = replace(alone, left_out=(Impossible("expansion=hyde", "No model is named."),))
    said = "Only one setting could be measured, expansion=off (nDCG 0.500), so nothing was compared."
    assert sweep_sentences(sweep) == (said,)
    assert marks_of(sweep, 0) == "start"
    assert closed_sentence(sweep) == "Nothing was compared, so the hold-out stays closed."
    for text in (shown_in_terminal(sweep), sweep_markdown(sweep).replace("\\", ""), sweep_html(sweep)):
        assert said in text
        assert "1 combination" in text
        assert not re.search("shown to be worse|all 1|1 settings|1 combinations", text)


def test_a_setting_beside_one_without_a_score_is_compared_with_nothing():
    sweep = make_sweep("keyword", ["top_k=3"], [{"ndcg": [0.5] * 8}, {"ndcg": [None] * 8}])
    assert sweep_sentences(sweep)[0] == (
        "Only one setting could be scored, top_k=5 (nDCG 0.500), so nothing was compared."
    )
