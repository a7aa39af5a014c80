"""The Settings page: the endpoints whose models can be asked, what they charge, and what is kept of
their replies."""

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.ui.endpoints import own_endpoints
from rag_variants.ui.frame import open_page, show_errors, show_problem
from rag_variants.ui.trials import trials
from rag_variants.ui.views.endpoint_form import draw_form
from rag_variants.ui.views.endpoints import draw_endpoints
from rag_variants.ui.views.prices import draw_prices
from rag_variants.ui.views.replies import draw_replies


def draw_settings_page() -> None:
    """The whole page, section by section. A call that is being tested is followed at the end."""
    open_page("Settings")
    own, trial = own_endpoints(), trials()
    trial.collect(own)
    st.subheader("Model endpoints", anchor=False)
    try:
        place = draw_endpoints(own, trial)
    except UserError as error:  # the environment's own settings cannot be read
        place = None
        show_problem(str(error))
    draw_form(own)
    st.divider()
    st.subheader("Prices", anchor=False)
    with show_errors():
        draw_prices(own)
    st.divider()
    st.subheader("Kept replies", anchor=False)
    with show_errors():
        draw_replies()
    trial.follow(place)
