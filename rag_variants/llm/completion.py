"""The body of a server's answer to a chat call → its text and what it took."""

import json
from dataclasses import dataclass
from typing import Any

from rag_variants.errors import CallError, CallFault
from rag_variants.llm.endpoint import Endpoint
from rag_variants.llm.failures import Failure, is_web_page, web_page_words
from rag_variants.llm.streamed import join_stream, looks_streamed

STREAMED = "the server streamed although it was not asked to"
# As OpenAI says it, and as gateways pass on Gemini's, Mistral's and Anthropic's.
_CUT = frozenset({"length", "max_tokens", "model_length", "model_context_window_exceeded"})
_FILTERED = frozenset({"content_filter", "safety", "recitation", "blocklist", "prohibited_content", "spii"})
# Where a reply's reasoning stands: DeepSeek, vLLM and llama.cpp; OpenRouter, Ollama and newer vLLM; others.
_REASONING = ("reasoning_content", "reasoning", "reasoning_details", "thinking")
REASONING_TRIES = 2  # thinking is what costs: who thought twice without an answer is not asked ten times


class AttemptError(Exception):
    """An answer came, and it is of no use."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.error.kind)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Completion:
    """One finished text. `model` is the name under which a model answered, None where a reply was kept."""

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    notes: tuple[str, ...] = ()
    model: str | None = None


def read_completion(content: bytes, endpoint: Endpoint) -> Completion:
    """The text and its counts. Raises AttemptError for anything that is no finished text."""
    if looks_streamed(content):
        body = join_stream(content)
        if body is None:
            raise _failed("dropped", f"{endpoint.name} broke off in the middle of a reply. Try again later.", True)
    else:
        body = read_json(content, endpoint)
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices or not isinstance(choices[0], dict):
        raise _failed("empty", f"{endpoint.name} sent no reply in its answer. Try again, or another model.", True)
    text = _text_of(choices[0])
    if (why := _unfinished(choices[0], text, endpoint)) is not None:
        raise why
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        text,
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        float(usage["cost"]) if isinstance(usage.get("cost"), int | float) else None,
        (STREAMED,) if looks_streamed(content) else (),
        answering_model(body),
    )


def answering_model(body: dict[str, Any]) -> str | None:
    """The name of the model that a server says has answered; None if it says nothing."""
    name = body.get("model")
    return name.strip() or None if isinstance(name, str) else None


def _unfinished(choice: dict[str, Any], text: str, endpoint: Endpoint) -> AttemptError | None:
    """Why a choice is no finished text, or None if it is one."""
    message, finish = _message(choice), str(choice.get("finish_reason") or "").lower()
    blank, name = not text.strip(), endpoint.name
    if finish in _FILTERED:
        return _failed("filtered", f"Blocked by the filter of {name}; it was not asked again.")
    if finish == "refusal" or (blank and message.get("refusal")):
        return _failed("filtered", f"The model of {name} refused to reply; it was not asked again. Try another model.")
    reasoned = blank and any(str(message.get(each) or "").strip() for each in _REASONING)
    room = endpoint.place("max_tokens")
    if finish in _CUT:
        thought = f"{name} spent all tokens on reasoning and gave no answer."
        spent = thought if reasoned else "The reply was cut at the token limit."
        return _failed("cut", f"{spent} Raise max_tokens of {name} ({room}).")
    if reasoned:
        remedy = (
            f"Raise max_tokens of {name} ({room}) if it is set, turn the model's reasoning down or off at the server, "
            "or use another model."
        )
        return _failed("empty", f"{name} only reasoned and gave no answer. {remedy}", True, REASONING_TRIES)
    if finish == "error":
        return _failed("server", f"{name} sent an error in place of a reply. Try again later.", True)
    if blank:
        return _failed("empty", f"{name} sent an empty reply. Try again, or another model.", True)
    return None


def read_json(content: bytes, endpoint: Endpoint, bare: str | None = None) -> dict[str, Any]:
    """The object of an answer; a list without one becomes an object that has it under the name `bare`.

    Raises AttemptError for a web page, for what is no JSON, and for an error inside.
    """
    if is_web_page(content):
        raise _failed("url", web_page_words(endpoint))
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if bare is not None and isinstance(body, list):
        body = {bare: body}
    if not isinstance(body, dict):
        raise _failed("unreadable", f"{endpoint.name} sent an answer that is not readable. Try again later.", True)
    if body.get("error") and not body.get("choices"):
        raise _failed("server", f"{endpoint.name} sent an error in place of a reply. Try again later.", True)
    return body


def _failed(kind: CallFault, text: str, passes: bool = False, tries: int | None = None) -> AttemptError:
    return AttemptError(Failure(CallError(text, kind), passes, tries=tries))


def _message(choice: dict[str, Any]) -> dict[str, Any]:
    message = choice.get("message")
    return message if isinstance(message, dict) else {}


def _text_of(choice: dict[str, Any]) -> str:
    content = _message(choice).get("content")
    if isinstance(content, list):  # parts, as some gateways send them
        return "".join(part["text"] for part in content if isinstance(part, dict) and isinstance(part.get("text"), str))
    return content if isinstance(content, str) else ""


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
