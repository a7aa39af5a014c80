"""The settings of a sweep: ranges, lists, what is impossible and what is refused."""

import re

import pytest

from rag_variants.errors import VariantError
from rag_variants.evaluation.tuning.grid import Axis, make_grid, read_axis
from rag_variants.pipeline import VARIANTS, read_variant
from rag_variants.pipeline.spec import print_variant

HYBRID = read_variant("hybrid")


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("top_k=1..4", (1, 2, 3, 4)),
        ("top_k=1..10:4", (1, 5, 9)),
        ("top_k=3, 1, 3", (3, 1)),
        ("top_k=1..3,8", (1, 2, 3, 8)),
        ("chunk_size=200..350", (200, 250, 300, 350)),  # its own step is 50
        ("keyword_weight=0..1:0.25", (0.0, 0.25, 0.5, 0.75, 1.0)),
        ("keyword_weight=0..0.3:0.1", (0.0, 0.1, 0.2, 0.3)),  # 0.1 · 3 is 0.3, not 0.30000000000000004
        ("k1=1..1", (1.0,)),
        ("chunk_size=200..330", (200, 250, 300, 330)),  # the end too
        ("candidates=9..12", (9, 10, 11, 12)),
        ("chunk_overlap=60..130", (60, 85, 100, 110, 130)),  # its own step is 25; the default, 100, and the end too
        ("chunk_overlap=60..130:30", (60, 90, 120)),  # a step that is given is kept to
        ("coverage=on,off", (True, False)),
        ("prompt=grounded,free", ("grounded", "free")),
        ("answerer=openai:some..model", ("openai:some..model",)),  # no range in a text
    ],
)
def test_values_are_those_of_the_written_form(text, values):
    assert read_axis(text, HYBRID) == Axis(text.split("=")[0], values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("top_k", "'top_k' is none"),
        ("=1", "'=1' is none"),
        ("top_k=", "'top_k=' is none"),
        ("top_q=1", "no setting of hybrid called 'top_q'. Did you mean top_k"),
        ("top_k=0..3", "top_k is 0, out of bounds. Use 1 to 50"),
        ("top_k=1..x", "'1..x' is no range"),
        ("top_k=1..3:x", "'1..3:x' is no range"),
        ("top_k=1..3:NaN", "'1..3:NaN' is no range"),
        ("top_k=5..1", "'5..1' is empty"),
        ("top_k=1..5:0", "'1..5:0' is empty"),
        ("top_k=1..5:0.5", "'1.5', which is not a whole number"),
        ("top_k=1,,2", "'', which is not a whole number"),
        ("k1=0..1:0.00001", "100,001 combinations; 10,000 are the most"),
        ("prompt=shouted", "prompt cannot be 'shouted'"),
    ],
)
def test_what_is_no_value_is_refused_in_words(text, message):
    with pytest.raises(VariantError) as refused:
        read_axis(text, HYBRID)
    assert message in str(refused.value)


def test_the_first_axis_varies_slowest_and_the_start_comes_first():
    grid = make_grid(HYBRID, ["chunk_size=200,400", "top_k=1,2"])
    assert [print_variant(each) for each in grid.points] == [
        "hybrid",
        "hybrid:chunk_size=200,top_k=1",
        "hybrid:chunk_size=200,top_k=2",
        "hybrid:chunk_size=400,top_k=1",
        "hybrid:chunk_size=400,top_k=2",
    ]
    assert grid.written(grid.points[2]) == "chunk_size=200,top_k=2"


def test_a_start_inside_the_grid_is_one_point_of_it():
    assert len(make_grid(HYBRID, ["top_k=1..10"]).points) == 10


def test_impossible_combinations_are_left_out_with_their_reason():
    grid = make_grid(read_variant("keyword"), ["chunk_size=50,200", "chunk_overlap=0,100", "candidates=4,50"])
    assert [each.settings for each in grid.left_out] == [
        "chunk_size=50,chunk_overlap=0,candidates=4",
        "chunk_size=50,chunk_overlap=100,candidates=4",
        "chunk_size=50,chunk_overlap=100,candidates=50",
        "chunk_size=200,chunk_overlap=0,candidates=4",
        "chunk_size=200,chunk_overlap=100,candidates=4",
    ]  # of 2 · 2 · 2 = 8 combinations 3 are possible: candidates 4 is below top_k 5, overlap 100 not below size 50
    assert "Raise candidates or lower top_k" in grid.left_out[0].reason
    assert "Choose an overlap below the size" in grid.left_out[2].reason
    assert len(grid.points) == 1 + 3


@pytest.mark.parametrize(
    ("over", "message"),
    [
        ([], "needs a setting to go through"),
        (["top_k=1", "top_k=2"], "top_k is swept twice"),
        (["top_k=1..50", "rrf_k=0..200"], "10,050 combinations; 10,000 are the most"),  # 50 · 201
        (["candidates=1,2"], "No combination is possible; the first, candidates=1: candidates is 1, top_k 5"),
        (["temperature=0..1:0.5"], "Nothing in this sweep reads temperature"),
    ],
)
def test_a_grid_that_cannot_be_is_refused_in_words(over, message):
    with pytest.raises(VariantError) as refused:
        make_grid(HYBRID, over)
    assert message in str(refused.value)


def test_a_setting_that_one_answerer_reads_is_swept():
    grid = make_grid(HYBRID, ["answerer=embedded,embedded:inventive", "temperature=0,1"])
    assert len(grid.points) == 4


TRIED = {"expander": "openai:a", "prompt": "grounded,free", "max_neighbors": "4"}


def idle_settings() -> list[tuple[str, str]]:
    """(variant, setting) of everything that the variants' defaults leave unread, and `min_score` with a reranker."""
    starts = {name: make() for name, make in VARIANTS.items()}
    idle = [(name, each) for name, start in starts.items() for each in sorted(start.ignored_settings())]
    return [*idle, ("keyword:reranker=embedded", "min_score")]


@pytest.mark.parametrize(("start", "name"), idle_settings())
def test_a_setting_that_nothing_reads_is_refused_with_what_reads_it(start, name):
    over = f"{name}={TRIED.get(name, '1')}"
    with pytest.raises(VariantError, match=f"Nothing in this sweep reads {name}, ") as refused:
        make_grid(read_variant(start), [over])
    said = re.search(r"It is read with .*?([a-z_]+=[A-Za-z:-]*[A-Za-z])", str(refused.value))
    assert said is not None
    made = make_grid(read_variant(start), [over, said[1]])
    assert len(made.points) > 1, "what the sentence names makes the sweep possible"
