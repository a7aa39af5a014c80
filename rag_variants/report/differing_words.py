"""Two texts word by word: which words of one are not in the other, in order."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rag_variants.citations import citation_spans
from rag_variants.knowledge.terms import CJK, normalize

# Words, numbers with their sign, dates and identifiers whole; scripts without blanks by character; other signs alone.
_WORD = rf"[^\W_{CJK}]"
_TOKEN = re.compile(rf"[{CJK}]|(?:(?<!\w)-(?=\d))?{_WORD}+(?:[.,:/_'’-]{_WORD}+)*|[^\s]")
_SIGNS = frozenset({"Sm", "Sc", "So"})  # −, €, °: unlike a comma, they change what is said
# difflib needs the square of the tokens and more: 1,500 against 1,500 out of five words take 0.4 s.
LONGEST = 1_500


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text that differs from the other text, or does not; the pieces joined are the text."""

    text: str
    differs: bool


def mark_differences(one: str, other: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both texts in pieces: what stands in the other text too, in the same order, and what does not.

    Case, full-width forms, blanks and citations such as [2] do not count. Of a text with more than 1,500 words the
    rest counts as different without a look.
    """
    left, right = _tokens(one), _tokens(other)
    lefts, rights = ([normalize(match[0]) for match in found[:LONGEST]] for found in (left, right))
    matcher = SequenceMatcher(None, lefts, rights, autojunk=False)
    same_left: set[int] = set()
    same_right: set[int] = set()
    for block in matcher.get_matching_blocks():
        if any(_says_something(token) for token in lefts[block.a : block.a + block.size]):
            same_left.update(range(block.a, block.a + block.size))
            same_right.update(range(block.b, block.b + block.size))
    return tuple(_pieces(one, left, same_left)), tuple(_pieces(other, right, same_right))


def _tokens(text: str) -> list[re.Match[str]]:
    cited = {at for span in citation_spans(text) for at in range(*span)}
    return [match for match in _TOKEN.finditer(text) if match.start() not in cited]


def _says_something(token: str) -> bool:
    """Whether a token is more than a punctuation mark: a lone comma in common means nothing."""
    return any(each.isalnum() or each in "%‰" or unicodedata.category(each) in _SIGNS for each in token)


def _pieces(text: str, tokens: Sequence[re.Match[str]], same: set[int]) -> Iterator[Piece]:
    """The text cut where differing words begin and end; blanks between two differing words belong to them."""
    at = 0
    for start, end in _runs(tokens, same):
        if start > at:
            yield Piece(text[at:start], False)
        yield Piece(text[start:end], True)
        at = end
    if at < len(text):
        yield Piece(text[at:], False)


def _runs(tokens: Sequence[re.Match[str]], same: set[int]) -> Iterator[tuple[int, int]]:
    """The spans of neighbouring tokens that differ; punctuation alone is no difference."""
    begin = end = -1
    for at, token in enumerate(tokens):
        if at in same:
            if begin >= 0:
                yield begin, end
            begin = -1
        elif _says_something(token[0]):
            begin = token.start() if begin < 0 else begin
            end = token.end()
    if begin >= 0:
        yield begin, end
