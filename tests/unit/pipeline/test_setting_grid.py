"""The grid of a setting's slider: whoever steps right and left again is back where they began."""

from fractions import Fraction
from typing import Any

import pytest

from rag_variants.pipeline import VARIANTS, read_variant
from rag_variants.pipeline.setting import Setting, settings_of

NUMBERS = [
    pytest.param(declared.default, texts, id=f"{kind}:{name}")
    for kind, variant in VARIANTS.items()
    for name, (declared, texts) in settings_of(variant).items()
    if texts.minimum is not None
]


@pytest.mark.parametrize(("default", "texts"), NUMBERS)
def test_the_default_and_both_bounds_are_on_the_grid(default: Any, texts: Setting) -> None:
    least, most, step = (Fraction(str(each)) for each in (texts.minimum, texts.maximum, texts.step))
    assert (Fraction(str(default)) - least) % step == 0
    assert (most - least) % step == 0


def test_a_parent_is_off_or_larger_than_what_is_searched() -> None:
    texts = settings_of(read_variant("hybrid"))["parent_size"][1]
    assert texts.possible(read_variant("hybrid:chunk_size=200"))[:3] == (0, 300, 400)
    assert texts.possible(read_variant("hybrid:chunk_size=250"))[:3] == (0, 300, 400)
    # from 0 to 8000 by 100 are 81 values, of which 100 … 600 cannot be
    assert len(texts.possible(read_variant("hybrid"))) == 81 - 6
