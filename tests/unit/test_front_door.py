"""The front door: every name opens, and a comparison needs no other."""

import pytest

import rag_variants


@pytest.mark.parametrize("name", rag_variants.__all__)
def test_every_name_opens(name: str) -> None:
    assert getattr(rag_variants, name).__name__ == name


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'magic'"):
        rag_variants.magic  # noqa: B018


def test_a_comparison_by_the_front_door_alone(tmp_path, monkeypatch) -> None:
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    plan = rag_variants.make_plan(metrics="retrieval").restricted(None, limit=4)
    bench = rag_variants.open_bench(plan.knowledge, plan.today)
    a, b = (rag_variants.run_variant(rag_variants.read_variant(name), plan, bench) for name in ("keyword", "keyword"))
    assert rag_variants.compare_runs(a, b).metrics["hit_rate"].delta.mean == 0
