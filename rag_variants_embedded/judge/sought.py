"""A statement as it is looked for in the texts of a knowledge base."""

from dataclasses import dataclass

from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import Language
from rag_variants_embedded.judge.read_sentence import ReadSentence, Token


@dataclass(frozen=True, slots=True)
class Sought:
    """What a statement says, with the weight of each content token in the base, rare ones weighing more.

    `signs`: for each content token, what a line must hold some of to hold a counterpart. `total` is the sum of the
    weights, `plain` that of the tokens' own.
    """

    said: ReadSentence
    weights: tuple[float, ...]
    signs: tuple[frozenset[str], ...]
    total: float
    plain: float


def seek(said: ReadSentence, frequencies: TermFrequencies) -> Sought:
    """The statement as it is looked for in a base of these frequencies."""
    weights = tuple(token.weight * _rarity(token.stem, frequencies) for token in said.content)
    signs = tuple(_signs(token, said.language) for token in said.content)
    return Sought(said, weights, signs, sum(weights), sum(token.weight for token in said.content))


def _rarity(term: str, frequencies: TermFrequencies) -> float:
    """The weight of a term: from 0.6 for one that stands everywhere to 1.2 for a rare one."""
    if not frequencies.total:
        return 1.0
    most = frequencies.idf("")
    return 0.6 + 0.6 * min(frequencies.idf(term) / most, 1.0) if most else 1.0


def _signs(token: Token, language: Language) -> frozenset[str]:
    """How it begins, what it means (special and general of one kind meet too), in Chinese its characters."""
    meanings = (key.removeprefix("is:").removeprefix("kind:") for key in token.keys)
    return frozenset((token.stem[:2], *meanings, *(token.stem if language == "zh" else "")))
