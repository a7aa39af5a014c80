"""The flow of chunks from A to B in sentences."""

from collections.abc import Iterator, Sequence

from rag_variants.evaluation.reasons.chunk_flow import ChunkChange, ChunkFlow, Cut, Place, Reason, SideName
from rag_variants.evaluation.reasons.recall_reasons import RecallReason, explain_recall
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.pipeline.expand import find_expander
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.ranking import SEARCH, before_reranking
from rag_variants.pipeline.rerank import OFF
from rag_variants.pipeline.select.parents import found_by
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.gold import Mark
from rag_variants.report.words import plain
from rag_variants.types import Hit, Part

LETTERS = {"a": "A", "b": "B"}
_QUOTED = 90  # characters of a statement that a sentence quotes


def cut_words(reason: Cut | Reason) -> str:
    """The setting that cut a ranking or passed a chunk over, and its value: "top_k is 5"."""
    return f"{reason.setting} is {reason.value:g}"


def out_words(place: Place) -> str:
    """Why a chunk that was ranked was not handed over: "below the cut", or "passed over, mmr is 0.3"."""
    return f"passed over, {cut_words(place.passed)}" if place.passed else "below the cut"


def mark_words(mark: Mark) -> str:
    """What a chunk is to the question: "gold", "part of the evidence", "trap: stale"; "" if none of these."""
    words = ["gold"] if mark.gold else ["part of the evidence"] if mark.part else []
    if mark.trap:
        words.append(f"trap: {mark.trap}")
    return ", ".join(words)


def fate_words(change: ChunkChange) -> str:
    """What became of a chunk, as B's list says it: "▲ 2 (from 4)", "= same rank", "new (A: rank 7, below the cut)"."""
    before, after = change.before, change.after
    why = out_words(change.other) if change.other else ""
    if change.fate == "left":
        return "left (B: not found)" if after is None else f"left (B: rank {after}, {why})"
    if before is None:
        return "new (A did not find it)"
    if change.fate == "entered":
        return f"new (A: rank {before}, {why})"
    if change.fate == "stayed" or after is None:
        return "= same rank"
    return f"{'▲' if after < before else '▼'} {abs(before - after)} (from {before})"


def gold_sentences(flow: ChunkFlow) -> tuple[str, ...]:
    """Where the evidence stands on each side, one sentence per side and piece of evidence."""
    groups = sorted({group for place in (*flow.a, *flow.b) for group in place.mark.gold})
    sides: tuple[SideName, ...] = ("a", "b")
    return tuple(
        _gold_sentence(flow, side, group, f" for evidence {group}" if len(groups) > 1 else "")
        for group in groups
        for side in sides
    )


def _gold_sentence(flow: ChunkFlow, side: SideName, group: int, which: str) -> str:
    place = next((each for each in flow.places(side) if group in each.mark.gold), None)
    name, cut = LETTERS[side], flow.cut(side)
    if place is None:
        return f"{name}: no gold chunk{which} is among the {len(flow.places(side))} chunks that were ranked."
    if place.handed:
        return f"{name}: the gold chunk{which} is at rank {place.hit.rank} and was handed to the answer."
    reason = place.passed or cut
    why = f", {cut_words(reason)}" if reason else ""
    return f"{name}: the gold chunk{which} was at rank {place.hit.rank}{why}."


def flow_sentences(left: ScoredRecord, right: ScoredRecord, flow: ChunkFlow) -> tuple[str, ...]:
    """Why context recall differs, then where the evidence stands."""
    return (*recall_sentences(explain_recall(left, right, flow), flow), *gold_sentences(flow))


def recall_sentences(reasons: Sequence[RecallReason], flow: ChunkFlow) -> tuple[str, ...]:
    """One sentence per chunk that explains a difference in context recall: what it brings, where the other had it."""
    by_place: dict[tuple[str, str, str], list[RecallReason]] = {}
    for reason in reasons:
        key = (reason.place.side, reason.place.hit.chunk.id, reason.known_by)
        by_place.setdefault(key, []).append(reason)
    return tuple(_recall_sentence(found, flow) for found in by_place.values())


def _recall_sentence(reasons: Sequence[RecallReason], flow: ChunkFlow) -> str:
    """Of reasons that name the same chunk."""
    reason, place = reasons[0], reasons[0].place
    statements = " and ".join(f"“{_cut_short(each.statement)}”" for each in reasons if each.statement)
    what = f"{LETTERS[place.side]} alone found {statements or 'more of the reference'}"
    how = {
        "sentence": "the judge points to",
        "evidence": "the evidence stands in",
        "words": "of the chunks that it alone has, the closest is",
    }[reason.known_by]
    other = "b" if place.side == "a" else "a"
    return f"{what}: {how} rank {place.hit.rank}, {place.hit.chunk.document}. {_elsewhere(reason, flow, other)}"


