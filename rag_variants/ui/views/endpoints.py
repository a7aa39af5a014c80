"""The endpoints that are known in this visit, each with its limits and a test."""

from typing import Any

import streamlit as st

from rag_variants.errors import ModelError
from rag_variants.llm.endpoint import known_endpoints, make_endpoint
from rag_variants.settings import EndpointSettings, Settings, TypedEndpoint
from rag_variants.ui.endpoints import OwnEndpoints
from rag_variants.ui.frame import show_note, show_problem
from rag_variants.ui.text import as_typed
from rag_variants.ui.trials import Ask, Trials
from rag_variants.ui.views.endpoint_form import edit

ASKS: dict[Ask, str] = {
    "chat": "Chat model (answers, judges)",
    "embeddings": "Embedding model",
    "models": "List of its models",
}
_EMPTY = (
    "**Nothing has to be set up here.** The encoder, the answerer and the judge that come with this app need no key "
    "and no network. Add an endpoint to let a model of your own answer, judge or embed: a server on this computer "
    "(Ollama, LM Studio, vLLM), OpenAI, Azure, or a company's gateway."
)
_KNOWN = (
    "A model is written **NAME:MODEL**. On the Compare page, choose it as the **answerer** or the **embeddings** in a "
    "variant's settings, or as the **judge**."
)


def draw_endpoints(own: OwnEndpoints, trials: Trials) -> Any:
    """A card each, or how to begin; the place where the call at hand is followed. Raises ModelError."""
    known = own.known()
    if not known:
        show_note(_EMPTY, "no endpoint", "check_circle")
        return None
    st.caption(_KNOWN)
    hidden = known_endpoints(Settings()).keys() & own.given.keys()
    place = None
    for name, given in known.items():
        with st.container(border=True, key=f"endpoint {name}"):
            _draw_head(own, trials, name, given, name in hidden)
            place = _draw_test(own, trials, name) or place
    return place


def _draw_head(own: OwnEndpoints, trials: Trials, name: str, given: EndpointSettings, hides: bool) -> None:
    words, change, remove = st.columns([12, 1.5, 1.7], vertical_alignment="center", gap="small")
    typed = isinstance(given, TypedEndpoint)
    with words:
        origin = "typed in this visit" if typed else "from the environment"
        st.markdown(f"**{as_typed(name)}** · {origin}{', in place of the one in the environment' if hides else ''}")
        try:
            st.text(address_words(name, given))
        except ModelError as error:
            show_problem(str(error))
        st.caption(as_typed(limits_words(given)))
    if typed:
        change.button("Edit", key=f"edit {name}", on_click=edit, args=(name, given), width="stretch")
        remove.button("Remove", key=f"remove {name}", on_click=_remove, args=(own, trials, name), width="stretch",
                      help="Forgets the address and the key.")  # fmt: skip


def address_words(name: str, given: EndpointSettings) -> str:
    """The address that is called, and whether a key goes with it; never the key. Raises ModelError."""
    endpoint = make_endpoint(name, given)
    query = "".join(f" ({key}={value})" for key, value in endpoint.query)
    return f"{endpoint.url}{query} · {'key set' if endpoint.key else 'no key'}"


def limits_words(given: EndpointSettings) -> str:
    """The limits on one line."""
    longest = "replies as long as the server likes" if given.max_tokens is None else f"max_tokens {given.max_tokens:,}"
    attempts = "1 attempt" if given.attempts == 1 else f"{given.attempts} attempts"
    return (
        f"temperature {given.temperature:g} · {longest} · {given.concurrency} at once · {given.timeout:g} s of patience"
        f" · {attempts}"
    )


def _draw_test(own: OwnEndpoints, trials: Trials, name: str) -> Any:
    """The test of an endpoint with what it showed; the place to follow it, if it is being made."""
    ask, model, button = st.columns([4, 7, 2], vertical_alignment="bottom", gap="small")
    asked: Ask = ask.selectbox("Test", list(ASKS), index=2, format_func=ASKS.__getitem__, key=f"ask {name}")
    models = own.listed.get(name, ())
    chosen = model.selectbox(
        "Model", models, index=None, key=f"model {name}", accept_new_options=True, disabled=asked == "models",
        placeholder="choose or type its name" if models else "type its name, or list the models first",
    )  # fmt: skip
    waits = asked != "models" and not chosen
    if button.button("Make one call", key=f"test {name}", disabled=trials.job is not None or waits, width="stretch",
                     help="Nothing of it is kept, and it is not repeated."):  # fmt: skip
        trials.start(own, name, (chosen or "").strip(), asked)
    outcome = trials.outcomes.get(name)
    if outcome is not None and outcome.problem:
        show_problem(outcome.words)
    elif outcome is not None:
        show_note(as_typed(outcome.words), f"outcome {name}", "check_circle")
    return st.empty() if trials.asks(name) else None


def _remove(own: OwnEndpoints, trials: Trials, name: str) -> None:
    own.remove(name)
    trials.forget(name)
