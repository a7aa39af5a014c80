"""What is on the laboratory's bench: the example of each metric with every step back. Nothing outside the session."""

from collections.abc import Callable
from dataclasses import dataclass, replace

import streamlit as st

from rag_variants.ui.views.laboratory_setups import PRESETS, Item, Preset, preset, room_for

_STEPS = 50


@dataclass(frozen=True, slots=True)
class Setup:
    """An example as it stands: the preset that it came from, and its items by now."""

    metric: str
    preset: str
    items: tuple[Item, ...]

    @property
    def origin(self) -> Preset:
        """The preset as it begins."""
        return preset(self.metric, self.preset)

    @property
    def changed(self) -> bool:
        """Whether something differs from the preset."""
        return self.items != self.origin.items

    def with_item(self, at: int, item: Item) -> "Setup":
        """The setup with another item at a place."""
        return replace(self, items=(*self.items[:at], item, *self.items[at + 1 :]))

    def without(self, at: int) -> "Setup":
        """The setup without the item at a place."""
        return replace(self, items=self.items[:at] + self.items[at + 1 :])

    def moved(self, at: int, by: int) -> "Setup":
        """The setup with the item at a place moved by one or more places; over the end it stays at the end."""
        rest = list(self.items)
        item = rest.pop(at)
        rest.insert(max(0, at + by), item)
        return replace(self, items=tuple(rest))

    def with_own(self, text: str) -> "Setup":
        """The setup with an item of a person's own at the end, unless the text is blank or there is no room."""
        text = " ".join(text.split())
        if not text or len(self.items) >= room_for(self.metric):
            return self
        taken = {item.name for item in self.items}
        number = next(number for number in range(1, len(self.items) + 2) if f"own {number}" not in taken)
        return replace(self, items=(*self.items, Item(f"own {number}", own=text)))


def begin(metric: str, name: str = "") -> Setup:
    """The setup of a preset, the metric's first one if no name is given."""
    chosen = preset(metric, name) if name else PRESETS[metric][0]
    return Setup(metric, chosen.name, chosen.items)


def current(metric: str) -> Setup:
    """The metric's setup now."""
    return _steps(metric)[-1]


def can_undo(metric: str) -> bool:
    """Whether there is a step back."""
    return len(_steps(metric)) > 1


def change(metric: str, step: Callable[[Setup], Setup]) -> None:
    """Replaces the metric's setup and remembers the old one; a step that changes nothing leaves no trace."""
    steps = _steps(metric)
    after = step(steps[-1])
    if after != steps[-1]:
        st.session_state[_key(metric)] = (*steps, after)[-_STEPS:]


def undo(metric: str) -> None:
    """Takes the last change back."""
    steps = _steps(metric)
    st.session_state[_key(metric)] = steps[:-1] or steps


def _steps(metric: str) -> tuple[Setup, ...]:
    steps: tuple[Setup, ...] = st.session_state.setdefault(_key(metric), (begin(metric),))
    return steps


def _key(metric: str) -> str:
    return f"laboratory steps {metric}"
