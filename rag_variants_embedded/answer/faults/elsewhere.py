"""A sentence of another document: true there, and nothing that the hits say."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.text.language import Language
from rag_variants.types import Chunk, Document, Hit
from rag_variants_embedded.answer.candidates import Candidate, find_candidates

# How many characters a sentence has that can be read alone.
_LENGTHS = {"en": (40, 220), "pl": (40, 220), "zh": (12, 90)}
# What begins so speaks of the sentence before; marks of emphasis belong to a list.
_LEANING = re.compile(
    r"(?:they|it|this|these|those|that|above|below|he|she|then|there|both|also|answer|each further|one|on[aei]?|ich"
    r"|jego|jej|to|te|ten|ta|wtedy|potem|oba|obie|powyżej|poniżej)\b|[它他她其这那此该两另]|.*\*\*|§",
    re.IGNORECASE,
)
# Above this share of common terms a sentence of the hits says nearly the same.
_NEAR = 0.4


@dataclass(frozen=True)
class Elsewhere:
    """Where sentences from elsewhere are taken: the documents of a knowledge base."""

    knowledge: KnowledgeBase

    def pick(self, language: Language, hits: Sequence[Hit], random: Random) -> str | None:
        """A sentence in a language from a document that is not among the hits, or None if there is none.

        Headings, table rows and cut sentences are left out, and so is what a sentence of the hits nearly says.
        """
        shown = {hit.chunk.document for hit in hits}
        documents = [each for each in self.knowledge.documents if each.language == language and each.path not in shown]
        known = [one.terms for one in find_candidates(hits)]
        for document in random.sample(documents, len(documents)):
            fitting = [one.said for one in _sentences(document) if _fits(one, language) and _is_new(one, known)]
            if fitting:
                return random.choice(fitting)
        return None


def _sentences(document: Document) -> tuple[Candidate, ...]:
    whole = Chunk(document.path, 0, len(document.text), document.text, document.language)
    return find_candidates([Hit(1, whole, 0.0)])


def _fits(candidate: Candidate, language: Language) -> bool:
    least, most = _LENGTHS[language]
    ends = candidate.said.endswith((".", "。", "!", "！"))
    alone = not candidate.row and not _LEANING.match(candidate.said)
    return alone and ends and least <= len(candidate.said) <= most


def _is_new(candidate: Candidate, known: Sequence[frozenset[str]]) -> bool:
    """Whether no sentence of the hits shares much of its terms (intersection ÷ the smaller of both)."""
    return all(len(candidate.terms & terms) < _NEAR * max(1, min(len(candidate.terms), len(terms))) for terms in known)
