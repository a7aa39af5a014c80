"""The body of a chat call, and what a server is known to refuse in it."""

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import openai
from pydantic import BaseModel

from rag_variants.llm.chat import Message
from rag_variants.llm.failures import said

# How a structured reply is asked for: each server gets the first form that it takes.
FORMS = ("json_schema", "json_object", "the prompt alone")
_FORMAT = re.compile(r"response_format|json_schema|json_object|structured output|guided|grammar", re.I)
_REFUSING = re.compile(
    r"support|unknown|unrecogni[sz]ed|unexpected|permitted|allowed|invalid|extra|only|must be|deprecated", re.I
)


class Parameters:
    """What one model at one endpoint takes. Learned from refusals, for all calls of the process."""

    def __init__(self) -> None:
        self._refused: dict[str, str] = {}
        self._form = 0

    def body(
        self,
        model: str,
        messages: Sequence[Message],
        wished: Mapping[str, Any],
        schema: type[BaseModel] | None,
        lower: int = 0,
    ) -> dict[str, Any]:
        """What to send. `lower`: by how many forms to ask less formally than the server would take."""
        turns = [{"role": each.role, "content": sendable(each.content)} for each in messages]
        body: dict[str, Any] = {"model": model, "messages": turns}
        for name, value in wished.items():
            if name not in self._refused:
                body[name] = value
            elif name == "max_tokens" and "max_completion_tokens" not in self._refused:
                body["max_completion_tokens"] = value
        if schema is not None:
            form = FORMS[min(self._form + lower, len(FORMS) - 1)]
            if form != FORMS[2]:
                body["response_format"] = {"type": form}
            if form == FORMS[0]:
                body["response_format"]["json_schema"] = strict_schema(schema)
            else:
                turns[-1]["content"] += (
                    f"\n\nReply with one JSON object of this schema and nothing else:\n{plain(schema)}"
                )
        return body

    def learn(self, error: openai.APIStatusError, body: Mapping[str, Any]) -> bool:
        """True if the server refused a parameter and another body can be tried."""
        if error.status_code not in (400, 422, 501):
            return False
        name = _refused_name(error, body)
        if name is None:
            return False
        if name == "response_format":
            sent = FORMS.index(body["response_format"]["type"])
            self._form = max(self._form, sent + 1)
            self._refused[FORMS[sent]] = f"the server refused {FORMS[sent]}; asked by {FORMS[sent + 1]}"
        else:
            self._refused[name] = f"the server refused {name}; sent without it"
        if name == "max_tokens":
            self._refused[name] = "the server refused max_tokens; sent max_completion_tokens"
        return True

    def notes(self, schema: bool) -> tuple[str, ...]:
        """What was sent otherwise than asked, in words."""
        return tuple(note for name, note in self._refused.items() if schema or name not in FORMS)


def sendable(text: str) -> str:
    """Text that can be sent: half characters, as broken files hold them, become question marks."""
    return text.encode("utf-8", "replace").decode("utf-8")


@lru_cache(maxsize=256)
def plain(schema: type[BaseModel]) -> str:
    """The schema as one line of JSON."""
    return json.dumps(schema.model_json_schema(), ensure_ascii=False, sort_keys=True)


@lru_cache(maxsize=256)
def strict_schema(schema: type[BaseModel]) -> dict[str, Any]:
    """The schema as OpenAI's strict mode wants it: every field required, no other allowed."""
    name = re.sub(r"[^A-Za-z0-9_-]", "_", schema.__name__)[:64]
    function = openai.pydantic_function_tool(schema, name=name)["function"]
    return {"name": name, "strict": True, "schema": function["parameters"]}


def prepare_form(schema: type[BaseModel]) -> None:
    """Works out what is sent for a schema, some 50 ms for the first, so that no call in flight waits for it."""
    plain(schema)
    strict_schema(schema)


def _refused_name(error: openai.APIStatusError, body: Mapping[str, Any]) -> str | None:
    inner: Any = error.body
    inner = inner.get("error", inner) if isinstance(inner, dict) else {}
    parameter = str(inner.get("param") or "").split(".")[0] if isinstance(inner, dict) else ""
    optional = [name for name in body if name not in ("model", "messages")]
    if parameter in optional:
        return parameter
    words = said(error)
    if parameter or not _REFUSING.search(words):
        return None
    if "response_format" in body and _FORMAT.search(words):
        return "response_format"
    return next((name for name in optional if re.search(rf"\b{name}\b", words)), None)
