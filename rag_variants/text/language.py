"""Which of the product's languages a text is written in."""

from functools import cache, lru_cache
from typing import TYPE_CHECKING, Literal, cast, get_args

if TYPE_CHECKING:
    from py3langid.langid import LanguageIdentifier

Language = Literal["en", "pl", "zh"]
LANGUAGES: tuple[Language, ...] = get_args(Language)


@cache
def _identifier() -> "LanguageIdentifier":
    from py3langid.langid import MODEL_FILE, LanguageIdentifier

    identifier = LanguageIdentifier.from_model_file(MODEL_FILE, norm_probs=True)
    identifier.set_languages(list(LANGUAGES))
    return identifier


@lru_cache(maxsize=16_384)
def detect_language(text: str) -> Language:
    """The likeliest of English, Polish and Chinese; English for a text without letters."""
    if not any(character.isalpha() for character in text):
        return "en"
    return cast(Language, _identifier().classify(text)[0])


def as_language(name: str | None) -> Language | None:
    """The language that a tag such as `pl`, `pl-PL` or `ZH` names, or None if it is not one of ours."""
    code = (name or "").strip().lower().split("-")[0].split("_")[0]
    return code if code in LANGUAGES else None
