"""What models charge: the user's own prices, and the list prices that they stand before."""

from collections.abc import Mapping
from typing import Any

import streamlit as st

from rag_variants.llm.endpoint import find_endpoint
from rag_variants.llm.prices import FILE, Price, find_price, read_prices, write_prices
from rag_variants.llm.specs import CHAT_FORM
from rag_variants.report.words import money_words
from rag_variants.settings import Settings
from rag_variants.ui.endpoints import OwnEndpoints
from rag_variants.ui.frame import show_errors
from rag_variants.ui.text import as_typed

_COLUMNS = [5, 3, 3, 4, 2]
_REMOVE = "Remove"


def draw_prices(own: OwnEndpoints) -> None:
    """A line per model with a price, and a form for one more. Raises PricesError for a file that cannot be read."""
    settings = own.settings()
    kept = read_prices(settings)
    st.caption(
        "US dollars per million tokens, for the forecast before a run and the sums after it. Public providers have "
        f"list prices, as new as this installation; yours stand before them and are kept in {FILE} of the state folder."
    )
    listed = _list_prices(own, settings, kept)
    if kept or listed:
        for column, words in zip(st.columns(_COLUMNS), ("Model", "Read", "Written", "From", ""), strict=True):
            column.caption(words)
    for price in kept.values():
        _draw_line(price, "you").button(
            _REMOVE, key=f"remove price {price.model}", on_click=_remove, args=(settings, price.model), type="tertiary"
        )
    for price in listed:
        _draw_line(price, "the provider's list")
    _draw_form(settings)


def _list_prices(own: OwnEndpoints, settings: Settings, kept: Mapping[str, Price]) -> list[Price]:
    """The list prices of models that were tested or listed in this visit and have no price of one's own."""
    specs = [*own.specs("chat"), *own.specs("embeddings")]
    found = (find_price(*find_endpoint(spec, settings), {}) for spec in dict.fromkeys(specs) if spec not in kept)
    return [price for price in found if price is not None]


def _draw_line(price: Price, source: str) -> "st.delta_generator.DeltaGenerator":
    """One model with its prices; the place at the end of the line."""
    model, read, written, whose, last = st.columns(_COLUMNS, vertical_alignment="center")
    model.markdown(as_typed(price.model))
    read.markdown(as_typed(money_words(price.input)))
    written.markdown(as_typed(money_words(price.output)))
    whose.markdown(source)
    return last


def _draw_form(settings: Settings) -> None:
    with st.form("price", border=False, clear_on_submit=True):
        model, read, written, send = st.columns([5, 3, 3, 3], vertical_alignment="bottom")
        spec = model.text_input(
            "Model",
            placeholder=CHAT_FORM,
            key="price model",
            help="As it is written in a variant. A model that has a price gets the new one.",
        )
        words = "US dollars per million tokens that the model {}. 0 for a model of your own."
        bounds: dict[str, Any] = {"min_value": 0.0, "step": 0.01, "format": "%.4g"}
        read_price = read.number_input("$ read", **bounds, key="price input", help=words.format("reads"))
        written_price = written.number_input("$ written", **bounds, key="price output", help=words.format("writes"))
        sent = send.form_submit_button("Set price", width="stretch")
    if sent:
        with show_errors():
            price = Price(spec.strip(), read_price, written_price)
            write_prices(settings, {**read_prices(settings), price.model: price}.values())
            st.rerun()


def _remove(settings: Settings, model: str) -> None:
    write_prices(settings, [price for price in read_prices(settings).values() if price.model != model])
