"""Two texts word by word: which words of one are not in the other, in order."""

import re
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from rag_variants.text.citations import citation_spans
from rag_variants.text.terms import CJK, normalize

# Words, numbers with their sign, dates and identifiers whole; scripts without blanks by character; other signs alone.
_WORD = rf"[^\W_{CJK}]"
_WORDS = re.compile(rf"[{CJK}]|(?:(?<!\w)-(?=\d))?{_WORD}+(?:[.,:/_'’-]{_WORD}+)*|[^\s]")
_SENTENCES = re.compile(r"[^\s.!?。！？][^\n.!?。！？]*")
_WHOLE = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_SIGNS = frozenset({"Sm", "Sc", "So"})  # −, €, °: unlike a comma, they change what is said
# difflib's time grows with the pairs of equal tokens, times the matches. 60,000 pairs took 1.7 s at the worst; two
# texts of 1,000 words have some 20,000, but "a b c" over and over has millions and took minutes.
_MOST_PAIRS = 60_000


@dataclass(frozen=True, slots=True)
class Piece:
    """A run of a text that differs from the other text, or does not; the pieces joined are the text."""

    text: str
    differs: bool


def mark_differences(one: str, other: str) -> tuple[tuple[Piece, ...], tuple[Piece, ...]]:
    """Both texts in pieces: what stands in the other text too, in the same order, and what does not.

    Case, full-width forms, blanks and citations such as [2] do not count. Long texts that repeat themselves are
    compared sentence by sentence, or as wholes.
    """
    for pattern in (_WORDS, _SENTENCES, _WHOLE):
        left, right = _tokens(pattern, one), _tokens(pattern, other)
        lefts, rights = ([normalize(match[0]) for match in found] for found in (left, right))
        if _equal_pairs(lefts, rights) <= _MOST_PAIRS:
            break
    blocks = [tuple(block) for block in SequenceMatcher(None, lefts, rights, autojunk=False).get_matching_blocks()]
    kept = _telling([(a, b, size) for a, b, size in blocks if size], lefts, rights)
    same_left = {at for a, _, size in kept for at in range(a, a + size)}
    same_right = {at for _, b, size in kept for at in range(b, b + size)}
    return tuple(_pieces(one, left, same_left)), tuple(_pieces(other, right, same_right))


_Block = tuple[int, int, int]  # where it begins on the left and on the right, and how many tokens it has


def _telling(blocks: Sequence[_Block], lefts: Sequence[str], rights: Sequence[str]) -> list[_Block]:
    """The matches that a reader would see as such: "in the" between two sentences that have nothing in common is none.

    A match goes if it is no longer, in characters, than what differs on either side of it (the semantic clean-up of
    diff-match-patch); then the differences around it are one.
    """
    kept = list(blocks)
    at = 0
    while at < len(kept):
        a, _, size = kept[at]
        length = sum(map(len, lefts[a : a + size]))
        around = [_edit(kept, at, lefts, rights), _edit(kept, at + 1, lefts, rights)]
        if all(length <= edit for edit in around):
            del kept[at]
            at = max(at - 1, 0)
        else:
            at += 1
    return kept


def _edit(blocks: Sequence[_Block], at: int, lefts: Sequence[str], rights: Sequence[str]) -> int:
    """How many characters differ before the match `at`: of the left or of the right text, whichever is more."""
    a, b, size = blocks[at - 1] if at else (0, 0, 0)
    until_a, until_b = blocks[at][:2] if at < len(blocks) else (len(lefts), len(rights))
    return max(sum(map(len, lefts[a + size : until_a])), sum(map(len, rights[b + size : until_b])))


def _tokens(pattern: re.Pattern[str], text: str) -> list[re.Match[str]]:
    cited = {at for span in citation_spans(text) for at in range(*span)}
    return [match for match in pattern.finditer(text) if match.start() not in cited]


def _equal_pairs(lefts: Sequence[str], rights: Sequence[str]) -> int:
    counts = Counter(rights)
    return sum(counts[token] for token in lefts)


def _says_something(token: str) -> bool:
    """Whether a token is more than a punctuation mark: a lone comma in common means nothing."""
    return any(each.isalnum() or each in "%‰" or unicodedata.category(each) in _SIGNS for each in token)


def _pieces(text: str, tokens: Sequence[re.Match[str]], same: set[int]) -> Iterator[Piece]:
    """The text cut where differing words begin and end; blanks between two differing words belong to them."""
    at = 0
    for start, end in _runs(text, tokens, same):
        if start > at:
            yield Piece(text[at:start], False)
        yield Piece(text[start:end], True)
        at = end
    if at < len(text):
        yield Piece(text[at:], False)


def _runs(text: str, tokens: Sequence[re.Match[str]], same: set[int]) -> Iterator[tuple[int, int]]:
    """The spans of neighbouring tokens that differ, on one line; punctuation alone is no difference."""
    begin = end = -1
    for at, token in enumerate(tokens):
        between = text[end : token.start()] if begin >= 0 else ""
        if begin >= 0 and (at in same or "\n" in between or any(map(str.isdigit, between))):  # digits: a citation
            yield begin, end
            begin = -1
        if at not in same and _says_something(token[0]):
            begin = token.start() if begin < 0 else begin
            end = token.end()
    if begin >= 0:
        yield begin, end
