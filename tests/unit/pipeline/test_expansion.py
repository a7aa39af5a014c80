"""The settings of the stage `query`: which go together, which are shown, and what is said where they do not."""

from dataclasses import dataclass
from typing import ClassVar

import pytest

from rag_variants.errors import VariantError
from rag_variants.evaluation.advice.changes import single_changes
from rag_variants.evaluation.tuning.grid import make_grid
from rag_variants.pipeline import Pipeline, print_variant, read_variant
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.stage_key import stage_key

CHAT = "expander=openai:m"


@pytest.mark.parametrize("name", ["keyword", "vector", "hybrid"])
@pytest.mark.parametrize("kind", ["multi-query", "hyde"])
def test_an_expansion_by_a_model_without_one_says_what_to_type(name, kind):
    with pytest.raises(VariantError, match=rf"expansion={kind} .* expander=openai:MODEL \(or NAME:MODEL\)") as caught:
        read_variant(f"{name}:expansion={kind}")
    assert caught.value.mended_by == ("expander",)
    assert read_variant(f"{name}:expansion={kind},{CHAT}").expander == "openai:m"


def test_the_models_name_that_answers_is_offered():
    with pytest.raises(VariantError, match=r"Name the model: expander=lab:small\.$"):
        read_variant("keyword:expansion=hyde,answerer=lab:small")


def test_more_feedback_than_candidates_is_refused():
    with pytest.raises(VariantError, match=r"feedback_chunks is 6, candidates 5: .* Raise candidates or lower"):
        read_variant("keyword:expansion=feedback,feedback_chunks=6,candidates=5")
    assert read_variant("keyword:feedback_chunks=6,candidates=5").expansion == "off"


def test_a_least_score_means_nothing_to_fused_ranks():
    with pytest.raises(VariantError, match=r"min_score is 0\.5, .* Set min_score=0"):
        read_variant(f"keyword:expansion=multi-query,{CHAT},min_score=0.5")
    assert least_score(f"keyword:expansion=hyde,{CHAT},min_score=0.5") == 0.5
    assert least_score(f"keyword:expansion=multi-query,{CHAT}") is None


def least_score(spec):
    """The score that selecting asks for; None where it reads none."""
    return stage_key(read_variant(spec), "select").get("min_score")


@dataclass(frozen=True, kw_only=True)
class Plain(Pipeline):
    """A variant of another package, which ranks texts alone."""

    name: ClassVar[str] = "plain"

    title: ClassVar[str] = "Plain"
    summary: ClassVar[str] = "Finds nothing."

    def rank(self, query, bench):
        return ()


@pytest.mark.parametrize("settings", [{"expansion": "feedback"}, {"expansion": "hyde", "expander": "openai:m"}])
def test_a_variant_that_searches_texts_alone_has_other_wordings_alone(settings):
    with pytest.raises(VariantError, match=r"plain searches texts alone, .* Use expansion=multi-query or off"):
        Plain(**settings)
    assert Plain(expansion="multi-query", expander="openai:m").expansion == "multi-query"


@pytest.mark.parametrize(
    ("spec", "shown"),
    [
        ("keyword", set()),
        ("keyword:expansion=feedback", {"feedback_chunks", "feedback_weight"}),
        (f"keyword:expansion=hyde,{CHAT}", {"expander"}),
        (f"keyword:expansion=multi-query,{CHAT}", {"expander"}),
    ],
)
def test_settings_that_do_nothing_are_not_shown(spec, shown):
    ignored = read_variant(spec).ignored_settings()
    assert {"expander", "feedback_chunks", "feedback_weight"} - ignored == shown
    assert ("min_score" in ignored) is ("multi-query" in spec)


def test_they_belong_to_the_stage_query_and_the_plain_ranking_does_not_depend_on_them():
    stages = {name: texts.stage for name, (_, texts) in settings_of(read_variant("vector")).items()}
    assert {name for name, stage in stages.items() if stage == "query"} == {
        "expansion", "expander", "feedback_chunks", "feedback_weight",
    }  # fmt: skip
    assert stage_key(read_variant("vector"), "rank") == stage_key(read_variant("vector:expansion=feedback"), "rank")


def test_what_is_written_is_what_differs():
    assert print_variant(read_variant("hybrid:expansion=feedback,feedback_weight=0.3")) == "hybrid:expansion=feedback"


def test_advice_tries_feedback_and_asks_no_model_that_is_not_asked_already():
    tried, left_out = single_changes(read_variant("keyword"))
    assert [each.written for each in tried if each.setting == "expansion"] == ["expansion=feedback"]
    assert "expansion" not in {each.setting for each in left_out}

    tried, left_out = single_changes(read_variant(f"keyword:expansion=hyde,{CHAT}"))
    assert [each.written for each in tried if each.setting in ("expansion", "expander")] == [
        "expansion=off", "expansion=feedback",
    ]  # fmt: skip
    assert not {"expansion", "expander"} & {each.setting for each in left_out}


def test_a_sweep_of_a_weight_that_nobody_reads_is_refused():
    with pytest.raises(VariantError, match="feedback_weight"):
        make_grid(read_variant("keyword"), ["feedback_weight=0.1,0.2"])
    assert len(make_grid(read_variant("keyword:expansion=feedback"), ["feedback_weight=0.1,0.2"]).points) == 3
