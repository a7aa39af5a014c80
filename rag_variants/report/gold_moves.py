"""Where each question's gold chunk stood at the pinned settings and where it stands now, in rows and words."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

from rag_variants.evaluation.tuning.tune import Move
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.stage_key import stage_key

MoveKind = Literal["gained", "lost", "up", "down", "same", "not found"]
# In the order in which they matter.
KIND_WORDS: Mapping[MoveKind, str] = {
    "gained": "gained",
    "lost": "lost",
    "up": "higher",
    "down": "lower",
    "same": "as before",
    "not found": "found by neither",
}
NOT_FOUND = "not found"
_SCORED = "hit_rate"  # scored where the evidence of a question stands in the documents
_LAST = float("inf")


class TopK(NamedTuple):
    """How many chunks reach the answer: at the pinned settings, and now.

    `others_before` and `others_after` name the settings besides it that decide what is read (`deciding_settings`).
    With any, no rank bounds what reaches the answer.
    """

    before: int
    after: int
    others_before: tuple[str, ...] = ()
    others_after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class GoldMove:
    """A question with the rank (from 1) of its first gold chunk, pinned and now; None: not among the candidates.

    `reached_before` and `reaches` say whether a gold chunk was, and is, handed to the answer. None: as `top_k` says.
    Give them where more than `top_k` decides (diversity, a least score, a budget of text).
    """

    id: str
    question: str
    before: int | None
    after: int | None
    reached_before: bool | None = None
    reaches: bool | None = None

    def kind(self, top_k: TopK) -> MoveKind:
        """What became of it. Reaching the answer or no longer doing so comes before a better or worse rank."""
        had = _reaches(self.before, top_k.before) if self.reached_before is None else self.reached_before
        has = _reaches(self.after, top_k.after) if self.reaches is None else self.reaches
        if had != has:
            return "gained" if has else "lost"
        if self.before == self.after:
            return "not found" if self.after is None else "same"
        return "up" if _place(self.after) < _place(self.before) else "down"


def gold_moves(move: Move) -> tuple[GoldMove, ...]:
    """One for each question that was asked on both sides and whose evidence stands in the documents.

    A question that failed, or without evidence, is not one that was not found: it is left out, as in the hit rate.
    """
    pinned = {row.question.id: row for row in move.pin.rows if row.question.id in move.pin.values[_SCORED]}
    return tuple(
        GoldMove(
            id=row.question.id,
            question=row.question.user_input,
            before=pinned[row.question.id].gold_rank,
            after=row.gold_rank,
            reached_before=pinned[row.question.id].reaches,
            reaches=row.reaches,
        )
        for row in move.now.rows
        if row.question.id in pinned and row.question.id in move.now.values[_SCORED]
    )


def cut_of(move: Move) -> TopK:
    """How many chunks reach the answer on both sides, and what else decides there."""
    pin, now = move.pin.variant, move.now.variant
    return TopK(pin.top_k, now.top_k, deciding_settings(pin), deciding_settings(now))


# Settings that decide, besides `top_k`, which chunks of a ranking are read, in the order in which they are named.
_DECIDING = ("parent_size", "mmr", "deduplicate", "min_score", "context_budget")


def deciding_settings(variant: Pipeline) -> tuple[str, ...]:
    """The settings, besides `top_k`, that are on and decide which chunks of a ranking are read."""
    key = stage_key(variant, "select")
    return tuple(name for name in _DECIDING if key.get(name))


def bound_sentence(top_k: TopK) -> str:
    """Why a rank does not say what is read, where more than `top_k` decides; "" where `top_k` alone does."""
    named = tuple(dict.fromkeys((*top_k.others_after, *top_k.others_before)))
    if not named:
        return ""
    where = "" if top_k.others_before and top_k.others_after else " now" if top_k.others_after else " at the pin"
    *first, last = named
    settings = f"{', '.join(first)} and {last} decide" if first else f"{last} decides"
    ranked = "the small chunks that are searched" if "parent_size" in named else "the chunks that were found"
    counts = " (where top_k counts parents)" if "parent_size" in named else ""
    return (
        f"Ranks are those of {ranked}. Besides top_k, {settings} what is read{where}{counts}: a rank within top_k "
        f"may stay out and a deeper one may be read. No line is drawn there; gained and lost are by what is read."
    )


@dataclass(frozen=True, slots=True)
class Swing:
    """A question whose gold chunk began, or ceased, to reach the answer; ranks as they are shown."""

    kind: MoveKind
    id: str
    question: str
    before: str
    after: str


def order_moves(moves: Iterable[GoldMove]) -> tuple[GoldMove, ...]:
    """By new rank, then pinned rank, then id; what is not found comes last."""
    return tuple(sorted(moves, key=lambda move: (_place(move.after), _place(move.before), move.id)))


def count_moves(moves: Iterable[GoldMove], top_k: TopK) -> dict[MoveKind, int]:
    """How many questions of each kind; kinds without a question too, those that matter most first."""
    found = Counter(move.kind(top_k) for move in moves)
    return {kind: found[kind] for kind in KIND_WORDS}


def find_swings(moves: Iterable[GoldMove], top_k: TopK) -> tuple[Swing, ...]:
    """The questions lost, then those gained; lost ones by how far they fell, gained ones by how little they rose."""
    swings = [move for move in moves if move.kind(top_k) in ("gained", "lost")]
    swings.sort(key=lambda move: (move.kind(top_k) != "lost", -_fall(move), move.id))
    return tuple(
        Swing(move.kind(top_k), move.id, move.question, rank_words(move.before), rank_words(move.after))
        for move in swings
    )


def moves_sentence(moves: Iterable[GoldMove], top_k: TopK) -> str:
    """What the move did, in one line: "3 questions gained, 1 lost, 5 higher, 2 lower, 65 as before"."""
    counts = count_moves(moves, top_k)
    gained, lost = counts["gained"], counts["lost"]
    rest = [f"{n} {KIND_WORDS[kind]}" for kind, n in counts.items() if n and kind not in ("gained", "lost")]
    first = f"{gained or 'No'} question{'' if gained == 1 else 's'} gained"
    return ", ".join([first, f"{lost or 'none'} lost", *rest])


def rank_words(rank: int | None) -> str:
    """A rank as it is shown."""
    return NOT_FOUND if rank is None else str(rank)


def _reaches(rank: int | None, top_k: int) -> bool:
    return rank is not None and rank <= top_k


def _place(rank: int | None) -> float:
    return _LAST if rank is None else rank


def _fall(move: GoldMove) -> float:
    """Ranks that it fell; below 0, that it rose. What was not found before or is not now fell or rose the farthest."""
    if move.before is None or move.after is None:
        return _LAST if move.after is None else -_LAST
    return move.after - move.before
