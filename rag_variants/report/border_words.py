"""What the borders of chunks do to a piece of evidence, in sentences."""

from collections.abc import Sequence

from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.questions.gold import Gold, Occurrence
from rag_variants.types import Chunk

CHUNK, PARENT = "chunk", "parent"


def piece_of(variant: Pipeline) -> str:
    """What a variant's answer reads: `chunk`, or `parent` where small chunks are searched and larger ones read."""
    return PARENT if variant.parent_size else CHUNK


def cut_words(variant: Pipeline) -> str:
    """Which cut of the documents is drawn, the one that is read: `at 600 characters a parent; chunks of 200 are …`."""
    if not variant.parent_size:
        return f"at {variant.chunk_size:,} characters a chunk"
    return (
        f"at {variant.parent_size:,} characters a parent, which is what the answer reads; chunks of "
        f"{variant.chunk_size:,} are searched"
    )


def border_sentences(
    place: Occurrence, chunks: Sequence[Chunk], name: str = "the evidence", piece: str = CHUNK
) -> tuple[str, str]:
    """How much of the evidence one chunk holds, and which chunks are gold for it by the rule of the metrics.

    `chunks` are those of its document, in order; they are numbered from 1. `name` is what the evidence is called,
    `piece` what a chunk is (`piece_of`).
    """
    return _cut_sentence(place, chunks, name, piece), _gold_sentence(place, chunks, name, piece)


def name_evidence(place: Occurrence, gold: Gold) -> str:
    """What a piece of evidence is called inside a sentence: by its group where an answer needs several."""
    return f"evidence {place.group}" if len(gold.groups) > 1 else "the evidence"


def _cut_sentence(place: Occurrence, chunks: Sequence[Chunk], name: str, piece: str) -> str:
    length = place.end - place.start
    shared = {number: place.overlap(chunk) for number, chunk in enumerate(chunks, start=1) if place.overlap(chunk)}
    if not shared:
        return f"No {piece} holds any of {name}."
    whole = [number for number, characters in shared.items() if characters == length]
    if whole:
        return f"{name[0].upper()}{name[1:]} lies whole inside {_numbered(whole, piece)}."
    borders = [number for number in shared if place.start < chunks[number - 1].start < place.end]
    if len(borders) == 1:
        what = f"The border of {_numbered(borders, piece)} cuts {name}"
    else:
        what = f"The borders of {_numbered(borders, piece)} cut {name}" if borders else f"No {piece} holds {name} whole"
    most = 100 * max(shared.values()) // length  # rounded down: what is cut is never 100%
    return f"{what}: the most that one {piece} holds is {most or 'less than 1'}%."


def _gold_sentence(place: Occurrence, chunks: Sequence[Chunk], name: str, piece: str) -> str:
    remedy = f"Raise the overlap or the {piece} size."
    gold = [number for number, chunk in enumerate(chunks, start=1) if place.is_gold(chunk)]
    if gold:
        each = "it" if len(gold) == 1 else "each"
        return f"Gold for {name}: {_numbered(gold, piece)}, as {each} {_rule(place, [chunks[n - 1] for n in gold])}."
    if place.key and any(_cuts(chunk, *place.key) for chunk in chunks):
        return f"No {piece} is gold for {name}: a border cuts the key. {remedy}"
    return f"No {piece} is gold for {name}: none {_rule(place, [])}. {remedy}"


def _rule(place: Occurrence, gold: Sequence[Chunk]) -> str:
    """The rule that makes a chunk gold; its second half only where the first is not enough to explain all of them."""
    if place.key:
        return "holds the key whole"
    if gold and all(2 * place.overlap(chunk) >= place.end - place.start for chunk in gold):
        return "holds half of the quote or more"
    return "holds half of the quote or is at least half quote itself"


def _cuts(chunk: Chunk, start: int, end: int) -> bool:
    return start < chunk.start < end or start < chunk.end < end


def _numbered(numbers: Sequence[int], piece: str) -> str:
    """`chunk 2`, `chunks 2 and 3`, `chunks 2, 3 and 4`, `chunks 2 to 9`."""
    if len(numbers) > 3 and numbers[-1] - numbers[0] == len(numbers) - 1:
        return f"{piece}s {numbers[0]} to {numbers[-1]}"
    *first, last = map(str, numbers)
    return f"{piece}s {', '.join(first)} and {last}" if first else f"{piece} {last}"
