import io

import pytest
from rich.console import Console

from rag_variants.judges import known_judges
from rag_variants.metrics import all_metrics, full_label_of
from rag_variants.pipeline import VARIANTS
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import print_value
from rag_variants.report.listing import listing_view
from rag_variants.settings import Settings


@pytest.mark.parametrize("width", [80, 120, 160])
def test_no_name_is_cut_and_no_description_left_out(width: int) -> None:
    out = io.StringIO()
    Console(file=out, width=width).print(listing_view(Settings()))
    shown = out.getvalue()
    words = " ".join(shown.split())
    assert "…" not in shown
    assert max(map(len, shown.splitlines())) <= width
    for kind in VARIANTS.values():
        for name, (declared, texts) in settings_of(kind).items():
            assert f"{name} {print_value(declared.default)} ({texts.bounds}) {texts.help}" in words
    for metric in all_metrics().values():
        assert f"{metric.name} {full_label_of(metric)}. {metric.set}: {metric.help}" in words
    for spec, summary in known_judges().items():
        assert f"{spec} {summary}" in words


def test_a_setting_of_every_variant_is_listed_once() -> None:
    out = io.StringIO()
    Console(file=out, width=80).print(listing_view(Settings()))
    names = [line.split()[0] for line in out.getvalue().splitlines() if line.startswith("  ") and line[2] != " "]
    assert [names.count(name) for name in ("top_k", "expander", "feedback_chunks")] == [1, 1, 1]
    assert names.count("min_score") == 2  # keyword's and vector's have scales of their own
