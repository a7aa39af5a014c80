"""One call to a model or an endpoint, to see whether it works: never kept, never repeated."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from rag_variants.errors import CallError
from rag_variants.llm.chat import Message
from rag_variants.llm.completion import read_json
from rag_variants.llm.dispatcher import Dispatcher
from rag_variants.llm.endpoint import Endpoint, find_endpoint
from rag_variants.llm.endpoint_chat import Desk, EndpointChat
from rag_variants.llm.endpoint_embeddings import TEXTS_PER_CALL, EndpointEmbeddings
from rag_variants.llm.endpoint_rerank import EndpointRerank
from rag_variants.llm.structured import BinaryVerdict
from rag_variants.llm.waiting import wait_for
from rag_variants.settings import Settings

PATIENCE = 60.0  # seconds; a model that is loaded first takes its time
_SHOWN = 8


class SmallestReply(BaseModel):
    """What a judge can reply in the fewest words."""

    verdict: BinaryVerdict


# As an answerer is told and asked, in two turns; and in the form in which a judge replies.
_TRIAL = (
    Message("system", 'Reply as JSON: {"verdict": 1} for yes, {"verdict": 0} for no.'),
    Message("user", "Is a week longer than a day?"),
)

_TO_RERANK = ("How long is a week?", ("A week has seven days.", "The office plants are watered by hand."))


def try_chat(spec: str, settings: Settings) -> str:
    """What one call to a chat model showed: time, and what it refused. Raises ModelError and CallError.

    It is the call of a run: a system turn and a user turn, and a reply in a form.
    """
    endpoint, model = find_endpoint(spec, settings)
    endpoint = _impatient(endpoint)
    chat = EndpointChat(spec, endpoint, model, Dispatcher(endpoint), Desk(None))
    try:
        reply = wait_for(chat.ask(_TRIAL, schema=SmallestReply))
    except CallError as error:
        if error.kind != "unreadable" or error.reply is None:
            raise
        text = f"{spec} answers, but not in the form that a judge needs. It may answer questions; judge with another."
        raise CallError(text, "unreadable") from None
    return "; ".join([f"{endpoint.url} replied in {reply.seconds or 0.0:.2f} s", *reply.notes])


def try_embeddings(spec: str, settings: Settings) -> str:
    """What one call to an embedding model showed: numbers a text. Raises ModelError and CallError.

    It holds as many texts as a call of a run; a server that takes fewer is called again with as many as it takes.
    """
    endpoint, model = find_endpoint(spec, settings)
    endpoint = _impatient(endpoint)
    encoder = EndpointEmbeddings(endpoint, model, Dispatcher(endpoint))
    rows = encoder.embed_passages([f"Text {number} of a call." for number in range(1, TEXTS_PER_CALL + 1)])
    return "; ".join([f"{endpoint.url} replied, {rows.shape[1]} numbers a text", *encoder.notes])


def try_rerank(spec: str, settings: Settings) -> str:
    """What one call to a reranking model showed: time, and whether it knows which text fits.

    Raises ModelError and CallError.
    """
    endpoint, model = find_endpoint(spec, settings)
    endpoint = _impatient(endpoint)
    reply = wait_for(EndpointRerank(endpoint, model, Dispatcher(endpoint), Desk(None), {}).rerank(*_TO_RERANK))
    fits, other = reply.scores
    words = f"{endpoint.url} replied in {reply.seconds:.2f} s, {fits:.4g} for a text that fits, {other:.4g} for another"
    return words if fits > other else f"{words}: is it a reranking model?"


def find_models(endpoint: Endpoint) -> tuple[str, ...]:
    """The names of the models that an endpoint says it has, in its order. Raises CallError."""
    endpoint = _impatient(endpoint)
    dispatcher = Dispatcher(endpoint)

    async def ask(_: int) -> dict[str, Any]:
        return read_json(await dispatcher.wire.get("/models"), endpoint)

    data = wait_for(dispatcher.run(dispatcher.line("", "models"), ask, "")).get("data")
    return tuple(str(each.get("id")) for each in data if isinstance(each, dict)) if isinstance(data, list) else ()


def list_models(endpoint: Endpoint) -> str:
    """The models that an endpoint says it has, in words. Raises CallError."""
    try:
        names = find_models(endpoint)
    except CallError as error:
        if error.kind not in ("model", "url"):
            raise
        raise CallError(
            f"{error} If its models are not listed, try one: --model {endpoint.name}:MODEL.", "url"
        ) from None
    return models_in_words(endpoint, names)


def models_in_words(endpoint: Endpoint, names: Sequence[str]) -> str:
    """The address and the first names, and how many more there are."""
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return f"{endpoint.url} has {', '.join(names[:_SHOWN]) or 'no model'}{more}"


def _impatient(endpoint: Endpoint) -> Endpoint:
    return replace(endpoint, attempts=1, timeout=min(endpoint.timeout, PATIENCE))
