"""ragas' prompts in Polish and Chinese: kept translations of their instructions and examples, string by string."""

import hashlib
import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Literal

TranslatedLanguage = Literal["pl", "zh"]
_FOLDER = Path(__file__).parent / "prompts"


@cache
def translations(language: TranslatedLanguage) -> Mapping[str, str]:
    """The translation of each English string of the prompts."""
    kept: dict[str, str] = json.loads(_file(language).read_text(encoding="utf-8"))["strings"]
    return kept


@cache
def translation_version(language: TranslatedLanguage) -> str:
    """The fingerprint of a language's translations: another wording can change a verdict."""
    return hashlib.sha256(_file(language).read_bytes()).hexdigest()[:8]


def _file(language: TranslatedLanguage) -> Path:
    return _FOLDER / f"{language}.json"
