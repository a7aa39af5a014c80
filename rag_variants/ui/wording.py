"""Texts of the pages in every language, read from `texts/NAME.json`: nested keys, then one text per language."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Any

from rag_variants.knowledge.language import LANGUAGES


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
        found: Any = self.texts
        for part in key.split("."):
            found = found.get(part) if isinstance(found, Mapping) else None
        text = found.get(self.language) if isinstance(found, Mapping) else None
        if not isinstance(text, str) or not text:
            raise KeyError(f"texts/{self.name}.json has no text {key!r} in {self.language!r}")
        return text.format(**values) if values else text


def read_wording(name: str, language: str) -> Wording:
    """The texts of a file in a language. Raises ValueError for a language that the product does not speak."""
    if language not in LANGUAGES:
        raise ValueError(f"there are no texts in {language!r}; known: {', '.join(LANGUAGES)}")
    return Wording(name, language, _read(name))


@cache
def _read(name: str) -> Mapping[str, Any]:
    file = files("rag_variants") / "ui" / "texts" / f"{name}.json"
    texts: Mapping[str, Any] = json.loads(file.read_text(encoding="utf-8"))
    return texts
