"""The numbers of the Tune page as tiles: a metric's value, what the move did to it, and whether that is shown."""

from collections.abc import Sequence
from html import escape

import streamlit as st

from rag_variants.evaluation.tuning.tune import Move
from rag_variants.pipeline import Variant, print_variant
from rag_variants.report.move_tiles import MoveTile, retrieval_tiles
from rag_variants.ui.views.glossary import chosen_glossary

_ARROWS = {"up": "↑", "down": "↓"}

# One element a group: a move draws thirteen tiles. What a metric means stands behind its question mark, which the
# keyboard reaches. Colours are shares of the text's own.
CSS = """
.tiles { display: grid; grid-template-columns: repeat(auto-fill, minmax(9.4rem, 1fr)); gap: 0.5rem; }
.tile { border: 1px solid color-mix(in srgb, currentColor 20%, transparent); border-radius: 0.5rem;
  padding: 0.4rem 0.65rem 0.45rem; line-height: 1.35; position: relative; }
.tile-label { font-size: 0.86rem; display: flex; justify-content: space-between; gap: 0.3rem; white-space: nowrap; }
.tile-value { font-size: 1.6rem; line-height: 1.25; font-variant-numeric: tabular-nums; }
.tile-unit, .tile-scored { font-size: 0.78rem; opacity: 0.75; }
.tile-delta { font-size: 0.88rem; font-variant-numeric: tabular-nums; min-height: 1.2rem; }
.tile-shown .tile-delta { font-weight: 700; }
.tile-shown { border-color: currentColor; box-shadow: inset 0 0 0 1px currentColor; }
.tile-help { opacity: 0.6; cursor: help; border: 1px solid currentColor; border-radius: 50%; font-size: 0.66rem;
  width: 0.95rem; height: 0.95rem; line-height: 0.86rem; text-align: center; flex: none; margin-top: 0.1rem; }
.tile-help:hover, .tile-help:focus { opacity: 1; }
.tile-tip { display: none; position: absolute; z-index: 20; left: 0; top: 1.9rem; width: 17rem; white-space: normal;
  text-align: left; font-size: 0.82rem; line-height: 1.4; padding: 0.6rem 0.75rem; border-radius: 0.5rem;
  background: Canvas; color: CanvasText; border: 1px solid currentColor; font-weight: 400; }
.tile-tip span { display: block; margin-bottom: 0.3rem; }
.tile-help:hover .tile-tip, .tile-help:focus .tile-tip { display: block; }
[class*="st-key-stale"] .tile { opacity: 0.45; }
"""


def draw_tiles(move: Move) -> None:
    """Retrieval and the text read."""
    draw_tile_row(retrieval_tiles(move), move.now.variant)


def draw_tile_row(tiles: Sequence[MoveTile], of: Variant, judge: str = "") -> None:
    """Tiles side by side, as many as fit; `of` is whose numbers they are."""
    glossary = chosen_glossary()
    shown = "".join(_tile(each, glossary.metric(each.name, judge).line) for each in tiles)
    st.html(f'<div class="tiles" data-of="{escape(print_variant(of))}">{shown}</div>')


def _tile(each: MoveTile, meaning: str) -> str:
    tile = each.tile
    arrow = _ARROWS.get(tile.direction, "")
    delta = f"{arrow} {tile.change} {each.verdict}".strip() if each.verdict else ""
    unit = f' <span class="tile-unit">{escape(tile.unit)}</span>' if tile.unit else ""
    return (
        f'<div class="tile{" tile-shown" if each.shown else ""}">'
        f'<div class="tile-label"><span>{escape(tile.label)}</span>{_help(each, meaning)}</div>'
        f'<div class="tile-value">{escape(tile.value)}{unit}</div>'
        f'<div class="tile-delta">{escape(delta)}</div>'
        f'<div class="tile-scored">{escape(each.scored)} questions</div></div>'
    )


def _help(each: MoveTile, meaning: str) -> str:
    """What the metric is; the verdict at full length; over which questions."""
    parts = [meaning]
    if each.verdict:
        parts.append(f"Pinned {each.tile.before}, now {each.tile.value}: {each.detail}.")
    parts.append(f"Mean over {each.scored} questions: those scored at both settings.")
    lines = "".join(f"<span>{escape(part)}</span>" for part in parts)
    return f'<span class="tile-help" tabindex="0" role="note">?<span class="tile-tip">{lines}</span></span>'
