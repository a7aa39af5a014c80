"""Moves on the Tune page: they change the URL, and a visit knows the way back and forth."""

from dataclasses import dataclass, field
from typing import NamedTuple

import streamlit as st

from rag_variants.pipeline.variant import Variant
from rag_variants.ui.settings_panel import forget_refused
from rag_variants.ui.url import current_selection, select


class Stand(NamedTuple):
    """The pinned setting and the one at hand."""

    pin: Variant
    now: Variant


@dataclass
class Moves:
    """Where a visit stood before, latest last, and where it was when it went back."""

    back: list[Stand] = field(default_factory=list)
    forward: list[Stand] = field(default_factory=list)


def moves() -> Moves:
    """Those of this visit."""
    found: Moves = st.session_state.setdefault("tune moves", Moves())
    return found


def move_to(side: str, now: Variant) -> None:
    """Puts a setting at hand; a callback for the panel of side `tune`."""
    _go(Stand(current_selection().pinned, now))


def pin_this() -> None:
    """What is measured from now on is measured against the setting at hand."""
    now = current_selection().tuned
    _go(Stand(now, now))


def undo() -> None:
    """Goes back to where the visit stood before its last move or pin."""
    known = moves()
    if known.back:
        known.forward.append(_stand())
        _show(known.back.pop())


def redo() -> None:
    """Goes forth again."""
    known = moves()
    if known.forward:
        known.back.append(_stand())
        _show(known.forward.pop())


def send(side: str) -> None:
    """Makes the setting at hand A or B of every page; pin and sliders stay where they are."""
    stand = _stand()
    select(**{side: stand.now}, pin=stand.pin, tune=stand.now)


def _go(stand: Stand) -> None:
    before = _stand()
    if stand == before:
        return
    known = moves()
    known.back.append(before)
    known.forward.clear()
    _show(stand)


def _show(stand: Stand) -> None:
    forget_refused("tune")
    select(pin=stand.pin, tune=stand.now)


def _stand() -> Stand:
    selection = current_selection()
    return Stand(selection.pinned, selection.tuned)
