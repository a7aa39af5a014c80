"""A document's text with marks, as HTML in which every foreign character is escaped.

Labels are drawn by CSS from `data-label`, so that the text of the element is the document, character for character,
and copying from it copies the document.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from typing import Literal

Kind = Literal["chunk", "evidence", "key", "trap", "chosen"]
State = Literal["", "gold", "part", "trap"]

# Gold is evidence; everything else is a share of the text's own colour, and so fits light and dark.
CSS = """
.kb-text { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.75; font-size: 1rem; }
.kb-odd { background-color: color-mix(in srgb, currentColor 7%, transparent); }
.kb-overlap { background-image: repeating-linear-gradient(-45deg, transparent 0 4px,
  color-mix(in srgb, currentColor 22%, transparent) 4px 5.5px); }
.kb-evidence { background-color: rgb(234 190 0 / .42); border-bottom: 2px solid rgb(190 145 0); }
.kb-key { background-color: rgb(234 190 0); color: #1c1600; font-weight: 700; }
.kb-trap { border-bottom: 2px dashed currentColor; }
.kb-chosen { box-shadow: 0 -2px 0 currentColor, 0 2px 0 currentColor; }
.kb-label { user-select: none; scroll-margin-top: 9rem; }
.kb-label::before { content: attr(data-label); font-size: .74rem; font-weight: 600; line-height: 1.2; padding: 0 .4em;
  margin: 0 .2em; border-radius: 3px; white-space: nowrap; border: 1px solid currentColor; vertical-align: 1px; }
.kb-start::before { border-left-width: 5px; background-color: color-mix(in srgb, currentColor 12%, transparent); }
.kb-end::before { border-style: dotted; border-right-width: 5px; border-right-style: solid; opacity: .7; }
.kb-misleads::before { border-style: dashed; }
.kb-start.kb-state-gold::before, .kb-id::before { background-color: rgb(234 190 0); border-color: rgb(150 112 0);
  color: #1c1600; }
.kb-start.kb-state-part::before { border-color: rgb(200 155 0); border-style: dashed; border-left-width: 5px; }
.kb-aside { font-size: .85rem; opacity: .7; }
.kb-link, .kb-link:visited { color: inherit !important; text-decoration: underline; }
.kb-legend { display: flex; flex-wrap: wrap; gap: .15rem 1.1rem; font-size: .85rem; line-height: 1.9; }
.kb-legend .kb-text { font-size: .85rem; line-height: 1.6; }
"""
# The first piece of evidence in a marked text has this id, so that a link can show it.
FIRST = "kb-first-evidence"
SHOW_FIRST = f'<a class="kb-link" href="#{FIRST}">Show it in the text</a>'
_ID_LABEL = '<span class="kb-label kb-id"'
_BEGINS = '<span><span class="kb-label kb-start" data-label="2"></span>chunk 2 begins</span>'
_ENDS = '<span><span class="kb-label kb-end" data-label="1"></span>chunk 1 ends</span>'
_OVERLAP = '<span><span class="kb-overlap">&nbsp;overlap&nbsp;</span> in both chunks</span>'
_EVIDENCE = '<span class="kb-evidence">evidence, <span class="kb-key">key</span></span>'
_NAMED = f'<span>{_ID_LABEL} data-label="id"></span>{_EVIDENCE}</span>'
LEGEND = f'<div class="kb-legend">{_BEGINS}{_ENDS}{_OVERLAP}{_NAMED}</div>'
# Without the labels that say where chunks end and whose the evidence is.
SHORT_LEGEND = f'<div class="kb-legend">{_BEGINS}{_OVERLAP}<span>{_EVIDENCE}</span></div>'


@dataclass(frozen=True, slots=True)
class Highlight:
    """A span `[start, end)` of a text to be marked. `number` counts chunks from 1, `state` is a chunk's mark."""

    start: int
    end: int
    kind: Kind
    label: str = ""
    number: int = 0
    state: State = ""


def mark_up(
    text: str, highlights: Iterable[Highlight], start: int = 0, end: int | None = None, *, ends: bool = True
) -> str:
    """The part `[start, end)` of a text as HTML with its highlights; without the tags it is that part as it is.

    With `ends` the end of each chunk has a label as its beginning has.
    """
    end = len(text) if end is None else end
    inside = [each for each in highlights if each.start < end and each.end > start]
    bounds = sorted(
        {start, end, *(place for each in inside for place in (each.start, each.end) if start < place < end)}
    )
    pieces: list[str] = []
    for left, right in pairwise(bounds):
        pieces.extend(_labels_at(left, inside, ends))
        covering = [each for each in inside if each.start <= left and right <= each.end]
        classes = " ".join(_classes(covering))
        pieces.append(f'<span class="{classes}">{escape(text[left:right])}</span>')
    pieces.extend(_labels_at(end, [each for each in inside if each.end == end], ends))
    marked = "".join(pieces).replace(_ID_LABEL, f'{_ID_LABEL} id="{FIRST}"', 1)
    return f'<div class="kb-text">{marked}</div>'


def _classes(covering: list[Highlight]) -> Iterator[str]:
    chunks = [each for each in covering if each.kind == "chunk"]
    if len(chunks) == 1 and chunks[0].number % 2:
        yield "kb-odd"
    elif len(chunks) > 1:
        yield "kb-overlap"
    yield from sorted({f"kb-{each.kind}" for each in covering if each.kind != "chunk"})


def _labels_at(place: int, highlights: list[Highlight], ends: bool) -> Iterator[str]:
    for each in highlights:
        if ends and each.end == place and each.kind == "chunk":
            yield _label("kb-end", str(each.number))
    for each in highlights:
        if each.start == place and each.kind == "chunk":
            yield _label(f"kb-start kb-state-{each.state}", each.label or str(each.number))
    for each in highlights:
        if each.start == place and each.label and each.kind != "chunk":
            yield _label("kb-id" if each.kind == "evidence" else "kb-misleads", each.label)


def _label(classes: str, text: str) -> str:
    return f'<span class="kb-label {classes}" data-label="{escape(text)}"></span>'
