"""What the words on the screens mean: a name and one line for every metric and every term, in each language.

English names and lines of metrics stand with the metrics (`label`, `help`); all else stands in `texts/terms.json`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from rag_variants.metrics import all_metrics, label_of
from rag_variants.metrics.base import Group
from rag_variants.wording.wording import Wording, read_wording

Section = Literal["metrics", "reading", "retrieval", "judging", "moving"]
SECTIONS: tuple[Section, ...] = get_args(Section)
LONGEST = 160  # characters of a line


@dataclass(frozen=True, slots=True)
class Term:
    """A word of the screens (English, as they write it), its name in the glossary's language, and one line on it."""

    word: str
    name: str
    line: str

    @property
    def title(self) -> str:
        """The word, with its name in the glossary's language where that is another: `Hit rate · 命中率`."""
        return self.word if self.name == self.word else f"{self.word} · {self.name}"


class Glossary:
    """The terms in one language. A metric of another package says of itself what it does, in English.

    Raises ValueError for a language that the product does not speak.
    """

    def __init__(self, language: str = "en") -> None:
        self.language = language
        self._words: Wording = read_wording("terms", language)
        self._english: Wording = read_wording("terms", "en")

    def say(self, key: str) -> str:
        """A text of the glossary itself: `title`, `language`."""
        return self._words.say(f"interface.{key}")

    def metric(self, name: str, judge: str = "embedded") -> Term:
        """A metric under a judge: where the embedded judge measures something else, that. KeyError if unknown."""
        metric = all_metrics()[name]
        word = label_of(metric, judge)
        part = "metrics" if word == metric.label else "keyless_metrics"
        label, line = (self._words.find(f"{part}.{name}.{each}") for each in ("label", "line"))
        return Term(word, label or word, line or metric.help)

    def term(self, section: Section, key: str) -> Term:
        """Another word of the screens. Raises KeyError for an unknown one."""
        place = f"terms.{section}.{key}"
        return Term(
            self._english.say(f"{place}.label"), self._words.say(f"{place}.label"), self._words.say(f"{place}.line")
        )

    def section(self, section: Section, judge: str = "embedded") -> Iterator[Term]:
        """The terms of a section in order; `metrics` are all that are installed."""
        if section == "metrics":
            yield from (self.metric(name, judge) for name in all_metrics())
            return
        keys: Mapping[str, object] = self._words.texts["terms"][section]
        yield from (self.term(section, key) for key in keys)

    def group(self, group: Group) -> str:
        """What a group of metrics asks, as the screens write it, with its name in the glossary's language."""
        return Term(group, self._words.say(f"groups.{group}"), "").title

    def heading(self, section: Section) -> str:
        """A section's name."""
        return self._words.say(f"sections.{section}")
