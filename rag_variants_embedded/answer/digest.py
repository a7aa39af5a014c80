"""An answerer that is faithful and beside the question: it retells the section that was found first."""

from collections.abc import Sequence
from dataclasses import dataclass

from rag_variants.types import Answer, Hit
from rag_variants_embedded.answer.candidates import Candidate, find_candidates
from rag_variants_embedded.answer.extractive import ExtractiveAnswerer, decline, say_sentences
from rag_variants_embedded.answer.wanted import understand

_MOST = 3


@dataclass(frozen=True)
class DigestAnswerer:
    """Says sentences of the best hit word for word, but none of those that answer.

    It stands for a model that writes about what it read instead of what was asked. Such a model does not decline, so
    neither does this one: it retells its section even where `embedded` finds no answer. It declines only where there is
    no sentence left to retell: without hits, or where the hits hold nothing but the answer.
    """

    extractive: ExtractiveAnswerer

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """One to three sentences of one section, in its order, each with its citations `[rank]`."""
        said = {(one.document, one.start) for one in self.extractive.extract(question, hits)}
        left = [one for one in find_candidates(hits) if (one.document, one.start) not in said]
        section = _first_section(left)
        if not section:
            return decline(question)
        weights = understand(question, self.extractive.frequencies).weights
        # Sentences before table rows, then those that share least with the question.
        beside = sorted(
            section, key=lambda one: (one.row, sum(weights.get(term, 0.0) for term in one.terms), one.start)
        )
        return say_sentences(sorted(beside[:_MOST], key=lambda one: one.start))


def _first_section(candidates: Sequence[Candidate]) -> list[Candidate]:
    """The whole sentences of the best hit that has one left; where all are cut, the cut ones."""
    whole = [one for one in candidates if one.whole] or candidates
    best = min((one.ranks[0] for one in whole), default=0)
    section = [one for one in whole if best in one.ranks]
    document = section[0].document if section else ""
    return list({one.said: one for one in section if one.document == document}.values())
