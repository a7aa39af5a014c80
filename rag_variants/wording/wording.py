"""Texts in every language, read from `texts/NAME.json`: nested keys, then one text per language."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rag_variants.text.language import LANGUAGES, Language

LANGUAGE_NAMES: Mapping[Language, str] = {"en": "English", "pl": "Polski", "zh": "中文"}


@dataclass(frozen=True)
class Wording:
    """The texts of one file in one language."""

    name: str
    language: str
    texts: Mapping[str, Any]

    def say(self, key: str, **values: object) -> str:
        """The text at a key such as `metrics.faithfulness.name`, with `{names}` filled in where values are given.

        Raises KeyError with a sentence that names the file, the key and the language where there is no text.
        """
        text = self.find(key)
        if text is None:
            raise KeyError(f"texts/{self.name}.json has no text {key!r} in {self.language!r}")
        return text.format(**values) if values else text

    def find(self, key: str) -> str | None:
        """The text at a key, or None where there is none in this language."""
        found: Any = self.texts
        for part in (*key.split("."), self.language):
            found = found.get(part) if isinstance(found, Mapping) else None
        return found if isinstance(found, str) and found else None


def read_wording(name: str, language: str) -> Wording:
    """The texts of a file in a language. Raises ValueError for a language that the product does not speak."""
    if language not in LANGUAGES:
        raise ValueError(f"there are no texts in {language!r}; known: {', '.join(LANGUAGES)}")
    return Wording(name, language, _read(name))


@cache
def _read(name: str) -> Mapping[str, Any]:
    file = files(__package__) / "texts" / f"{name}.json"
    texts: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return texts
