"""The body of a server's answer to a chat call → its text and what it took."""

import json
from dataclasses import dataclass
from typing import Any

from rag_variants.errors import CallError
from rag_variants.llm.endpoint import Endpoint
from rag_variants.llm.failures import Failure
from rag_variants.llm.streamed import join_stream, looks_streamed

STREAMED = "the server streamed although it was not asked to"


class AttemptError(Exception):
    """An answer came, and it is of no use."""

    def __init__(self, failure: Failure) -> None:
        super().__init__(failure.error.kind)
        self.failure = failure


@dataclass(frozen=True, slots=True)
class Completion:
    """One finished text."""

    text: str
    prompt_tokens: int | None
    completion_tokens: int | None
    cost_usd: float | None
    notes: tuple[str, ...] = ()


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
    text, finish = _text_of(choices[0]), choices[0].get("finish_reason")
    if finish == "content_filter" or (not text.strip() and _message(choices[0]).get("refusal")):
        raise _failed("filtered", f"Blocked by the filter of {endpoint.name}; it was not asked again.")
    if finish == "length":
        raise _failed("cut", f"The reply was cut at the token limit. Raise max_tokens of {endpoint.name}.")
    if not text.strip():
        raise _failed("empty", f"{endpoint.name} sent an empty reply. Try again, or another model.", True)
    usage = body.get("usage")
    usage = usage if isinstance(usage, dict) else {}
    return Completion(
        text,
        _count(usage.get("prompt_tokens")),
        _count(usage.get("completion_tokens")),
        float(usage["cost"]) if isinstance(usage.get("cost"), int | float) else None,
        (STREAMED,) if looks_streamed(content) else (),
    )


def was_cut(prompt: str, prompt_tokens: int | None) -> bool:
    """Whether a server must have read a part of the prompt only: no language has eight letters a token throughout.

    Small counts say nothing: some servers leave out what they had read for an earlier call.
    """
    return prompt_tokens is not None and prompt_tokens >= 256 and len(" ".join(prompt.split())) > 8 * prompt_tokens


def read_json(content: bytes, endpoint: Endpoint) -> dict[str, Any]:
    """The object of an answer. Raises AttemptError for a web page, for what is no JSON, and for an error inside."""
    if content.lstrip()[:1] == b"<":
        text = f"{endpoint.url} answers with a web page. Check {endpoint.place('base_url')}; most end in /v1."
        raise _failed("url", text)
    try:
        body = json.loads(content)
    except (ValueError, RecursionError):
        body = None
    if not isinstance(body, dict):
        raise _failed("unreadable", f"{endpoint.name} sent an answer that is not readable. Try again later.", True)
    if body.get("error") and not body.get("choices"):
        raise _failed("server", f"{endpoint.name} sent an error in place of a reply. Try again later.", True)
    return body


def _failed(kind: Any, text: str, passes: bool = False) -> AttemptError:
    return AttemptError(Failure(CallError(text, kind), passes))


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
