"""Where each question's gold chunk stood and stands: kinds, order, words, and what the chart draws."""

import json
from typing import Any

import pytest

from rag_variants.evaluation.tuning.tune import Move, Tuned, TunedRow
from rag_variants.pipeline import read_variant
from rag_variants.report.charts import DARK, LIGHT
from rag_variants.report.gold_moves import (
    GoldMove,
    TopK,
    bound_sentence,
    count_moves,
    cut_of,
    find_swings,
    gold_moves,
    moves_sentence,
    order_moves,
)
from rag_variants.report.gold_rank_chart import gold_rank_chart
from rag_variants.types import Question, Record, Score

FIVE = TopK(5, 5)


def move(name: str, before: int | None, after: int | None) -> GoldMove:
    return GoldMove(name, f"{name}?", before, after)


MOVES = (
    move("a", 7, 3),  # gained: 7 > 5 ≥ 3
    move("b", 5, 6),  # lost
    move("c", 4, 2),  # up, both within 5
    move("d", 1, 2),  # down, both within 5
    move("e", 1, 1),
    move("f", None, None),
    move("g", None, 9),  # up: found now, though not handed over
    move("h", 20, None),  # down: was not handed over either
    move("i", None, 5),  # gained
    move("j", 1, None),  # lost
)


def test_reaching_the_answer_comes_before_the_rank() -> None:
    kinds = "".join(each.kind(FIVE)[0] for each in MOVES)
    assert kinds == "glud" + "sn" + "ud" + "gl"
    assert move("k", 6, 6).kind(TopK(5, 6)) == "gained"  # the rank stayed, the cut moved
    assert move("k", 6, 4).kind(TopK(6, 3)) == "lost"  # higher, and yet no longer handed over


def test_what_was_selected_decides_where_more_than_top_k_does() -> None:
    assert GoldMove("k", "k?", 2, 2, reached_before=True, reaches=False).kind(FIVE) == "lost"
    assert GoldMove("k", "k?", 8, 7, reached_before=False, reaches=True).kind(FIVE) == "gained"
    assert GoldMove("k", "k?", 2, 2, reached_before=False, reaches=False).kind(FIVE) == "same"


def test_order_is_by_new_rank_then_pinned_rank_then_id() -> None:
    assert [each.id for each in order_moves(MOVES)] == ["e", "d", "c", "a", "i", "b", "g", "j", "h", "f"]
    assert [each.id for each in order_moves([move("z", 3, 3), move("y", 3, 3)])] == ["y", "z"]


def test_counts_and_their_sentence() -> None:
    counts = count_moves(MOVES, FIVE)
    assert list(counts.values()) == [2, 2, 2, 2, 1, 1]
    assert sum(counts.values()) == len(MOVES)
    assert moves_sentence(MOVES, FIVE) == (
        "2 questions gained, 2 lost, 2 higher, 2 lower, 1 as before, 1 found by neither"
    )
    assert moves_sentence([move("a", 7, 3), move("e", 1, 1)], FIVE) == "1 question gained, none lost, 1 as before"
    assert moves_sentence([], FIVE) == "No questions gained, none lost"


def test_swings_have_the_worst_first() -> None:
    swings = find_swings((*MOVES, move("k", 6, 5)), FIVE)
    assert [(each.kind, each.id, each.before, each.after) for each in swings] == [
        ("lost", "j", "1", "not found"),
        ("lost", "b", "5", "6"),
        ("gained", "k", "6", "5"),  # by 1
        ("gained", "a", "7", "3"),  # by 4
        ("gained", "i", "not found", "5"),
    ]


