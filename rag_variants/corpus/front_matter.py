"""The lines between two `---` at the top of a document → what they say about it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

# Only lines that follow the first: a rule further down is no front matter.
_BLOCK = re.compile(r"\A---[ \t]*\n(?P<yaml>(?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
# A rule and a field of ours: meant as front matter, whatever follows.
_OPENED = re.compile(r"\A---[ \t]*\n(?:title|version|valid_from|valid_until|supersedes|language):")
_UNCLOSED = "its front matter has no closing line `---`, so all of it was read as text; write one below the last field"
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_LONGEST = 10_000  # characters; more between two rules is text
_NOTHING = {"", "~", "null", "Null", "NULL"}


@dataclass(frozen=True, slots=True)
class FrontMatter:
    """What a document says about itself, every field optional; `notes` name what could not be used."""

    title: str | None = None
    version: str | None = None
    valid_from: date | None = None
    valid_until: date | None = None
    supersedes: tuple[str, ...] = ()
    language: str | None = None
    notes: tuple[str, ...] = ()


def split_front_matter(text: str) -> tuple[FrontMatter, str]:
    """The front matter and the body after it; a text without one, or with two rules around prose, is all body."""
    block = _BLOCK.match(text)
    if not block or len(block["yaml"]) > _LONGEST:
        return FrontMatter(notes=(_UNCLOSED,) if not block and _OPENED.match(text) else ()), text
    body = text[block.end() :]
    try:
        fields = _load(block["yaml"])
    except ValueError as error:
        return FrontMatter(notes=(f"its front matter was ignored: {error}",)), body
    if fields is None:
        return FrontMatter(), text
    return _read(fields), body


def _load(block: str) -> dict[str, Any] | None:
    """The fields as typed, or None if the block is no mapping. Raises ValueError."""
    import yaml

    try:
        # BaseLoader builds texts, lists and mappings only, so that version 5.10 does not become 5.1.
        loaded = yaml.load(block, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = f"line {error.problem_mark.line + 2}: " if error.problem_mark else ""
        raise ValueError(f"{line}{error.problem or 'not YAML'}; put values that hold a colon in quotes") from error
    except (yaml.YAMLError, RecursionError) as error:
        raise ValueError("it is not YAML") from error
    if loaded in (None, ""):
        return {}
    return loaded if isinstance(loaded, dict) else None


def _read(fields: dict[str, Any]) -> FrontMatter:
    notes: list[str] = []
    valid_from, valid_until = (_date(fields, name, notes) for name in ("valid_from", "valid_until"))
    if valid_from and valid_until and valid_until < valid_from:
        notes.append(f"valid_until {valid_until} lies before valid_from {valid_from}")
    return FrontMatter(
        title=_text(fields, "title", notes),
        version=_text(fields, "version", notes),
        valid_from=valid_from,
        valid_until=valid_until,
        supersedes=_paths(fields.get("supersedes"), notes),
        language=_text(fields, "language", notes),
        notes=tuple(notes),
    )


def _text(fields: dict[str, Any], name: str, notes: list[str]) -> str | None:
    value = fields.get(name, "")
    if not isinstance(value, str):
        notes.append(f"{name} is a list or mapping and was ignored; write one text")
        return None
    return None if value.strip() in _NOTHING else " ".join(value.split())


def _date(fields: dict[str, Any], name: str, notes: list[str]) -> date | None:
    value = _text(fields, name, notes)
    if value is None:
        return None
    try:
        return date.fromisoformat(value if _DATE.fullmatch(value) else "")
    except ValueError:
        notes.append(f"{name} {value[:40]!r} is no date and was ignored; write it as 2026-01-31")
        return None


def _paths(value: Any, notes: list[str]) -> tuple[str, ...]:
    entries: Iterable[Any] = value if isinstance(value, list) else [value or ""]
    if not all(isinstance(entry, str) for entry in entries):
        notes.append("supersedes is not a list of paths and was ignored; write one path or a list of them")
        return ()
    return tuple(dict.fromkeys(entry.strip() for entry in entries if entry.strip() not in _NOTHING))
