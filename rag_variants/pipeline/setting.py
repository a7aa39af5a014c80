"""A setting of a variant: one definition for sliders, command-line help, documentation and validation."""

from collections.abc import Callable, Mapping
from dataclasses import Field, dataclass, field, fields
from functools import cache
from types import MappingProxyType
from typing import Any, Literal

from rag_variants.settings import Settings

Stage = Literal["documents", "chunks", "index", "query", "rank", "rerank", "select", "answer"]


@dataclass(frozen=True, slots=True)
class Beyond:
    """Values beyond fixed choices: how they are written (`recorded:NAME`), which are taken, which are there now.

    The form is "" where those that are there now are all there are, such as the words of installed packages.
    What is there now may lie in the state folder, so `found` gets the environment's settings.
    """

    form: str
    accepts: Callable[[str], bool]
    found: Callable[[Settings], tuple[str, ...]] = lambda _: ()


@dataclass(frozen=True, slots=True)
class Setting:
    """What is known about a setting besides its name, type and default.

    Bounds are inclusive. `choices` are the values a text setting may take; empty means any text. `tries` are the
    values of a number that a search for a better one begins with; without any they follow from the bounds. `beyond`
    takes more than the choices; `explain` gives a line on what the value means in a variant that has it. A number
    with `above` is its minimum, which is off, or larger than the setting of that name. `only_with` is another setting
    and the value of it without which nothing reads this one.
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
    beyond: Beyond | None = None
    explain: Callable[[Any], str] | None = None
    above: str = ""
    only_with: tuple[str, str] | None = None

    def possible(self, variant: Any) -> tuple[float, ...]:
        """The values on the grid of a number that a variant may take: the minimum, or above the setting it follows."""
        least, most, step = self.minimum or 0.0, self.maximum or 0.0, self.step or 1.0
        grid = (least + at * step for at in range(round((most - least) / step) + 1))
        floor = getattr(variant, self.above) if self.above else least
        return tuple(each for each in grid if each == least or each > floor)

    def takes(self, value: str) -> bool:
        """Whether a text is one of the choices, or one of the values beyond them."""
        return not self.choices or value in self.choices or (self.beyond is not None and self.beyond.accepts(value))

    def offered(self, settings: Settings) -> tuple[str, ...]:
        """The choices, then the values beyond them that are there now."""
        return (*self.choices, *(self.beyond.found(settings) if self.beyond else ()))

    @property
    def form(self) -> str:
        """How values beyond the choices are written; "" where nothing else can be typed."""
        return self.beyond.form if self.beyond else ""

    @property
    def bounds(self) -> str:
        """The values allowed, in words."""
        if self.choices:
            return "one of " + ", ".join((*self.choices, *filter(None, [self.form])))
        if self.minimum is not None and self.maximum is not None:
            return f"{self.minimum:g} to {self.maximum:g}"
        return "on or off"


def setting(default: Any, **texts: Any) -> Any:
    """A dataclass field that carries its `Setting`."""
    return field(default=default, metadata={"setting": Setting(**texts)})


def settings_of(variant: Any) -> Mapping[str, tuple["Field[Any]", Setting]]:
    """The settings of a variant or variant class by name, in their order."""
    return _settings_of(variant if isinstance(variant, type) else type(variant))


@cache
def _settings_of(kind: type[Any]) -> Mapping[str, tuple["Field[Any]", Setting]]:
    found = {each.name: (each, each.metadata["setting"]) for each in fields(kind) if "setting" in each.metadata}
    return MappingProxyType(found)
