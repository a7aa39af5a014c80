"""What the borders of chunks do to a piece of evidence, in sentences."""

from collections.abc import Sequence

from rag_variants.questions.gold import Gold, Occurrence
from rag_variants.types import Chunk

_REMEDY = "Raise the overlap or the chunk size."


def border_sentences(place: Occurrence, chunks: Sequence[Chunk], name: str = "the evidence") -> tuple[str, str]:
    """How much of the evidence one chunk holds, and which chunks are gold for it by the rule of the metrics.

    `chunks` are those of its document, in order; they are numbered from 1. `name` is what the evidence is called.
    """
    return _cut_sentence(place, chunks, name), _gold_sentence(place, chunks, name)


def name_evidence(place: Occurrence, gold: Gold) -> str:
    """What a piece of evidence is called inside a sentence: by its group where an answer needs several."""
    return f"evidence {place.group}" if len(gold.groups) > 1 else "the evidence"


def _cut_sentence(place: Occurrence, chunks: Sequence[Chunk], name: str) -> str:
    length = place.end - place.start
    shared = {number: place.overlap(chunk) for number, chunk in enumerate(chunks, start=1) if place.overlap(chunk)}
    if not shared:
        return f"No chunk holds any of {name}."
    whole = [number for number, characters in shared.items() if characters == length]
    if whole:
        return f"{name[0].upper()}{name[1:]} lies whole inside {_numbered(whole)}."
    borders = [number for number in shared if place.start < chunks[number - 1].start < place.end]
    if len(borders) == 1:
        what = f"The border of {_numbered(borders)} cuts {name}"
    else:
        what = f"The borders of {_numbered(borders)} cut {name}" if borders else f"No chunk holds {name} whole"
    most = 100 * max(shared.values()) // length  # rounded down: what is cut is never 100%
    return f"{what}: the most that one chunk holds is {most or 'less than 1'}%."


def _gold_sentence(place: Occurrence, chunks: Sequence[Chunk], name: str) -> str:
    gold = [number for number, chunk in enumerate(chunks, start=1) if place.is_gold(chunk)]
    if gold:
        each = "it" if len(gold) == 1 else "each"
        return f"Gold for {name}: {_numbered(gold)}, as {each} {_rule(place, [chunks[n - 1] for n in gold])}."
    if place.key and any(_cuts(chunk, *place.key) for chunk in chunks):
        return f"No chunk is gold for {name}: a border cuts the key. {_REMEDY}"
    return f"No chunk is gold for {name}: none {_rule(place, [])}. {_REMEDY}"


def _rule(place: Occurrence, gold: Sequence[Chunk]) -> str:
    """The rule that makes a chunk gold; its second half only where the first is not enough to explain all of them."""
    if place.key:
        return "holds the key whole"
    if gold and all(2 * place.overlap(chunk) >= place.end - place.start for chunk in gold):
        return "holds half of the quote or more"
    return "holds half of the quote or is at least half quote itself"


def _cuts(chunk: Chunk, start: int, end: int) -> bool:
    return start < chunk.start < end or start < chunk.end < end


def _numbered(numbers: Sequence[int]) -> str:
    """`chunk 2`, `chunks 2 and 3`, `chunks 2, 3 and 4`, `chunks 2 to 9`."""
    if len(numbers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"chunks {numbers[0]} to {numbers[-1]}"
    *first, last = map(str, numbers)
    return f"chunks {', '.join(first)} and {last}" if first else f"chunk {last}"
