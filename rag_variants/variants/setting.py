"""A setting of a variant: one definition for sliders, command-line help, documentation and validation."""

from dataclasses import Field, dataclass, field, fields
from typing import Any, Literal

Stage = Literal["chunks", "index", "query", "rank", "rerank", "select", "answer"]


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known about a setting besides its name, type and default.

    Bounds are inclusive. `choices` are the values a text setting may take; empty means any text. `tries` are the
    values of a number that a search for a better one begins with; without any they follow from the bounds.
    """

    stage: Stage
    label: str
    help: str
    minimum: float | None = None
    maximum: float | None = None
    step: float | None = None
    choices: tuple[str, ...] = ()
    unit: str = ""
    tries: tuple[float, ...] = ()

    @property
    def bounds(self) -> str:
        """The values allowed, in words."""
        if self.choices:
            return "one of " + ", ".join(self.choices)
        if self.minimum is not None and self.maximum is not None:
            return f"{self.minimum:g} to {self.maximum:g}"
        return "on or off"


def setting(default: Any, **texts: Any) -> Any:
    """A dataclass field that carries its `Setting`."""
    return field(default=default, metadata={"setting": Setting(**texts)})


def settings_of(variant: Any) -> dict[str, tuple["Field[Any]", Setting]]:
    """The settings of a variant or variant class by name, in their order."""
    return {each.name: (each, each.metadata["setting"]) for each in fields(variant) if "setting" in each.metadata}
