"""What the words on the screens mean: a name and one line for every metric and every term, in each language.

The words of metrics stand with the metrics, in every language; all else stands in `texts/terms.json`.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Literal, get_args

from rag_variants.metrics import METRICS, full_label_of, is_keyless
from rag_variants.metrics.metric import Group
from rag_variants.text.language import as_language
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
        return f"{self.word} · {self.name}" if self.translated else self.word

    @property
    def translated(self) -> bool:
        """Whether the name is another than the word; the word may have the field's term beside it."""
        return self.word != self.name and not self.word.startswith(f"{self.name} (")


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
        metric = METRICS[name]
        by_language = metric.keyless if is_keyless(metric, judge) else metric.words
        words = by_language.get(as_language(self.language) or "en", by_language["en"])
        return Term(full_label_of(metric, judge), words.label, words.help)

    def term(self, section: Section, key: str) -> Term:
        """Another word of the screens. Raises KeyError for an unknown one."""
        place = f"terms.{section}.{key}"
        return Term(
            self._english.say(f"{place}.label"), self._words.say(f"{place}.label"), self._words.say(f"{place}.line")
        )

    def section(self, section: Section, judge: str = "embedded") -> Iterator[Term]:
        """The terms of a section in order; `metrics` are all that are installed."""
        if section == "metrics":
            yield from (self.metric(name, judge) for name in METRICS)
            return
        keys: Mapping[str, object] = self._words.texts["terms"][section]
        yield from (self.term(section, key) for key in keys)

    def group(self, group: Group) -> str:
        """What a group of metrics asks, as the screens write it, with its name in the glossary's language."""
        return Term(group, self._words.say(f"groups.{group}"), "").title

    def heading(self, section: Section) -> str:
        """A section's name."""
        return self._words.say(f"sections.{section}")
