"""Foreign text inside Markdown. Where a whole element is foreign, use st.text, st.code or a dataframe instead."""

import re

from rag_variants.report.markdown import shown_as_typed

_ACTIVE_ON_PAGES = re.compile(r"([\-.=@/\"'])")  # typography and links that Streamlit makes of bare text
_SHORTCODE = re.compile(r":(?=[\w+\\-])")  # `:name:` would become an icon or an emoji, `http://` a link


def as_typed(text: str) -> str:
    """Markdown that shows the text as typed, on one line: no formula, HTML, link, list, table or emoji in it."""
    escaped = _ACTIVE_ON_PAGES.sub(r"\\\1", shown_as_typed(text))
    return _SHORTCODE.sub(":\u2060", escaped)
