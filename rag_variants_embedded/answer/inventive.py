"""An answerer that errs on purpose and keeps the key: the extract with planted faults."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rag_variants.pipeline.answer.prompts import GROUNDED
from rag_variants.text.language import detect_language
from rag_variants.types import Answer, Fault, Hit
from rag_variants_embedded.answer.extractive import ExtractiveAnswerer, cite, decline, say_sentences
from rag_variants_embedded.answer.faults.elsewhere import Elsewhere
from rag_variants_embedded.answer.faults.planting import plant


@dataclass(frozen=True)
class InventiveAnswerer:
    """Says what `embedded` says, with faults at a rate from 0 (none) to 2 (two in each sentence that can carry them).

    It stands for a model that words things freely and gets some of them wrong. Its answers are marked simulated and
    carry the key of what was planted, so that a judge's hits and misses can be counted.
    """

    extractive: ExtractiveAnswerer
    elsewhere: Elsewhere
    rate: float

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The extract with faults; declined where the extract declines. Equal to the extract at rate 0."""
        chosen = self.extractive.extract(question, hits)
        if not chosen:
            return decline(question)
        honest = say_sentences(chosen)
        if self.rate <= 0:
            return honest
        lines: list[str] = []
        faults: list[Fault] = []
        for candidate in chosen:
            language = detect_language(candidate.said)
            planted = plant(candidate.said, language, question, hits, self.elsewhere, self.rate)
            lines += [cite(text, candidate.ranks) for text in (planted.said, planted.added) if text]
            faults += planted.faults
        return replace(honest, text="\n".join(lines), simulated=True, faults=tuple(faults))


def fault_rate(prompt: str, temperature: float) -> float:
    """How many faults a sentence gets on average if it can carry them: none under the grounded prompt."""
    return 0.0 if prompt == GROUNDED else temperature
