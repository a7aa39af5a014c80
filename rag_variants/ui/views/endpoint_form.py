"""The form for an endpoint: typed here, it stays in this session's memory alone."""

from typing import Any

import streamlit as st
from annotated_types import Ge, Gt, Le
from pydantic import SecretStr

from rag_variants.errors import ModelError
from rag_variants.llm.address import read_address
from rag_variants.llm.endpoint import OPENAI, OPENAI_URL, make_endpoint
from rag_variants.llm.specs import is_endpoint_name
from rag_variants.settings import EndpointSettings, TypedEndpoint
from rag_variants.ui.endpoints import OwnEndpoints, own_endpoints
from rag_variants.ui.frame import show_note, show_problem
from rag_variants.ui.text import as_typed
from rag_variants.ui.trials import trials

# Where servers listen unless they are told otherwise: label → name and address.
EXAMPLES = {
    "Ollama": ("ollama", "http://localhost:11434/v1"),
    "LM Studio": ("lmstudio", "http://localhost:1234/v1"),
    "vLLM": ("vllm", "http://localhost:8000/v1"),
    "OpenAI": (OPENAI, OPENAI_URL),
    "Azure OpenAI": ("azure", "https://RESOURCE.openai.azure.com/openai/v1"),
}
LIMITS = ("temperature", "max_tokens", "concurrency", "timeout", "attempts")
_LASTING = (
    "What is typed here lasts until this tab is reloaded or closed. To have an endpoint at every start, set "
    "RAG_VARIANTS_ENDPOINTS__NAME__BASE_URL and …__API_KEY (or OPENAI_API_KEY) in the environment or in a file .env, "
    "and start again."
)
_EDITED, _SAID, _PROBLEM = "endpoint edited", "endpoint said", "endpoint problem"
_ROUND = "endpoint round"  # counts emptied forms: browsers may go on showing what a password field held


def draw_form(own: OwnEndpoints) -> None:
    """Fields for one endpoint, filled by an example or by the one that is edited."""
    edited = st.session_state.get(_EDITED)
    with st.container(border=True, key="endpoint form"):
        st.markdown(f"**Edit {as_typed(edited)}**" if edited else "**Add an endpoint**")
        if not edited:
            _draw_examples()
        _draw_address(edited)
        # A form, because what is typed into a password field reaches a button outside of one only after a click.
        with st.form("endpoint", border=False):
            _draw_key(edited in own.given and own.given[edited].api_key is not None)
            with st.expander("Limits and temperature"):
                columns = st.columns(len(LIMITS), gap="small", vertical_alignment="bottom")
                for column, limit in zip(columns, LIMITS, strict=True):
                    with column:
                        _draw_limit(limit)
            _draw_buttons(edited)
        st.caption(as_typed(_LASTING))


def _draw_examples() -> None:
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.caption("Fill in the usual address of", width="content")
        for label, (name, address) in EXAMPLES.items():
            st.button(label, key=f"example {label}", on_click=_fill, args=(name, address), width="content")


def _draw_address(edited: str | None) -> None:
    left, right = st.columns([3, 12], gap="small")
    left.text_input("Name", key="endpoint name", placeholder="mine", disabled=edited is not None,
                    help="How its models are written: NAME:MODEL.")  # fmt: skip
    right.text_input("Base URL", key="endpoint base_url", placeholder="http://localhost:11434/v1",
                     help="In any form that people paste: with or without https:// and /v1, or a call's whole "
                     "address.")  # fmt: skip
    with right.container(key="quiet called"):
        st.text(called_words(_text("name"), _text("base_url")))


def _draw_key(keyed: bool) -> None:
    st.text_input(
        "API key", type="password", key=_key_field(), autocomplete="new-password",
        placeholder="as it is; type to replace it" if keyed else "only if the server wants one",
        help="Stays in the memory of this tab's session until the tab is reloaded or closed: in no file, address, log "
        "or cache, and no other visitor's calls use it.",
    )  # fmt: skip


def called_words(name: str, pasted: str) -> str:
    """What will be called for an address as it was pasted, or what is wrong with it."""
    if not pasted:
        return f"Will be called: {OPENAI_URL}/chat/completions" if name.lower() == OPENAI else " "
    try:
        url, query = read_address(pasted, "the address")
    except ModelError as error:
        return str(error)
    return f"Will be called: {url}/chat/completions" + "".join(f" ({key}={value})" for key, value in query.items())


