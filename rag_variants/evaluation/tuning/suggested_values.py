"""Values that a sweep over a setting begins with, in their written form: `1..10`, `200,400,800`, `off,on`."""

from collections.abc import Iterable
from typing import Any

from rag_variants.pipeline.setting import Setting, settings_of
from rag_variants.pipeline.spec import print_value
from rag_variants.pipeline.variant import Variant

_COUNTED = 10  # defaults of whole numbers up to this one are gone through one by one
_FINE = 30  # steps; a wider setting is gone through by doubling
_PARTS = 10


def suggest_values(name: str, start: Variant) -> str:
    """What to go through for a setting of a variant, as `--over` reads it after `=`.

    Switches and fixed choices: all of them. Small counts: one by one up to twice the default. Else the setting's own
    `tries`, about ten even steps, or halves and doubles of the default where the bounds are far apart; the variant's
    own value is among those that are listed.
    """
    declared, texts = settings_of(start)[name]
    default: Any = declared.default
    kind = type(default)
    own = getattr(start, name)
    if kind is bool:
        return "off,on"
    if kind is str:
        return ",".join(dict.fromkeys((*texts.choices, print_value(own))))
    least, most, step = texts.minimum or 0.0, texts.maximum or 0.0, texts.step or 1.0
    if kind is int and step == 1 and 0 < default <= _COUNTED:
        return f"{least:g}..{min(most, 2 * default):g}"
    if texts.tries:
        return _listed([*texts.tries, own], kind)
    steps = round((most - least) / step)
    if steps <= _FINE:
        by = step * -(-steps // _PARTS)
        return f"{least:g}..{most:g}:{by:g}"
    return _listed([own, *_doubled(default, texts)], kind)


def _doubled(default: float, texts: Setting) -> Iterable[float]:
    """The least value, and halves and doubles of the default; of 0 the doubles of ten steps."""
    least, most, step = texts.minimum or 0.0, texts.maximum or 0.0, texts.step or 1.0
    middle = default or 40 * step
    found = [round(middle * factor / step) * step for factor in (0.25, 0.5, 1, 2)]
    return [default or least, *(min(most, max(least, each)) for each in found)]


def _listed(values: Iterable[Any], kind: type) -> str:
    return ",".join(print_value(kind(each)) for each in sorted(set(values)))
