"""One line of a file of recorded answers: `{"user_input", "answer", "declined", "citations", "chunks", …}`."""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, get_args

from rag_variants.errors import UserError, VariantError, unknown
from rag_variants.pipeline.spec import print_variant
from rag_variants.types import Answer, Fault, FaultKind

_KINDS: tuple[str, ...] = get_args(FaultKind)


class RecordingError(UserError):
    """A file of recorded answers, or one answer in it, that cannot be used."""


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """One kept answer, and what it is for.

    `chunks` are the ids that were handed over, by rank: if given, the answer is for these alone, whatever the variant.
    `variant` is the written form of a variant without its way of answering: if given without chunks, the answer is for
    this one alone. With neither, it is for its question whatever was found.
    """

    user_input: str
    answer: Answer
    variant: str | None = None
    chunks: tuple[str, ...] | None = None


def print_line(kept: RecordedAnswer) -> str:
    """An answer as one line of JSON; what says nothing is left out."""
    answer = kept.answer
    optional = {
        "declined": answer.declined,
        "citations": list(answer.citations),
        "variant": kept.variant,
        "origin": dict(answer.origin),
        "simulated": answer.simulated,
        "faults": [fault_document(fault) for fault in answer.faults],
    }
    line: dict[str, Any] = {"user_input": kept.user_input, "answer": answer.text} | {
        k: v for k, v in optional.items() if v
    }
    if answer.cost_usd is not None:
        line["cost_usd"] = answer.cost_usd
    if kept.chunks is not None:
        line["chunks"] = list(kept.chunks)
    return json.dumps(line, ensure_ascii=False)


def read_line(line: str) -> RecordedAnswer:
    """The answer of a line. Raises ValueError, TypeError, KeyError, AttributeError or VariantError for a broken one."""
    entry = json.loads(line)
    if not isinstance(entry, dict):
        raise ValueError("it is no JSON object")
    user_input, text = (_text(entry, name) for name in ("user_input", "answer"))
    answer = Answer(
        text,
        declined=_switch(entry, "declined"),
        citations=tuple(_ranks(entry.get("citations") or ())),
        cost_usd=_cost(entry.get("cost_usd")),
        simulated=_switch(entry, "simulated"),
        faults=tuple(read_fault(each) for each in entry.get("faults") or ()),
        origin=tuple((str(name), str(value)) for name, value in (entry.get("origin") or {}).items()),
    )
    chunks = entry.get("chunks")
    if chunks is not None and not (isinstance(chunks, list) and all(isinstance(each, str) for each in chunks)):
        raise ValueError("chunks is no list of chunk ids")
    return RecordedAnswer(user_input, answer, _variant(entry), None if chunks is None else tuple(chunks))


def fault_document(fault: Fault) -> dict[str, Any]:
    """A planted fault as plain data."""
    return {"kind": fault.kind, "said": fault.said, "source": fault.source}


def read_fault(entry: Mapping[str, Any]) -> Fault:
    """The fault that plain data holds. Raises ValueError for an unknown kind, KeyError for a missing part."""
    if entry["kind"] not in _KINDS:
        raise ValueError(unknown("kind of fault", str(entry["kind"]), _KINDS))
    return Fault(entry["kind"], str(entry["said"]), None if entry["source"] is None else str(entry["source"]))


def _text(entry: Mapping[str, Any], name: str) -> str:
    value = entry.get(name)
    if not isinstance(value, str) or not value.strip():
        raise ValueError(f"it has no {name}")
    return value


def _switch(entry: Mapping[str, Any], name: str) -> bool:
    value = entry.get(name, False)
    if not isinstance(value, bool):
        raise ValueError(f"{name} is {str(value)[:60]!r}; use true or false")
    return value


def _ranks(values: Iterable[Any]) -> Iterable[int]:
    for value in values:
        if type(value) is not int or value < 1:
            raise ValueError(f"citations holds {str(value)[:60]!r}; use ranks from 1")
        yield value


def _cost(value: Any) -> float | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise ValueError(f"cost_usd is {str(value)[:60]!r}; use a number from 0")
    return float(value)


def _variant(entry: Mapping[str, Any]) -> str | None:
    """The variant in its one written form, without its way of answering."""
    from rag_variants.pipeline import read_variant  # which knows the answerers, this one among them

    given = entry.get("variant")
    if given is None:
        return None
    if not isinstance(given, str):
        raise VariantError(f"variant is {str(given)[:60]!r}; write it as hybrid:top_k=3.")
    return print_variant(read_variant(given), without="answer")


def reason_of(error: Exception) -> str:
    """Why a line was left out, in words."""
    if isinstance(error, json.JSONDecodeError):
        return f"it is not JSON ({error.msg} at character {error.pos + 1})"
    return f"{error.args[0]!r} is missing" if isinstance(error, KeyError) else str(error)
