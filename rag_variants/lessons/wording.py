"""The words around lessons in every language: labels, buttons, notes, metric names. They stand in `wording.json`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from rag_variants.metrics import all_metrics, label_of


@dataclass(frozen=True, slots=True)
class Wording:
    """The words of one language; a metric's name that is not translated stays English."""

    language: str

    def __call__(self, key: str, **values: object) -> str:
        """The text of a key with its values filled in. Raises KeyError for an unknown key."""
        text: str = _words()["texts"][key][self.language]
        return text.format(**values) if values else text

    def metric(self, name: str, judge: str = "embedded") -> str:
        """A metric's label under a judge, as a beginning of a sentence."""
        metric = all_metrics()[name]
        keyless = label_of(metric, judge) != metric.label
        section = "keyless_metrics" if keyless else "metrics"
        return _capital(self._translated(section, name, label_of(metric, judge)))

    def metric_help(self, name: str) -> str:
        """What a metric measures."""
        return self._translated("metric_help", name, all_metrics()[name].help)

    def setting_help(self, name: str, english: str) -> str:
        """What a setting does."""
        return self._translated("setting_help", name, english)

    def variant_summary(self, name: str, english: str) -> str:
        """What kind of variant it is."""
        return self._translated("variant_summary", name, english)

    def _translated(self, section: str, name: str, english: str) -> str:
        text: str = _words()[section].get(name, {}).get(self.language, english)
        return text


def _capital(text: str) -> str:
    return text[0].upper() + text[1:] if text[1:2].islower() else text


@cache
def _words() -> Mapping[str, Any]:
    return MappingProxyType(json.loads((Path(__file__).parent / "wording.json").read_text(encoding="utf-8")))
