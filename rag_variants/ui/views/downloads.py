"""The result as files."""

from collections.abc import Callable, Mapping
from functools import partial

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.report.export import COMPARISON_FORMATS

TYPES = {
    ".json": ("JSON", "application/json"),
    ".csv": ("CSV", "text/csv"),
    ".md": ("Markdown", "text/markdown"),
    ".html": ("HTML", "text/html"),
}


def draw_downloads(comparison: Comparison) -> None:
    """The result as files."""
    files = {ending: partial(write, comparison) for ending, write in COMPARISON_FORMATS.items()}
    draw_files("Download the result", f"{comparison.a.variant.name}-{comparison.b.variant.name}", files)


def draw_files(label: str, name: str, files: Mapping[str, Callable[[], str]], key: str = "download") -> None:
    """One button a format. A file is made when its button is pressed; the page does not run again."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption(label, width="content")
        for ending, write in files.items():
            words, mime = TYPES.get(ending, (ending.lstrip(".").upper(), "text/plain"))
            st.download_button(
                words,
                data=write,
                file_name=f"{name}{ending}",
                mime=mime,
                key=f"{key} {ending}",
                on_click="ignore",
                icon=":material/download:",
            )
