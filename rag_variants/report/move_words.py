"""What a moved setting did, in sentences."""

from collections.abc import Sequence

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.evaluation.statistics.signflips import MIN_DIFFERING
from rag_variants.evaluation.tuning.tune import Move, Tuned
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.gold_moves import GoldMove, count_moves, cut_of
from rag_variants.report.move_tiles import LEADING, leading_label, retrieval_tiles
from rag_variants.report.words import differ_words, inside_sentence, interval_words, signed

NEEDED = "A retrieval metric needs to know where the answer stands"


def title_sentence(move: Move, moves: Sequence[GoldMove]) -> str:
    """What came out, in one sentence: `hybrid: evidence recall 0.83, +0.04 against the pin; 3 questions gained, …`."""
    name = move.now.variant.name
    if not move.now.values[LEADING]:
        return f"{name}: retrieval cannot be scored, because no question names its evidence"
    tile = retrieval_tiles(move)[0].tile
    value = f"{name}: {inside_sentence(leading_label())} {tile.value}"
    if move.pin.variant == move.now.variant:
        return f"{value}, the pinned setting"
    counts = count_moves(moves, cut_of(move))
    gained, lost = counts["gained"], counts["lost"]
    swings = f"{gained} question{'' if gained == 1 else 's'} gained, {lost} lost" if gained or lost else ""
    return f"{value}, {_against(tile.change)}; {swings or 'no question gained or lost'}"


def verdict_sentence(move: Move, judged: Comparison | None = None) -> str:
    """What can be said of the leading metric's delta, and which others have a verdict; "" for the pin itself.

    `judged` are the same move's judged metrics where they are known: a loss among them is named as one in retrieval is.
    """
    if move.pin.variant == move.now.variant:
        return ""
    if move.pin.values == move.now.values:
        return "No retrieval metric differs from the pin, nor the text read."
    if not move.now.values[LEADING]:
        return "Retrieval cannot be scored; the text read differs from the pin."
    first = _verdict(move.deltas[LEADING], inside_sentence(leading_label()))
    deltas = {**move.deltas, **{name: each.delta for name, each in (judged.metrics if judged else {}).items()}}
    judge = judged.judge if judged else ""
    others = {
        verdict: [
            inside_sentence(label_of(all_metrics()[name], judge))
            for name, delta in deltas.items()
            if name != LEADING and delta.verdict == verdict
        ]
        for verdict in ("worse", "better")
    }
    also = "; ".join(f"{verdict} in {', '.join(names)}" for verdict, names in others.items() if names)
    return f"{first} Also shown: {also}." if also else first


def evidence_sentence(tuned: Tuned) -> str:
    """What to add where no question's retrieval can be scored; "" where one can."""
    if any(tuned.values[name] for name in tuned.metrics if all_metrics()[name].tested):
        return ""
    return (
        f"None of these {len(tuned.rows)} questions names evidence. {NEEDED}: give questions a column `evidence` with "
        f"the document and the exact words, as the Knowledge page writes it for a marked sentence. Until then only the "
        f"text read and the judged metrics move."
    )


def luck_sentence(tried: int, here: int, luck: float | None) -> str:
    """How many settings were tried on these questions, and what the best of so many would reach by luck."""
    counted = f"{tried} setting{'' if tried == 1 else 's'} tried on them" + (f", {here} in this visit" if here else "")
    if luck is None or tried < 2:
        return counted
    label = inside_sentence(leading_label())
    return f"{counted}: the best of {tried} equal ones would look {signed(luck)} better in {label} by luck alone"


def holdout_words(asked: int, held: int, opened: str | None) -> str:
    """How many questions settings are chosen on, and what is known of those that are held out."""
    tune = f"{asked} tune question{'' if asked == 1 else 's'}"
    if not held:
        return f"{tune} · none held out for a final check"
    state = f"opened first on {opened}" if opened else "unopened"
    return f"{tune} · {held} held out, {state}"


def _against(change: str) -> str:
    return "as at the pin" if not change.strip("0.") else f"{change} against the pin"


def _verdict(delta: Delta, label: str) -> str:
    differing = delta.differing
    if not delta.n:
        return f"No question was scored in {label} at both settings."
    if not differing:
        return f"No question differs in {label}."
    if delta.verdict == "too few":
        return f"Too few to tell: only {differ_words(differing)} in {label}, and a verdict needs {MIN_DIFFERING}."
    span = interval_words(delta, between=" to ") if delta.ci95 else ""
    if delta.verdict == "not shown":
        return f"Not shown: {label} could differ by {span}." if span else f"Not shown in {label}."
    words = f"{delta.verdict.capitalize()} in {label}" + (f": by {span}." if span else ".")
    return f"{words} Fragile: it hangs on one question." if delta.fragile else words