def data_of(spec: dict[str, Any], layer: dict[str, Any]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = spec["datasets"][layer.get("data", spec["data"])["name"]]
    return found


def tuned(spec: str, **ranks: tuple[int | None, bool]) -> Tuned:
    """Rows by question id, with the gold chunk's rank and whether it is handed over; scored unless the id begins so."""
    rows = [
        TunedRow(
            Record(Question(name, f"{name}?")), rank, reaches,
            {"hit_rate": Score(None if name.startswith("unscored") else float(reaches))},
        )
        for name, (rank, reaches) in ranks.items()
    ]  # fmt: skip
    return Tuned(read_variant(spec), tuple(rows))


def test_moves_are_read_from_what_a_slider_did() -> None:
    pin = tuned("keyword:top_k=3", a=(4, False), b=(1, True), unscored=(None, False), only_pinned=(1, True))
    now = tuned("keyword:top_k=5", a=(4, True), b=(1, False), unscored=(None, False), only_now=(1, True))
    step = Move(pin, now)
    assert gold_moves(step) == (
        GoldMove("a", "a?", 4, 4, reached_before=False, reaches=True),
        GoldMove("b", "b?", 1, 1, reached_before=True, reaches=False),
    )
    assert cut_of(step) == TopK(3, 5)
    assert moves_sentence(gold_moves(step), cut_of(step)) == "1 question gained, 1 lost"


def rows_of(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows of the layer whose columns answer the pointer."""
    return next(data_of(spec, layer) for layer in spec["layer"] if "tooltip" in layer["encoding"])


def test_every_question_is_one_column_in_order_and_what_matters_is_drawn_last() -> None:
    rows = rows_of(gold_rank_chart(MOVES, FIVE, 50).to_dict())
    assert [row["id"] for row in sorted(rows, key=lambda row: row["left"])] == [
        each.id for each in order_moves(MOVES)
    ]  # fmt: skip
    assert all(row["right"] - row["left"] == 1 and row["middle"] - row["left"] == 0.5 for row in rows)
    assert [row["kind"] for row in rows][-4:] == ["lost", "lost", "gained", "gained"]


def test_what_is_not_found_stands_in_a_lane_below_the_depth() -> None:
    rows = {row["id"]: row for row in rows_of(gold_rank_chart(MOVES, FIVE, 50).to_dict())}
    assert (rows["a"]["from"], rows["a"]["to"]) == (7, 3)
    assert rows["f"]["from"] == rows["f"]["to"] == rows["j"]["to"] > 50
    assert (rows["j"]["pinned"], rows["j"]["now"]) == ("1", "not found")


@pytest.mark.parametrize(("ranks", "depth", "expected"), [((3, 4), 50, 50), ((3, 80), 50, 80)])
def test_the_axis_ends_at_the_depth_or_at_a_deeper_rank(ranks: tuple[int, int], depth: int, expected: int) -> None:
    spec = gold_rank_chart([move("a", *ranks)], FIVE, depth).to_dict()
    axis = spec["layer"][0]["encoding"]["y"]["axis"]
    assert axis["values"][:5] == [1, 2, 3, 5, 10]
    assert axis["values"][-2] == expected < axis["values"][-1]
    assert axis["values"][-1] < spec["layer"][0]["encoding"]["y"]["scale"]["domain"][0]


def cuts_of(spec: dict[str, Any]) -> list[float]:
    return [
        row["at"]
        for layer in spec["layer"]
        if layer["mark"]["type"] == "rule"
        for row in data_of(spec, layer)
        if "at" in row
    ]


def test_the_cut_is_where_the_last_chunk_reaches_the_answer_and_where_it_was() -> None:
    def cuts(top_k: TopK) -> list[float]:
        return cuts_of(gold_rank_chart(MOVES, top_k, 50).to_dict())

    assert cuts(FIVE) == [5.5]
    assert cuts(TopK(5, 7)) == [5.5, 7.5]
    assert "top_k 5 → 7" in json.dumps(gold_rank_chart(MOVES, TopK(5, 7), 50).to_dict(), ensure_ascii=False)


def step_between(pin: str, now: str) -> Move:
    return Move(tuned(pin, a=(12, False)), tuned(now, a=(12, True)))


@pytest.mark.parametrize(
    "setting", ["parent_size=1200", "mmr=0.2", "deduplicate=0.5", "min_score=0.8", "context_budget=900"]
)
def test_no_line_bounds_what_another_setting_decides_and_a_sentence_says_so(setting: str) -> None:
    """Rank 12 reaches the answer at top_k 8, because a parent, or another order, hands it over."""
    name = setting.partition("=")[0]
    now = step_between("vector", f"vector:top_k=8,{setting}")
    assert cut_of(now) == TopK(5, 8, (), (name,))
    assert gold_moves(now)[0].kind(cut_of(now)) == "gained"
    assert f"Besides top_k, {name} decides what is read now" in bound_sentence(cut_of(now))
    spec = gold_rank_chart(gold_moves(now), cut_of(now), 50).to_dict()
    assert "reaches the answer" not in json.dumps(spec)
    assert cuts_of(spec) == [5.5]  # the pin's own, where nothing else decides
    back = step_between(f"vector:{setting}", "vector:top_k=8")
    assert f"Besides top_k, {name} decides what is read at the pin" in bound_sentence(cut_of(back))
    assert cuts_of(gold_rank_chart(gold_moves(back), cut_of(back), 50).to_dict()) == [8.5]


def test_settings_that_decide_are_named_once_and_parents_are_counted() -> None:
    both = step_between("hybrid:mmr=0.2,parent_size=1200", "hybrid:mmr=0.2,parent_size=1200,top_k=8")
    said = bound_sentence(cut_of(both))
    assert said.startswith("Ranks are those of the small chunks that are searched. Besides top_k, parent_size and mmr ")
    assert "decide what is read (where top_k counts parents)" in said
    assert bound_sentence(cut_of(step_between("hybrid", "hybrid:top_k=8"))) == ""
    # a score of a reranked list is not the one that min_score is made for: it does nothing, and is not named
    assert bound_sentence(cut_of(step_between("vector", "vector:min_score=0.8,reranker=embedded"))) == ""


@pytest.mark.parametrize("colours", [LIGHT, DARK])
def test_each_kind_has_its_own_shape_and_none_is_in_the_colour_of_a_side(colours: Any) -> None:
    spec = gold_rank_chart(MOVES, FIVE, 50, colours).to_dict()
    (shapes,) = {
        tuple(layer["encoding"]["shape"]["scale"]["range"]) for layer in spec["layer"] if "shape" in layer["encoding"]
    }
    assert len(set(shapes)) == len(shapes) == 6
    assert colours.a not in json.dumps(spec) and colours.b not in json.dumps(spec)
    assert colours.gold in json.dumps(spec)


def test_foreign_text_is_data_and_never_part_of_an_expression() -> None:
    hostile = "'+alert(1)+' <b>x</b>"
    spec = gold_rank_chart([GoldMove(hostile, hostile, 1, 2)], FIVE, 50).to_dict()
    assert rows_of(spec)[0]["question"] == hostile
    assert "alert" not in json.dumps({**spec, "datasets": None})


def test_no_question_is_an_empty_chart() -> None:
    assert rows_of(gold_rank_chart([], FIVE, 50).to_dict()) == []
