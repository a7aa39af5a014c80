"""Foreign text inside Markdown. Where a whole element is foreign, use st.text, st.code or a dataframe instead."""

import re

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+\-.!|$~&=@/\"'])")
_SHORTCODE = re.compile(r":(?=[\w+-])")  # `:name:` would become an icon or an emoji


def as_typed(text: str) -> str:
    """Markdown that shows the text as typed, on one line: no formula, HTML, link, list, table or emoji in it."""
    escaped = _ACTIVE.sub(r"\\\1", " ".join(text.split()))
    return _SHORTCODE.sub(":\u2060", escaped)
