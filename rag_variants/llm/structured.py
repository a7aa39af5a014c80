"""A value of a schema, out of what a model wrote around it."""

import json
import re
from collections.abc import Iterator
from typing import Annotated, Any, Literal, NoReturn

from pydantic import BaseModel, BeforeValidator, ValidationError

from rag_variants.llm.thinking import after_thinking

_STARTS = 500  # braces at which an object is looked for
_FENCE = re.compile(r"```[a-zA-Z]*\s*\n?(.*?)```", re.S)


def _no_boolean(value: Any) -> Any:
    """The value. Raises ValueError for true and false, which are 1 and 0 to Python and so to Literal."""
    if isinstance(value, bool):
        raise ValueError("neither 0 nor 1")
    return value


BinaryVerdict = Annotated[Literal[0, 1], BeforeValidator(_no_boolean)]


def read_structured(text: str, schema: type[BaseModel]) -> BaseModel | None:
    """The one value of the schema in a reply: alone, in a code fence or between small talk. None if there is none.

    Validated strictly: "0" is not 0. None as well if the reply holds two that differ, or names a field
    twice: nobody knows which one was meant.
    """
    if (alone := _validated(text.strip(), schema)) is not None:
        return alone
    spoken = after_thinking(text)
    if spoken is None:
        return None
    for places in (_fenced(spoken), _objects(spoken)):
        found = [value for place in places if (value := _validated(place, schema)) is not None]
        if found:
            return found[0] if all(value == found[0] for value in found) else None
    return None


def _fenced(text: str) -> Iterator[str]:
    yield from (match[1].strip() for match in _FENCE.finditer(text))


def _objects(text: str) -> Iterator[str]:
    """Every outermost JSON object, left to right."""
    decoder, at = json.JSONDecoder(), 0
    for _ in range(_STARTS):
        if (at := text.find("{", at)) < 0:
            return
        try:
            _, end = decoder.raw_decode(text, at)
        except (ValueError, RecursionError):
            at += 1
        else:
            yield text[at:end]
            at = end


def _validated(text: str, schema: type[BaseModel]) -> BaseModel | None:
    if not text.startswith(("{", "[")):
        return None
    try:
        json.loads(text, object_pairs_hook=_unlike, parse_constant=_refuse)
        return schema.model_validate_json(text, strict=True)
    except (ValidationError, ValueError, RecursionError):
        return None


def _unlike(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    if len({name for name, _ in pairs}) < len(pairs):
        raise ValueError("a field is named twice")
    return dict(pairs)


def _refuse(constant: str) -> NoReturn:
    raise ValueError(f"{constant} is no number")
