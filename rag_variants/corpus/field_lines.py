"""Lines of YAML or TOML → fields, so that a line that cannot be read costs no other."""

import re
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

_YAML_KEY = re.compile(r"(?P<quote>[\"']?)(?P<key>\w[\w .-]{0,59}?)(?P=quote)[ \t]*:(?=[ \t\n]|\Z)(?P<text>[\s\S]*)")
_TOML_KEY = re.compile(r"(?P<quote>[\"']?)(?P<key>[\w-][\w.-]{0,59}?)(?P=quote)[ \t]*=(?P<text>[\s\S]*)")
_TOML_TABLE = re.compile(r"^[ \t]*\[[^\n=]*\][ \t]*(?:#[^\n]*)?$", re.MULTILINE)
_CONTINUED = re.compile(r"\s|-[ \t\n]|#|\]|\}|\Z")
_YAML_REMEDY = "put values that hold a colon in quotes"
_TOML_REMEDY = "put texts in quotes"


@dataclass(frozen=True, slots=True)
class FieldLines:
    """Fields as typed, with a note on each that could not be read.

    `keyed` are keys with the text behind them, of fields that could not be read too; `unkeyed` counts lines without a
    key.
    """

    values: Mapping[str, Any]
    notes: tuple[str, ...]
    keyed: tuple[tuple[str, str], ...]
    unkeyed: int


def read_yaml(text: str, lines_before: int) -> FieldLines:
    """The fields of YAML, all values as texts, so that version 5.10 does not become 5.1."""
    return _read(text, lines_before, _yaml, _YAML_KEY, _YAML_REMEDY)


def read_toml(text: str, lines_before: int) -> FieldLines:
    """The fields of TOML above its first table, all values as texts."""
    table = _TOML_TABLE.search(text)
    return _read(text[: table.start()] if table else text, lines_before, _toml, _TOML_KEY, _TOML_REMEDY)


def _read(
    text: str, lines_before: int, parse: Callable[[str], dict[str, Any]], key: re.Pattern[str], remedy: str
) -> FieldLines:
    entries = _entries(text, key)
    found = [key.match(entry) for _, entry in entries]
    keyed = tuple((match["key"], match["text"]) for match in found if match)
    unkeyed = sum(match is None for match in found)
    try:
        return FieldLines(parse(text), (), keyed, unkeyed)
    except ValueError:
        pass  # entry by entry
    values: dict[str, Any] = {}
    notes = []
    for line, entry in entries:
        try:
            values |= parse(entry)
        except ValueError as error:
            notes.append(f"line {lines_before + line} of its front matter was ignored: {error}; {remedy}")
    return FieldLines(values, tuple(notes), keyed, unkeyed)


def _entries(text: str, key: re.Pattern[str]) -> list[tuple[int, str]]:
    """Every field with the lines that belong to it, and its line, from 1; a line without a key begins one too."""
    entries: list[tuple[int, str]] = []
    for number, line in enumerate(text.split("\n"), start=1):
        belongs = _CONTINUED.match(line) and not (line.strip() and key.match(line.strip()) and line.startswith("\t"))
        if belongs and entries:
            entries[-1] = (entries[-1][0], f"{entries[-1][1]}\n{line}")
        elif line.strip() and not line.startswith("#"):
            entries.append((number, line))
    return entries


def _yaml(text: str) -> dict[str, Any]:
    """A mapping of YAML; tabs, which may stand between a key and its value, are blanks. Raises ValueError."""
    import yaml

    try:
        # BaseLoader builds texts, lists and mappings only.
        loaded = yaml.load(text.replace("\t", " "), Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        raise ValueError(error.problem or "not YAML") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError("it is not YAML") from error
    if loaded in (None, ""):
        return {}
    if not isinstance(loaded, dict):
        raise ValueError("it is no field")
    return {str(key): value for key, value in loaded.items()}


def _toml(text: str) -> dict[str, Any]:
    try:
        return {key: _as_text(value) for key, value in tomllib.loads(text, parse_float=str).items()}
    except (tomllib.TOMLDecodeError, RecursionError) as error:
        raise ValueError(str(error).split(" (at ")[0] or "it is not TOML") from error


def _as_text(value: Any) -> Any:
    if isinstance(value, bool):
        return str(value).lower()
    return (
        [_as_text(each) for each in value]
        if isinstance(value, list)
        else value
        if isinstance(value, dict)
        else str(value)
    )