def _cut_short(statement: str) -> str:
    return statement if len(statement) <= _QUOTED else statement[:_QUOTED] + " …"


def _elsewhere(reason: RecallReason, flow: ChunkFlow, side: str) -> str:
    name, found = LETTERS[side], reason.other
    if found is None:
        return f"{name} did not find it."
    if found.handed:
        return f"{name} handed over another cut of the same text, at rank {found.hit.rank}."
    why = found.passed or flow.cut(found.side)
    return f"{name} had it at rank {found.hit.rank}, {cut_words(why) if why else 'below the cut'}."


def parts_lines(hit: Hit, variant: Variant) -> tuple[str, ...]:
    """How a fused score adds up: a line per list with its share worked out, then the sum; none for a single list.

    "keyword rank 1: 0.5 ÷ (60 + 1) = 0.0082", "0.0082 + 0.0079 = 0.0161". Then what a reranker made of it: "reranked:
    from rank 7 (0.0161) to rank 2 (0.8731)".
    """
    if found_by(hit):
        return ()
    before = before_reranking(hit)
    lines = list(_sum_lines(hit, variant))
    if before is not None:
        lines.append(f"reranked: from rank {before.rank} ({before.score:.4g}) to rank {hit.rank} ({hit.score:.4g})")
    return tuple(lines)


def _sum_lines(hit: Hit, variant: Variant) -> tuple[str, ...]:
    lists = _lists(hit)
    if not lists:
        return ()
    rrf_k, digits = variant.fused_with, _digits(hit)
    lines = []
    for name, part in lists:
        vote = "" if rrf_k is None else f"{part.share * (rrf_k + part.rank):.3g} ÷ ({rrf_k} + {part.rank}) = "
        lines.append(f"{name} rank {part.rank}: {vote}{plain(part.share, digits)}")
    total = " + ".join(plain(part.share, digits) for _, part in lists)
    return (*lines, f"{total} = {plain(_searched(hit), digits)}")


def sums_sentences(variant: Variant) -> tuple[str, ...]:
    """What the scores of a variant's lists add up from, and who reranked them."""
    found = []
    if isinstance(variant, Pipeline) and (expander := find_expander(variant.expansion)) and expander.fuses:
        found.append(f"The question and each wording give 1 ÷ ({variant.fused_with} + the chunk's rank there).")
    elif variant.fused_with is not None:
        found.append(f"{variant.score_kind}: each list gives its weight ÷ (rrf_k + the chunk's rank there).")
    if isinstance(variant, Pipeline) and variant.reranker != OFF:
        found.append(f"The first {variant.rerank_depth} were reranked by {variant.scored_as}.")
    return tuple(found)


def parts_words(hit: Hit) -> str:
    """The same on one line: "keyword rank 1 (0.0082) + vector rank 3 (0.0079) = 0.0161"; "" for a single list.

    For a parent the small chunk that found it: "found by chunk 120-310, rank 3". With a reranker where the search had
    it stands in front: "reranked from 7 · keyword rank 1 (0.0082) + …".
    """
    child = found_by(hit)
    if child:
        return f"found by {child[0]}, rank {child[1].rank}"
    digits, before = _digits(hit), before_reranking(hit)
    parts = [f"{name} rank {part.rank} ({plain(part.share, digits)})" for name, part in _lists(hit)]
    total = f"{' + '.join(parts)} = {plain(_searched(hit), digits)}" if parts else ""
    return " · ".join(filter(None, (f"reranked from {before.rank}" if before else "", total)))


def _lists(hit: Hit) -> list[tuple[str, Part]]:
    """The lists that the search's score was fused from."""
    return [(name, part) for name, part in hit.parts if name != SEARCH]


def _searched(hit: Hit) -> float:
    """The search's score, before any reranker."""
    before = before_reranking(hit)
    return hit.score if before is None else before.score


def _digits(hit: Hit) -> int:
    """As many decimals as it takes for the rounded shares to add up, 4 to 7."""
    shares = [part.share for _, part in _lists(hit)]
    return next((each for each in (4, 5, 6) if _adds_up(shares, _searched(hit), each)), 7)


def _adds_up(shares: list[float], score: float, digits: int) -> bool:
    return round(sum(round(share, digits) for share in shares), digits) == round(score, digits)


def noteworthy(flow: ChunkFlow) -> Iterator[Place]:
    """The places that a short list shows: handed over, marked, or linked to one handed over on the other side."""
    for place in (*flow.a, *flow.b):
        other = flow.counterpart(place)
        if place.handed or place.mark.gold or place.mark.part or (other and other.handed):
            yield place
