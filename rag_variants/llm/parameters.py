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
_FORMAT = re.compile(
    r"response.?format|json.?schema|json_object|json.?mode|response.?schema|structured output|guided|grammar", re.I
)
_REFUSING = re.compile(
    r"support|unknown|unrecogni[sz]ed|unexpected|permitted|allowed|invalid|extra|only|must be|deprecated|"
    r"(un|not )(available|enabled|implemented)|cannot|fail|does ?n.t",
    re.I,
)
# How servers refuse a system turn: in words, by the roles they know, or by a template for turns of two kinds (Gemma,
# Mistral) that wants them to alternate.
_SYSTEM = re.compile(
    r"\b(system|developer)\b.{0,80}\b(not|\w+n.t|un\w+|invalid|only)\b"
    r"|\b(not|\w+n.t|un\w+|invalid|no|only)\b.{0,60}\b(system|developer)\b"
    r"|roles? must alternate|must alternate between|after the optional system message"
    r"|\b(only|should be|must be|expected)\b.{0,30}\buser\b.{0,20}\bassistant\b",
    re.I | re.S,
)
_OF_TURNS = re.compile(r"\b(roles?|messages?|prompts?|instructions?|turns?|templates?)\b", re.I)
_STATUSES = (400, 422, 501)
# llama.cpp and mistral.rs report what a template or a grammar does not take as a fault of their own.
_STATUSES_OF_TEMPLATES = (*_STATUSES, 500)
_SYSTEM_ROLE = "the system role"


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
        if _SYSTEM_ROLE in self._refused:
            turns = _without_system(turns)
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
        name = _refused_name(error, body)
        if name is None:
            return False
        if name == _SYSTEM_ROLE:
            self._refused[name] = f"the server refused {name}; its text was put before the first question"
            return True
        if name == "response_format":
            sent = FORMS.index(body["response_format"]["type"])
            self._form = max(self._form, sent + 1)
            self._refused[FORMS[sent]] = f"the server refused {FORMS[sent]}; asked by {FORMS[sent + 1]}"
        else:
            self._refused[name] = f"the server refused {name}; sent without it"
        if name == "max_tokens":
            self._refused[name] = "the server refused max_tokens; sent max_completion_tokens"
        return True

    def notes(self, schema: bool, messages: Sequence[Message] = ()) -> tuple[str, ...]:
        """What of a call was sent otherwise than asked, in words."""
        told = any(each.role == "system" for each in messages)
        left_out = {*(() if schema else FORMS), *(() if told else (_SYSTEM_ROLE,))}
        return tuple(note for name, note in self._refused.items() if name not in left_out)


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


def _without_system(turns: Sequence[dict[str, str]]) -> list[dict[str, str]]:
    """The turns with what the system said at the head of the first user turn; turns of one role in a row are one."""
    told = [turn["content"] for turn in turns if turn["role"] == "system"]
    rest = [dict(turn) for turn in turns if turn["role"] != "system"]
    if not rest or rest[0]["role"] != "user":
        rest.insert(0, {"role": "user", "content": ""})
    rest[0]["content"] = "\n\n".join(filter(None, (*told, rest[0]["content"])))
    joined: list[dict[str, str]] = []
    for turn in rest:
        if joined and joined[-1]["role"] == turn["role"]:
            joined[-1]["content"] += f"\n\n{turn['content']}"
        else:
            joined.append(turn)
    return joined


def _refused_name(error: openai.APIStatusError, body: Mapping[str, Any]) -> str | None:
    """What of a body the server does not take, `_SYSTEM_ROLE` for a role; None if it is something else."""
    inner: Any = error.body
    inner = inner.get("error", inner) if isinstance(inner, dict) else {}
    parameter = str(inner.get("param") or "").split(".")[0] if isinstance(inner, dict) else ""
    words, status = said(error), error.status_code
    if status in _STATUSES_OF_TEMPLATES and _refuses_system(words, parameter, body):
        return _SYSTEM_ROLE
    optional = [name for name in body if name not in ("model", "messages")]
    if status in _STATUSES and parameter in optional:
        return parameter
    if parameter or not _REFUSING.search(words):
        return None
    if status in _STATUSES_OF_TEMPLATES and "response_format" in body and _FORMAT.search(words):
        return "response_format"
    if status not in _STATUSES:
        return None
    return next((name for name in optional if re.search(rf"\b{name}\b", words)), None)


def _refuses_system(words: str, parameter: str, body: Mapping[str, Any]) -> bool:
    if all(turn["role"] != "system" for turn in body["messages"]):
        return False
    of_turns = _OF_TURNS.search(words) is not None or parameter.startswith("messages")
    return of_turns and _SYSTEM.search(words) is not None
