"""What one entry of a question file may hold, and a sentence for whatever it may not."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, get_args

from pydantic import BaseModel, BeforeValidator, ConfigDict, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

from rag_variants.questions.cells import Number, parse_json, read_flag, read_list
from rag_variants.questions.columns import is_blank
from rag_variants.types import TrapReason

_BETWEEN_TAGS = re.compile(r"[;,\n]|\s(?=[\w.-]+=)")
_IN_A_TAG = re.compile(r"[=:]")
_REASONS = ", ".join(get_args(TrapReason)[:-1]) + " or " + get_args(TrapReason)[-1]
_REMEDIES = {
    "user_input": "write the question",
    "quote": "copy the exact words from the document",
    "document": "write its path below the knowledge base's folder",
    "why": f"write {_REASONS}",
    "context": "write the text that was read",
    "statement": "write the sentence to be judged",
    "supported": "write 1 or 0",
}
_WANTED = {
    "string_type": "write one text",
    "int_type": "write a whole number",
    "int_parsing": "write a whole number",
    "int_from_float": "write a whole number",
    "list_type": "write a list",
    "dict_type": 'write an object such as {"kind": "lookup"}',
    "model_type": 'write an object such as {"document": "…", "quote": "…"}',
    "bool_type": "write true or false",
}


def as_path(value: Any) -> Any:
    """A path as knowledge bases write it: `/` between folders, no `./` in front."""
    return value.strip().replace("\\", "/").removeprefix("./") if isinstance(value, str) else value


def _stripped(value: Any) -> Any:
    return (value.strip() or None) if isinstance(value, str) else value


def _objects(value: Any) -> Any:
    """A list of objects from a list, one object, or a cell that holds either as JSON; blank fields are left out."""
    if is_blank(value):
        return []
    if isinstance(value, str):
        texts = read_list(value) or ()
        value = parse_json(value) if texts == (value.strip(),) and value.strip()[0] in "[{" else list(texts)
    entries = value if isinstance(value, list) else [value]
    return [
        {name: each for name, each in entry.items() if not is_blank(each)} if isinstance(entry, dict) else entry
        for entry in entries
    ]


def _quotes(value: Any) -> Any:
    """Evidence; a bare text is a quote from whichever document holds it."""
    return [{"quote": entry} if isinstance(entry, str) else entry for entry in _objects(value)]


def _texts(value: Any) -> Any:
    found = list(read_list(value) or ()) if isinstance(value, str) else value
    return [] if found is None else [each for each in found if not is_blank(each)] if isinstance(found, list) else found


def _alternatives(value: Any) -> Any:
    """Lists of expected strings; a bare text is a list of its own."""
    if isinstance(value, str) and value.strip().startswith("[["):
        value = parse_json(value)
    entries = _texts(value)
    if not isinstance(entries, list):
        return entries
    return [each for each in ([entry] if isinstance(entry, str) else _texts(entry) for entry in entries) if each != []]


def _tags(value: Any) -> Any:
    if isinstance(value, str):
        value = parse_json(value) if value.strip()[:1] in ("{", "[") else _plain_tags(value)
    if isinstance(value, list) and all(isinstance(each, str) for each in value):
        value = dict.fromkeys(value, "yes")
    if not isinstance(value or {}, dict):
        return value
    value = value or {}
    flags = {True: "true", False: "false"}
    filled = {name.strip(): each for name, each in value.items() if not is_blank(each)}
    return {name: flags[each] if isinstance(each, bool) else _stripped(each) for name, each in filled.items()}


def _plain_tags(cell: str) -> dict[str, str]:
    """Tags as people type them: `kind=stale; language=pl`, `area: billing`; a word alone is a tag that is `yes`."""
    pieces = [piece.strip() for piece in _BETWEEN_TAGS.split(cell) if piece.strip()]
    found = [_IN_A_TAG.split(piece, maxsplit=1) for piece in pieces]
    return {name.strip(): rest[0].strip() if rest else "yes" for name, *rest in found}


def _worded(value: Any) -> Any:
    if isinstance(value, Number):
        raise PydanticCustomError("string_type", "a number is no text")
    return _stripped(value)


Line = Annotated[str, BeforeValidator(_stripped)]
Wording = Annotated[str, BeforeValidator(_worded)]  # a number is none; in CSV everything is text
Path = Annotated[str, BeforeValidator(as_path)]
Flag = Annotated[bool, BeforeValidator(read_flag)]


class EvidenceShape(BaseModel):
    """One quote; without a document, it counts wherever it stands."""

    document: Path = ""
    quote: str
    group: int | None = None
    key: str | None = None


class TrapShape(BaseModel):
    """One passage that misleads."""

    document: Path
    quote: str = ""
    why: TrapReason


class QuestionShape(BaseModel):
    """One entry of a question file."""

    model_config = ConfigDict(extra="ignore")

    id: Line | None = None
    user_input: Wording
    reference: Line | None = None
    answerable: Annotated[bool | None, BeforeValidator(read_flag)] = None
    evidence: Annotated[list[EvidenceShape], BeforeValidator(_quotes)] = []
    answer_keys: Annotated[list[list[str]], BeforeValidator(_alternatives)] = []
    avoid: Annotated[list[str], BeforeValidator(_texts)] = []
    traps: Annotated[list[TrapShape], BeforeValidator(_objects)] = []
    tags: Annotated[dict[str, str], BeforeValidator(_tags)] = {}
    tag_columns: Annotated[dict[str, str], BeforeValidator(_tags)] = {}


class LabelShape(BaseModel):
    """One entry of a file of judge labels."""

    model_config = ConfigDict(extra="ignore")

    id: Line | None = None
    metric: Line = "faithfulness"
    question: Line | None = None
    context: str
    statement: Wording
    supported: Flag
    language: Line | None = None
    kind: Line | None = None


def sentence(error: ValidationError, names: Mapping[str, str]) -> str:
    """What is wrong with an entry and what to write, by the names that stand in the file."""
    return "; ".join(_words(each, names) for each in error.errors(include_url=False, include_context=True))


def _words(error: ErrorDetails, names: Mapping[str, str]) -> str:
    first, *rest = error["loc"] if error["loc"][0] != "tag_columns" else error["loc"][1:]
    place = names.get(str(first), str(first)) + "".join(f"[{e}]" if isinstance(e, int) else f".{e}" for e in rest)
    field = str(error["loc"][-1])
    if error["type"] == "missing" or (error["input"] is None and field in _REMEDIES):
        return f"{place} is missing; {_REMEDIES.get(field, 'write it')}"
    if error["type"] == "value_error":
        return f"{place}: {error['ctx']['error']}" if "ctx" in error else f"{place}: {error['msg']}"
    found = repr(error["input"])
    shown = found if len(found) <= 60 else found[:57] + "…"
    if error["type"] == "literal_error":
        known = error["ctx"]["expected"].replace("'", "")
        return f"{place} is {shown}; use {known}"
    return f"{place} is {shown}; {_WANTED.get(error['type'], error['msg'])}"
