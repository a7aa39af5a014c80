"""The result as files."""

from functools import partial

import streamlit as st

from rag_variants.experiment.compare import Comparison
from rag_variants.report.export import COMPARISON_FORMATS

TYPES = {
    ".json": ("JSON", "application/json"),
    ".csv": ("CSV", "text/csv"),
    ".md": ("Markdown", "text/markdown"),
    ".html": ("HTML", "text/html"),
}


def draw_downloads(comparison: Comparison) -> None:
    """One button a format. A file is made when its button is pressed; the page does not run again."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Download the result", width="content")
        for ending, write in COMPARISON_FORMATS.items():
            label, mime = TYPES.get(ending, (ending.lstrip(".").upper(), "text/plain"))
            st.download_button(
                label,
                data=partial(write, comparison),
                file_name=f"{comparison.a.variant.name}-{comparison.b.variant.name}{ending}",
                mime=mime,
                key=f"download {ending}",
                on_click="ignore",
                icon=":material/download:",
            )
