"""What every page has: its title, the links between pages that keep the selection, and errors as one box."""

from collections.abc import Iterator
from contextlib import contextmanager

import streamlit as st

from rag_variants.errors import StateError, UserError
from rag_variants.settings import packaged
from rag_variants.ui.text import as_typed
from rag_variants.ui.url import Selection, link_parameters, print_selection, read_selection
from rag_variants.ui.views.glossary import draw_glossary

PAGES = {
    "Compare": "app.py",
    "Tune": "pages/tune.py",
    "Question": "pages/question.py",
    "Judge": "pages/judge.py",
    "Runs": "pages/runs.py",
    "Lessons": "pages/lessons.py",
    "Knowledge": "pages/knowledge.py",
    "Settings": "pages/settings.py",
}

OWN_LANGUAGE = ("Lessons",)  # pages that are in the chosen language themselves, with a switch of their own

# Streamlit has no setting for these: the space above the page, long words, and sizes that can be read from afar.
_CSS = """
.block-container { padding: 1.25rem 2rem 4rem; max-width: 110rem; }
header[data-testid="stHeader"] { background: transparent; pointer-events: none; }
header[data-testid="stHeader"] * { pointer-events: auto; }
[data-testid="stMain"] { overflow-anchor: none; }
[data-testid="stText"], [data-testid="stMarkdownContainer"], [data-testid="stAlert"] { overflow-wrap: anywhere; }
[data-testid="stText"] { white-space: pre-wrap; line-height: 1.45; }
[class*="st-key-large"] [data-testid="stText"] { font-size: 1.35rem; font-weight: 600; line-height: 1.3; }
[class*="st-key-lead"] [data-testid="stText"] { font-size: 1.25rem; line-height: 1.5; max-width: 60rem; }
[class*="st-key-quiet"] [data-testid="stText"] { opacity: 0.75; font-size: 0.9rem; }
[class*="st-key-note"] { background: color-mix(in srgb, currentColor 8%, transparent); border-radius: 0.5rem;
  padding: 0.7rem 1rem; }
.st-key-sources-row [data-testid="stHorizontalBlock"] { flex-wrap: wrap; }
.st-key-sources-row [data-testid="stColumn"] { min-width: 11.5rem; }
[class*="st-key-kind-row"] [data-testid="stColumn"]:last-child { min-width: 7.2rem; }
[data-testid="stColumn"]:has(.st-key-run) { min-width: 10rem; }
[class*="st-key-wide"] { overflow-x: auto; } [class*="st-key-wide"] > * { min-width: 68rem; }
.st-key-shown button { padding-left: 0.6rem; padding-right: 0.6rem; }
.st-key-shown button p { font-size: 0.85rem; }
"""


# The primary colour is light in the dark theme, and Streamlit writes white on it.
_DARK_CSS = '[data-testid^="stBaseButton-primary"] *, [data-testid="stMultiSelect"] [data-tag] * { color: #191817; }'

# For the back of a room: every size on the page is a multiple of this one.
_LARGE_CSS = """
html { font-size: clamp(18px, 1.3vw, 30px); }
.st-key-moves-top { position: sticky; top: 0; z-index: 5; padding: 0.3rem 0; backdrop-filter: blur(10px); }
.block-container { padding-top: 0.75rem; }
[data-testid="stVegaLiteChart"] { zoom: 1.4; max-width: calc(100% / 1.4); }
"""


def open_page(title: str) -> Selection:
    """Begins a page: its settings, the row of links, and the selection in its URL. Bad values are named in a box.

    A presentation has large type and no links.
    """
    st.set_page_config(
        page_title=f"{title} · RAG Variants",
        layout="wide",
        initial_sidebar_state="collapsed",
    )
    st.html(f"<style>{_CSS}{_DARK_CSS if st.context.theme.type == 'dark' else ''}</style>")
    selection, problems = read_selection(link_parameters())
    if selection.room == "presentation":
        st.html(f"<style>{_LARGE_CSS}</style>")
    else:
        _draw_links(title, selection)
    for at, problem in enumerate(problems):
        show_note(as_typed(problem), f"link {at}", "link_off")
    return selection


def _draw_links(title: str, selection: Selection) -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="medium"):
        st.markdown("**RAG Variants**", width="content")
        for label, file in PAGES.items():
            if _exists(file):
                draw_page_link(file, label, selection, disabled=label == title)
        if title not in OWN_LANGUAGE:
            st.space("stretch")
            draw_glossary(selection)


def draw_page_link(file: str, label: str, selection: Selection, disabled: bool = False) -> None:
    """A link to a page that keeps the selection."""
    st.page_link(file, label=label, query_params=print_selection(selection), disabled=disabled)


def begin_at_top(*place: int) -> None:
    """Scrolls to the top whenever the place, as numbers, is another one; Streamlit keeps how far down one was."""
    script = "document.querySelector('[data-testid=stMain]').scrollTo(0, 0);"
    # The text is what tells Streamlit that the place is another one; with the same text the script is not run again.
    st.html(f"<script>/* {' '.join(map(str, place))} */ {script}</script>", unsafe_allow_javascript=True)


@contextmanager
def show_errors() -> Iterator[None]:
    """Shows a mistake that the user can mend as one box: its sentence, no traceback."""
    try:
        yield
    except UserError as error:
        show_problem(str(error))


def show_problem(sentence: str) -> None:
    """One box with a sentence, shown as typed."""
    st.error(as_typed(sentence), icon=":material/error:")


def show_note(markdown: str, key: str, icon: str = "info") -> None:
    """A remark in a grey box: Streamlit's own boxes are blue and yellow, which belong to A and to evidence."""
    with st.container(key=f"note {key}"):
        st.markdown(f":material/{icon}: {markdown}")


def _exists(file: str) -> bool:
    try:
        return packaged(file).exists()
    except StateError:
        return False
