"""The written form of a variant: `hybrid:top_k=3,rrf_k=20`. One parser, one printer."""

from collections.abc import Mapping
from typing import Any

from rag_variants.errors import VariantError, unknown
from rag_variants.pipeline.setting import Stage, settings_of
from rag_variants.pipeline.variant import Variant


def parse_variant(text: str, known: Mapping[str, type[Variant]]) -> Variant:
    """The variant that a text names. Raises VariantError for an unknown name or setting, or a bad value.

    The name ends at the first `:`, settings split at `,`, a key ends at the first `=`.
    """
    name, _, rest = text.strip().partition(":")
    if name not in known:
        raise VariantError(unknown("variant", name, known))
    settings = settings_of(known[name])
    values: dict[str, Any] = {}
    for piece in filter(None, (part.strip() for part in rest.split(","))):
        key, equals, value = piece.partition("=")
        if key not in settings:
            raise VariantError(unknown(f"setting of {name}", key, settings))
        if not equals:
            raise VariantError(f"{name}: {key} has no value. Write {key}=VALUE; allowed: {settings[key][1].bounds}.")
        if key in values:
            raise VariantError(f"{name}: {key} is given twice. Keep one.")
        values[key] = read_value(name, key, value, type(settings[key][0].default), settings[key][1].bounds)
    return known[name](**values)


def print_variant(variant: Variant, without: Stage | None = None) -> str:
    """The shortest text that names a variant: its name and what differs from the defaults.

    `without` leaves out the settings of a stage, as if they had their defaults.
    """
    changed = [
        f"{name}={print_value(getattr(variant, name))}"
        for name, (declared, texts) in settings_of(variant).items()
        if getattr(variant, name) != declared.default and texts.stage != without
    ]
    return f"{variant.name}:{','.join(changed)}" if changed else variant.name


def print_value(value: Any) -> str:
    """A setting's value as it is written: `on`, `off`, `0.5`, `embedded`."""
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, float):
        return f"{value:.10g}"
    return str(value)


def differing_settings(a: Variant, b: Variant) -> tuple[tuple[str, str | None, str | None], ...]:
    """(setting, A's value, B's value) for each that differs; None where a side lacks the setting.

    Unlike kinds of variant differ in `variant` first, then also in what only one of them has, unless that is at its
    default.
    """
    found: list[tuple[str, str | None, str | None]] = []
    if a.name != b.name:
        found.append(("variant", a.name, b.name))
    mine, yours = settings_of(a), settings_of(b)
    for name, (declared, _) in {**mine, **yours}.items():
        left, right = getattr(a, name, declared.default), getattr(b, name, declared.default)
        if left != right:
            found.append(
                (name, print_value(left) if name in mine else None, print_value(right) if name in yours else None)
            )
    return tuple(found)


def read_value(variant: str, key: str, text: str, kind: type, bounds: str) -> Any:
    """A setting's value from its written form. Raises VariantError for a text that is none of its kind."""
    text = text.strip()
    if kind is bool:
        if text not in ("on", "off"):
            raise VariantError(f"{variant}: {key} is {text!r}. Use on or off.")
        return text == "on"
    try:
        return kind(text)
    except ValueError:
        wanted = "a whole number" if kind is int else "a number"
        raise VariantError(f"{variant}: {key} is {text!r}, which is not {wanted}. Allowed: {bounds}.") from None
