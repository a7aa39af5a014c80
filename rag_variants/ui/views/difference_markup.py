"""A text with its differing words marked, as HTML in which every foreign character is escaped."""

from collections.abc import Sequence
from html import escape
from typing import Literal

from rag_variants.report.differing_words import Piece

# A's marks are blue, B's orange, the reference's grey; a line beneath says it without colour.
CSS = """
.words { white-space: pre-wrap; overflow-wrap: anywhere; line-height: 1.65; }
.words mark { color: inherit; border-radius: 3px; padding: 0 .15em; border-bottom: 2px solid currentColor; }
.words-a mark { background-color: rgb(0 103 177 / .18); border-color: rgb(0 103 177 / .9); }
.words-b mark { background-color: rgb(217 102 10 / .2); border-color: rgb(217 102 10 / .9); }
.words-reference mark { background-color: color-mix(in srgb, currentColor 14%, transparent); }
"""


def mark_words_up(pieces: Sequence[Piece], side: Literal["a", "b", "reference"]) -> str:
    """The text as one block; without its tags it is the text, character for character."""
    marked = (f"<mark>{escape(piece.text)}</mark>" if piece.differs else escape(piece.text) for piece in pieces)
    return f'<div class="words words-{side}" dir="auto">{"".join(marked)}</div>'
