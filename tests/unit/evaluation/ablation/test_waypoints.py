"""The variants between A and B: one change a rung, every rung possible."""

from dataclasses import dataclass
from itertools import pairwise
from typing import ClassVar

import pytest

from rag_variants.errors import VariantError
from rag_variants.evaluation.ablation.waypoints import OrderError, Waypoint, list_changes, list_waypoints, order_of
from rag_variants.pipeline import VARIANTS, print_variant, read_variant
from rag_variants.pipeline.setting import setting
from rag_variants.pipeline.spec import differing_settings
from rag_variants.pipeline.variants.keyword import Keyword


def waypoints(a: str, b: str, order: str | None = None) -> tuple[Waypoint, ...]:
    return list_waypoints(read_variant(a), read_variant(b), None if order is None else order.split(","))


def shown(walked: tuple[Waypoint, ...]) -> list[tuple[str, str]]:
    return [(waypoint.name, print_variant(waypoint.variant)) for waypoint in walked]


def test_one_setting_a_rung_in_the_order_of_the_stages():
    assert shown(waypoints("hybrid", "hybrid:top_k=3,rrf_k=10,chunk_size=400")) == [
        ("", "hybrid"),
        ("chunk_size", "hybrid:chunk_size=400"),
        ("rrf_k", "hybrid:chunk_size=400,rrf_k=10"),
        ("top_k", "hybrid:chunk_size=400,top_k=3,rrf_k=10"),
    ]
    (change,) = waypoints("hybrid", "hybrid:coverage=on")[1].changes
    assert (change.name, change.before, change.after) == ("coverage", "off", "on")


def test_a_given_order_is_kept():
    assert [waypoint.name for waypoint in waypoints("hybrid", "hybrid:top_k=3,rrf_k=10", "top_k,rrf_k")] == [
        "",
        "top_k",
        "rrf_k",
    ]


@pytest.mark.parametrize("order", ["top_k", "top_k,top_k", "top_k,rrf_k,b", "", "top_k,rrfk"])
def test_an_order_names_each_change_once(order):
    with pytest.raises(OrderError, match=r"does not name each change once. Name, in any order: rrf_k,top_k\."):
        waypoints("hybrid", "hybrid:top_k=3,rrf_k=10", order)


def test_one_or_no_change():
    assert shown(waypoints("hybrid", "hybrid")) == [("", "hybrid")]
    assert len(waypoints("keyword", "vector")) == 2
    assert list_waypoints(read_variant("hybrid"), read_variant("hybrid"), []) == (Waypoint(read_variant("hybrid")),)
    with pytest.raises(OrderError, match="nothing, because no setting differs"):
        waypoints("hybrid", "hybrid", "top_k")


def test_a_change_of_kind_stands_alone():
    assert shown(waypoints("keyword:k1=2,top_k=4", "hybrid:k1=2,top_k=3,rrf_k=10,coverage=on")) == [
        ("", "keyword:top_k=4,k1=2"),
        ("variant", "hybrid:top_k=4,k1=2"),
        ("rrf_k", "hybrid:top_k=4,k1=2,rrf_k=10"),
        ("coverage", "hybrid:top_k=4,k1=2,rrf_k=10,coverage=on"),
        ("top_k", "hybrid:top_k=3,k1=2,rrf_k=10,coverage=on"),
    ]


def test_what_only_a_has_goes_back_to_its_default_before_the_kind_changes():
    assert shown(waypoints("keyword:tokens=words,k1=2,top_k=4", "vector:vectors=sentences,top_k=4")) == [
        ("", "keyword:top_k=4,tokens=words,k1=2"),
        ("tokens", "keyword:top_k=4,k1=2"),
        ("k1", "keyword:top_k=4"),
        ("variant", "vector:top_k=4"),
        ("vectors", "vector:top_k=4,vectors=sentences"),
    ]


def test_a_setting_that_means_something_else_in_the_other_kind_changes_with_it():
    walked = waypoints("keyword:min_score=20,top_k=4", "vector:min_score=0.8")  # BM25 to 100, cosine to 1
    assert shown(walked)[1:] == [
        ("variant + min_score", "vector:top_k=4,min_score=0.8"),
        ("top_k", "vector:min_score=0.8"),
    ]
    assert [(each.before, each.after) for each in walked[1].changes] == [("keyword", "vector"), ("20", "0.8")]
    assert order_of(walked) == ("variant", "top_k"), "the order names the kind alone"
    assert waypoints("keyword:min_score=20,top_k=4", "vector:min_score=0.8", "variant,top_k") == walked


@pytest.mark.parametrize(
    ("a", "b", "names"),
    [
        ("hybrid", "hybrid:chunk_size=100,chunk_overlap=20", ["chunk_overlap", "chunk_size"]),  # 100 ≥ 100
        ("hybrid:chunk_size=100,chunk_overlap=20", "hybrid", ["chunk_size", "chunk_overlap"]),
        ("hybrid", "hybrid:candidates=3,top_k=2,rrf_k=10", ["rrf_k", "top_k", "candidates"]),  # 3 < 5
        ("hybrid:candidates=3,top_k=2", "hybrid:candidates=9,top_k=8", ["candidates", "top_k"]),
    ],
)
def test_what_would_be_impossible_waits(a, b, names):
    assert [waypoint.name for waypoint in waypoints(a, b)[1:]] == names


def test_an_order_that_is_impossible_is_mended():
    walked = waypoints("hybrid", "hybrid:chunk_size=100,chunk_overlap=20,top_k=2", "chunk_size,top_k,chunk_overlap")
    assert order_of(walked) == ("top_k", "chunk_overlap", "chunk_size")


@dataclass(frozen=True, kw_only=True)
class Twins(Keyword):
    """Two settings that must be equal."""

    name: ClassVar[str] = "twins"
    left: int = setting(0, stage="rank", label="l", help="l", minimum=0, maximum=9)
    right: int = setting(0, stage="rank", label="r", help="r", minimum=0, maximum=9)

    def __post_init__(self):
        super().__post_init__()
        if self.left != self.right:
            raise VariantError("unlike twins")


def test_what_is_possible_only_together_is_one_step():
    walked = list_waypoints(Twins(), Twins(left=2, right=2, k1=2.0, top_k=3))
    assert [waypoint.name for waypoint in walked[1:]] == ["k1", "top_k", "left + right"], (
        "it waits for what is possible alone"
    )
    assert walked[-1].variant == Twins(left=2, right=2, k1=2.0, top_k=3)


CORNERS = ("", "chunk_size=100,chunk_overlap=20", "candidates=3,top_k=2", "chunk_size=2000,chunk_overlap=700,top_k=30")


@pytest.mark.parametrize("a", list(VARIANTS))
@pytest.mark.parametrize("b", list(VARIANTS))
@pytest.mark.parametrize("left", CORNERS)
@pytest.mark.parametrize("right", CORNERS)
def test_every_way_ends_at_b_and_one_thing_changes_at_a_time(a, b, left, right):
    before, after = read_variant(f"{a}:{left}"), read_variant(f"{b}:{right}")
    walked = list_waypoints(before, after)
    assert (walked[0].variant, walked[-1].variant) == (before, after)
    for lower, upper in pairwise(walked):
        assert [name for name, _, _ in differing_settings(lower.variant, upper.variant)] == [upper.name]
    assert sorted(order_of(walked)) == sorted(change.name for change in list_changes(before, after))
