"""The word lists of a language, read once from `lexicon/`: what a phrase may mean."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from rag_variants.text.language import LANGUAGES, Language
from rag_variants.text.quantities.words import split_words
from rag_variants.text.terms import normalize, stem

Phrase = tuple[str, ...]
Marks = Mapping[Phrase, frozenset[str]]

# How many letters two forms of one word share at least, and which share of the longer one.
NEAR: Mapping[Language, tuple[int, float]] = {"en": (5, 0.75), "pl": (5, 0.65), "zh": (99, 1.0)}
# Lists whose phrases carry the name of the list as their only mark.
FLAGS = frozenset(("negators", "exceptions", "strong", "universal", "must", "may", "total"))


def common_beginning(left: str, right: str) -> int:
    """How many letters two words share at their beginning."""
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


@dataclass(frozen=True)
class Lexicon:
    """Everything known of a language's words. Chinese phrases are tuples of characters."""

    language: Language
    stop: frozenset[str]
    marks: Marks
    bounds: Mapping[Phrase, str]
    longest: int
    surnames: frozenset[str]
    beginnings: Mapping[str, tuple[str, ...]]

    def near(self, word: str) -> frozenset[str]:
        """The marks of the listed stem that shares most of its beginning with an inflected form, if any does."""
        least, share = NEAR[self.language]
        best, most = frozenset[str](), 0
        for listed in self.beginnings.get(word[:least], ()):
            shared = common_beginning(word, listed)
            if shared > most and shared >= share * max(len(word), len(listed)):
                best, most = self.marks[(listed,)] - FLAGS, shared
        return best


def phrase_of(text: str, language: Language) -> Phrase:
    """The parts by which a phrase is found: stems, or characters in Chinese."""
    if language == "zh":
        return tuple(normalize(text))
    return tuple(stem(word.text, language) for word in split_words(normalize(text)) if word.text != "-")


@cache
def lexicon(language: Language) -> Lexicon:
    """The word lists of a language."""
    sections = _sections(language)
    marks: dict[Phrase, set[str]] = {}
    for name, lines in sections.items():
        for number, line in enumerate(lines):
            for phrase, mark in _marks(name, number, line, language):
                marks.setdefault(phrase, set()).add(mark)
    stop = frozenset(word for line in sections["stop"] for word in normalize(line).split())
    bounds = _bounds(sections["bounds"], language)
    return Lexicon(
        language=language,
        stop=stop,
        marks={phrase: frozenset(found) for phrase, found in marks.items()},
        bounds=bounds,
        longest=max(map(len, (*marks, *bounds))),
        beginnings=_beginnings(marks, language),
        surnames=frozenset(name for line in sections.get("surnames", ()) for name in line.split()),
    )


def _beginnings(marks: Mapping[Phrase, object], language: Language) -> dict[str, tuple[str, ...]]:
    """Single listed stems by their first letters."""
    found: dict[str, list[str]] = {}
    for phrase in sorted(marks):
        if language != "zh" and len(phrase) == 1:
            found.setdefault(phrase[0][: NEAR[language][0]], []).append(phrase[0])
    return {start: tuple(stems) for start, stems in found.items()}


def _sections(language: Language) -> dict[str, list[str]]:
    """List name → its lines, over all files of the language."""
    if language not in LANGUAGES:
        raise KeyError(language)
    found: dict[str, list[str]] = {}
    folder = files(__package__).joinpath("lexicon")
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.startswith(language):
            continue
        name = ""
        for line in file.read_text(encoding="utf-8").splitlines():
            if line.startswith("["):
                name = line.strip("[]")
            elif line and not line.startswith("#"):
                found.setdefault(name, []).append(line)
    return found


def _items(text: str, language: Language, separator: str = ",") -> list[str]:
    parts = text.split() if language == "zh" else text.split(separator)
    return [part.strip() for part in parts if part.strip()]


def _marks(name: str, number: int, line: str, language: Language) -> Iterator[tuple[Phrase, str]]:
    """Each phrase of a line with the mark that the line gives it."""
    if name in FLAGS:
        for item in _items(line, language):
            yield phrase_of(item, language), name
    elif name == "synonyms":
        for item in _items(line, language):
            yield phrase_of(item, language), f"same:{number}"
    elif name == "opposites":
        # `!` marks opposites whose second side denies what the first says, so that "not" can stand for it; `$` costs.
        kind = {"!": "deny", "$": "cost"}.get(line[0], "axis")
        for side, part in zip("+-", line.lstrip("!$").split("|"), strict=True):
            for item in _items(part, language):
                yield phrase_of(item, language), f"{kind}:{number}{side}"
    elif name == "classes":
        label, _, members = line.partition(":")
        for member in _items(members, language):
            first = member.split("/")[0]
            for item in member.split("/"):
                yield phrase_of(item, language), f"class:{label}={first}"
    elif name == "kinds":
        general, _, specific = line.partition(">")
        yield phrase_of(general.strip(), language), f"kind:{number}"
        for item in _items(specific, language):
            yield phrase_of(item, language), f"is:{number}"


def _bounds(lines: list[str], language: Language) -> dict[Phrase, str]:
    """Lines such as `max: at most` → phrase → bound; by stem, since Polish inflects them: większy niż, większa niż."""
    found: dict[Phrase, str] = {}
    for line in lines:
        bound, _, items = line.partition(":")
        for item in _items(items, language):
            found.setdefault(phrase_of(item, language), bound)
    return found