def _draw_limit(name: str) -> None:
    """A number field with the title, help and bounds of the setting."""
    field = EndpointSettings.model_fields[name]
    kind: Any = int if name in ("max_tokens", "concurrency", "attempts") else float
    step = kind(0.1 if name == "temperature" else 1)
    bounds: dict[str, Any] = {"min_value": None, "max_value": None}
    for bound in field.metadata:
        match bound:
            case Ge():
                bounds["min_value"] = kind(bound.ge)
            case Gt():
                bounds["min_value"] = kind(bound.gt) + step
            case Le():
                bounds["max_value"] = kind(bound.le)
    key = f"endpoint {name}"
    st.session_state.setdefault(key, field.default)
    st.number_input(
        field.title or name, **bounds, step=step, key=key, help=field.description, placeholder="server's own",
        format="%g" if kind is float else None,
    )  # fmt: skip


def _draw_buttons(edited: str | None) -> None:
    problem, said = st.session_state.get(_PROBLEM), st.session_state.pop(_SAID, None)
    with st.container():  # also without a message, so that what stands below keeps its place
        if problem:
            show_problem(problem)
        elif said:
            show_note(as_typed(said), "endpoint said", "check_circle")
    with st.container(horizontal=True, gap="small"):
        st.form_submit_button("Save" if edited else "Add endpoint", key="endpoint save", type="primary", on_click=_save)
        if edited:
            st.form_submit_button("Cancel", key="endpoint cancel", on_click=_clear)


def edit(name: str, given: EndpointSettings) -> None:
    """Fills the form with an endpoint of this visit. Its key is not shown again."""
    _clear()
    st.session_state[_EDITED] = name
    _fill(name, given.base_url.get_secret_value() if given.base_url else "")
    for limit in LIMITS:
        st.session_state[f"endpoint {limit}"] = getattr(given, limit)


def _fill(name: str, address: str) -> None:
    st.session_state["endpoint name"], st.session_state["endpoint base_url"] = name, address
    st.session_state.pop(_PROBLEM, None)


def _save() -> None:
    own, edited = own_endpoints(), st.session_state.get(_EDITED)
    name = _text("name").lower()
    try:
        given = _typed(own, name, edited)
        make_endpoint(name, given)
    except ModelError as error:
        st.session_state[_PROBLEM] = str(error)
        return
    own.put(name, given)
    trials().forget(name)
    _clear()
    st.session_state[_SAID] = f"{name} is set up for this visit. Test it above with one call."


def _typed(own: OwnEndpoints, name: str, edited: str | None) -> TypedEndpoint:
    """The endpoint in the form. Raises ModelError for a name that cannot be used."""
    if not is_endpoint_name(name):
        raise ModelError(
            f"{name!r} cannot be the name of an endpoint. Use a letter, then letters, digits, - and _; embedded and "
            f"recorded are taken."
        )
    if name != edited and name in own.given:
        raise ModelError(f"There is an endpoint called {name} already. Edit that one, or choose another name.")
    pasted = str(st.session_state.get(_key_field()) or "").strip()
    key = SecretStr(pasted) if pasted else None
    if key is None and edited in own.given:
        key = own.given[edited].api_key
    limits = {limit: st.session_state[f"endpoint {limit}"] for limit in LIMITS}
    return TypedEndpoint(base_url=SecretStr(_text("base_url")) if _text("base_url") else None, api_key=key, **limits)


def _clear() -> None:
    """An empty form; the key leaves the field at once."""
    st.session_state.pop(_key_field(), None)
    st.session_state[_ROUND] = st.session_state.get(_ROUND, 0) + 1
    _fill("", "")
    for limit in LIMITS:
        st.session_state[f"endpoint {limit}"] = EndpointSettings.model_fields[limit].default
    for name in (_EDITED, _PROBLEM):
        st.session_state.pop(name, None)


def _key_field() -> str:
    return f"endpoint api_key {st.session_state.get(_ROUND, 0)}"


def _text(name: str) -> str:
    return str(st.session_state.get(f"endpoint {name}") or "").strip()
