"""Settings that were changed and do nothing: nobody reads them while another setting is as it is."""

from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import differing_settings, print_value
from rag_variants.pipeline.variant import Variant


def idle_settings(variant: Variant) -> dict[str, str]:
    """The settings off their defaults that do nothing at present, in their order, each with the reason in words."""
    reasons = _reasons(variant)
    return {name: why for name, why in reasons.items() if not _is_default(variant, name)}


def differ_in_effect(a: Variant, b: Variant) -> tuple[tuple[str, str | None, str | None], ...]:
    """As `differing_settings`, without those that do nothing: ignored on one side, and ignored or at rest on the other.

    A setting is at rest on a side that lacks it or has its default.
    """
    sides = [(each, _reasons(each)) for each in (a, b)]
    return tuple(
        found
        for found in differing_settings(a, b)
        if not any(found[0] in ignored for _, ignored in sides)
        or not all(found[0] in ignored or _is_default(each, found[0]) for each, ignored in sides)
    )


def idle_sentences(a: Variant, b: Variant) -> tuple[str, ...]:
    """A sentence for each setting that was changed on a side and does nothing there; one for both where it can be."""
    mine, yours = _reasons(a), _reasons(b)
    left, right = idle_settings(a), idle_settings(b)
    differing = {name for name, _, _ in differing_settings(a, b)}
    found = []
    for name in dict.fromkeys((*left, *right)):
        if name in mine and mine[name] == yours.get(name):
            what = f"{name} differs and" if name in differing else _written(a, name)
            found.append(f"{what} does nothing: {mine[name]}.")
            continue
        for label, variant, idle in (("A", a, left), ("B", b, right)):
            if name in idle:
                found.append(f"{label}: {_written(variant, name)} does nothing: {idle[name]}.")
    return tuple(found)


def _reasons(variant: Variant) -> dict[str, str]:
    """What does nothing at present, with the reason: `reranker is off`."""
    deciding = variant.ignored_by()
    return {name: f"{deciding[name]} is {getattr(variant, deciding[name])}" for name in settings_of(variant)
            if name in deciding}  # fmt: skip


def _written(variant: Variant, name: str) -> str:
    return f"{name}={print_value(getattr(variant, name))}"


def _is_default(variant: Variant, name: str) -> bool:
    settings = settings_of(variant)
    return name not in settings or bool(getattr(variant, name) == settings[name][0].default)
