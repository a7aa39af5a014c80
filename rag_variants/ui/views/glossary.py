"""What the words on the screens mean, at hand on every page, in the language that is chosen there."""

from collections.abc import Iterable

import streamlit as st

from rag_variants.metrics import GROUPS, all_metrics
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, current_selection
from rag_variants.ui.views.language_switch import draw_language
from rag_variants.wording.glossary import SECTIONS, Glossary, Section, Term


def chosen_glossary() -> Glossary:
    """The glossary in the language of this page's URL."""
    return Glossary(current_selection().language)


def draw_glossary(selection: Selection) -> None:
    """A button; behind it the language, and the terms by section."""
    glossary = Glossary(selection.language)
    with st.popover(glossary.say("title"), icon=":material/help:", type="tertiary", key="glossary"):
        draw_language(selection, glossary.say("language"))
        tabs = st.tabs([glossary.heading(section) for section in SECTIONS])
        for tab, section in zip(tabs, SECTIONS, strict=True):
            with tab.container(height=420, border=False):
                st.markdown(_lines(section, glossary, selection.judge))


def _lines(section: Section, glossary: Glossary, judge: str) -> str:
    """A section as Markdown; metrics stand under their groups."""
    if section != "metrics":
        return _list(glossary.section(section, judge))
    return "\n\n".join(
        f"**{as_typed(glossary.group(group))}**\n\n"
        + _list(glossary.metric(name, judge) for name, metric in all_metrics().items() if metric.group == group)
        for group in GROUPS
    )


def _list(terms: Iterable[Term]) -> str:
    return "\n".join(f"- **{as_typed(term.title)}**: {as_typed(term.line)}" for term in terms)
