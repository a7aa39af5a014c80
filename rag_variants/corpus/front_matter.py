"""The lines between two `---` (YAML) or two `+++` (TOML) at the top of a document → what they say about it."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from rag_variants.corpus.field_lines import FieldLines, read_toml, read_yaml

# Only lines that follow the first that is not blank: a rule further down is no front matter.
_YAML = re.compile(r"\A(?:[ \t]*\n)*---[ \t]*\n(?P<fields>(?:.*\n)*?)(?:---|\.\.\.)[ \t]*(?:\n|\Z)")
_TOML = re.compile(r"\A(?:[ \t]*\n)*\+\+\+[ \t]*\n(?P<fields>(?:.*\n)*?)\+\+\+[ \t]*(?:\n|\Z)")
_NAMES = ("title", "version", "valid_from", "valid_until", "supersedes", "language")
_KNOWN = {name.replace("_", ""): name for name in _NAMES}
# A rule and a field of ours: meant as front matter, whatever follows.
_OPENED = re.compile(
    r"\A\s*(?:---[ \t]*\n(?:title|version|valid[_-]?from|valid[_-]?until|supersedes|language):"
    r"|\+\+\+[ \t]*\n(?:title|version|valid[_-]?from|valid[_-]?until|supersedes|language)[ \t]*=)",
    re.IGNORECASE,
)
_UNCLOSED = (
    "its front matter has no closing line `{rule}`, so all of it was read as text; write one below the last field"
)
_DATE = re.compile(r"\d{4}-\d{2}-\d{2}")
_PLAIN_KEY = re.compile(r"[a-z][a-z0-9_-]*")
_SENTENCE = re.compile(r"\S\s.*[.!?。！？][\"”’)]*\s*\Z", re.DOTALL)
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
    """The front matter and the body after it; a text without one, or with two rules around prose, is all body.

    Keys count in any case, with `-` for `_`. A line that cannot be read is named in a note and costs no other.
    """
    block, read = _YAML.match(text), read_yaml
    if not block and (block := _TOML.match(text)):
        read = read_toml
    if not block or len(block["fields"]) > _LONGEST:
        unclosed = _OPENED.match(text) if not block else None
        rule = "+++" if text.lstrip().startswith("+++") else "---"
        return FrontMatter(notes=(_UNCLOSED.format(rule=rule),) if unclosed else ()), text
    found = read(block["fields"], text.count("\n", 0, block.start("fields")))
    if not _is_meant(found):
        return FrontMatter(), text
    return _read({_name(key): value for key, value in found.values.items()}, found.notes), text[block.end() :]


def _name(key: str) -> str:
    """The field that a key means: `Valid-Until` is `valid_until`; another key is no field of ours."""
    return _KNOWN.get(key.casefold().replace("_", "").replace("-", ""), key)


def _is_meant(found: FieldLines) -> bool:
    """Whether lines between two rules are fields, not prose.

    With a field of ours, unless more lines without a key stand there. Without one, if all keys are plain small words,
    and not all that follows them are sentences.
    """
    ours = [text for key, text in found.keyed if _name(key) in _NAMES]
    if ours:
        return found.unkeyed <= sum(not _SENTENCE.search(text) for text in ours)
    if found.unkeyed:
        return False
    plain = all(_PLAIN_KEY.fullmatch(key) for key, _ in found.keyed)
    return not found.keyed or (plain and not all(_SENTENCE.search(text) for _, text in found.keyed))


def _read(fields: dict[str, Any], ignored: Iterable[str]) -> FrontMatter:
    notes = list(ignored)
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
