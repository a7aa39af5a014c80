"""The words around lessons in one language: labels, buttons, notes, and the names of metrics and settings."""

import re

from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.metrics import all_metrics, label_of
from rag_variants.wording.glossary import Glossary
from rag_variants.wording.wording import Wording, read_wording

_POINT = re.compile(r"(?<=\d)\.(?=\d)")


class LessonWords:
    """The words of a language. What metrics, settings and variants say of themselves is English where untranslated.

    Raises ValueError for a language that the product does not speak.
    """

    def __init__(self, language: str) -> None:
        self.language = language
        self._words: Wording = read_wording("lessons", language)
        self._glossary = Glossary(language)

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its values filled in. Raises KeyError for an unknown key."""
        return self._words.say(f"texts.{key}", **values)

    def metric(self, name: str, judge: str = "embedded") -> str:
        """A metric's label under a judge, as a beginning of a sentence."""
        return _capital(self._glossary.metric(name, judge).name)

    def keyless_note(self, name: str, judge: str) -> str | None:
        """What a metric's keyless form has to do with the metric; None where the label is the metric's own."""
        metric = all_metrics()[name]
        if label_of(metric, judge) == metric.label:
            return None
        return self("keyless_note", keyless=self.metric(name, judge), metric=self._glossary.metric(name, "").name)

    def metric_help(self, name: str, judge: str = "embedded") -> str:
        """What a metric measures, in one line; of one that has a keyless form, what that measures."""
        return self._glossary.metric(name, judge).line

    def verdict(self, delta: Delta) -> str:
        """A verdict in a few words."""
        if delta.shown:
            return self(delta.verdict)
        if delta.n and delta.wins + delta.losses == 0:
            return self("no question differs")
        return self(delta.verdict)

    def figures(self, text: str) -> str:
        """A text of numbers as the language writes them: Polish has a comma before decimals."""
        return _POINT.sub(",", text) if self.language == "pl" else text

    def setting_help(self, name: str, english: str) -> str:
        """What a setting does."""
        return self._find("setting_help", name, english)

    def variant_summary(self, name: str, english: str) -> str:
        """What kind of variant it is."""
        return self._find("variant_summary", name, english)

    def _find(self, section: str, name: str, english: str) -> str:
        return self._words.find(f"{section}.{name}") or english


def _capital(text: str) -> str:
    return text[0].upper() + text[1:] if text[1:2].islower() else text
