"""Verdicts of a judge: checked, counted, put into plain values for the record and the screen, and added up."""

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from rag_variants.errors import ModelError
from rag_variants.judges.held import find_fault
from rag_variants.metrics.metric import DIGITS, Worked

if TYPE_CHECKING:
    from pydantic import BaseModel

    from rag_variants.judges.ragas_llm import Exchange

Entry = dict[str, Any]


class UnreadableReplyError(ModelError):
    """A judge's reply that cannot be a verdict; `replies` are all replies of this score as they came."""

    def __init__(self, message: str, replies: list[dict[str, Any]] | None = None) -> None:
        super().__init__(message)
        self.replies = replies or []


def check_replies(exchanges: Sequence["Exchange"]) -> None:
    """Returns if every verdict is 0 or 1 and every statement has one, and none has two.

    Raises UnreadableReplyError else: ragas passes any whole number through (recall 5.0 was seen), and a judge that
    drops the statements it dislikes would raise the score.
    """
    for exchange in exchanges:
        for name, verdict in _verdicts(exchange.output):
            if verdict not in (0, 1):
                raise UnreadableReplyError(f"the {name} {verdict!r} is neither 0 nor 1", _raw(exchanges))
        if hasattr(exchange.input, "statements") and (fault := find_fault(exchange.input, exchange.output)):
            raise UnreadableReplyError(fault, _raw(exchanges))


def _raw(exchanges: Sequence["Exchange"]) -> list[Entry]:
    return [exchange.output.model_dump(mode="json") for exchange in exchanges]


def _verdicts(output: "BaseModel") -> list[tuple[str, Any]]:
    """The name and value of every verdict in a reply, in any of ragas' reply models."""
    found = [(name, getattr(output, name)) for name in ("verdict", "noncommittal") if hasattr(output, name)]
    found += [("verdict", each.verdict) for each in getattr(output, "statements", ()) if not isinstance(each, str)]
    return found + [("verdict", each.attributed) for each in getattr(output, "classifications", ())]


def claim_entries(items: Iterable["BaseModel"]) -> list[Entry]:
    """One entry per judged statement: statement, verdict 0/1, label, sentence, veto, reason (None where not given)."""
    return [{"statement": getattr(item, "statement", None), **_judged(item)} for item in items]


def rank_entries(exchanges: Sequence["Exchange"], chunk_ids: Sequence[str]) -> list[Entry]:
    """One entry per rank: rank from 1, chunk_id, verdict 0/1, label, sentence, veto, reason."""
    pairs = enumerate(zip(exchanges, chunk_ids, strict=True), start=1)
    return [{"rank": rank, "chunk_id": chunk, **_judged(exchange.output)} for rank, (exchange, chunk) in pairs]


def _judged(item: "BaseModel") -> Entry:
    return {
        "verdict": int(getattr(item, "verdict" if hasattr(item, "verdict") else "attributed")),
        "label": getattr(item, "label", None),
        "sentence": getattr(item, "sentence", None),
        "veto": getattr(item, "veto", None),
        "reason": getattr(item, "reason", None),
    }


def count_verdicts(entries: Sequence[Entry]) -> dict[str, int]:
    """How many entries there are, how many are yes (verdict 1), and how many of the others are unsure."""
    yes = sum(entry["verdict"] for entry in entries)
    unsure = sum(1 for entry in entries if _unsure(entry))
    return {"total": len(entries), "yes": yes, "unsure": unsure}


def _unsure(entry: Entry) -> bool:
    return entry["label"] == "unsure" and not entry["verdict"]


def share_ends(entries: Sequence[Entry]) -> Entry:
    """`counts`, and the share of yes with unsure as no (`strict`) and as yes (`lenient`)."""
    counts = count_verdicts(entries)
    strict = counts["yes"] / counts["total"]
    lenient = (counts["yes"] + counts["unsure"]) / counts["total"]
    return {"counts": counts, "strict": round(strict, DIGITS), "lenient": round(lenient, DIGITS)}


def precision_ends(entries: Sequence[Entry]) -> Entry:
    """`counts`, and the average precision with unsure as no (`strict`) and as yes (`lenient`).

    `lenient` can be the lower one: a doubtful chunk far down adds a low precision to the mean.
    """
    strict = average_precision([entry["verdict"] for entry in entries])
    lenient = average_precision([1 if _unsure(entry) else entry["verdict"] for entry in entries])
    return {"counts": count_verdicts(entries), "strict": round(strict, DIGITS), "lenient": round(lenient, DIGITS)}


def average_precision(marks: Sequence[int]) -> float:
    """The mean, over ranks marked 1, of the share of 1 down to that rank: 0…1; 0 if none is marked.

    ragas' context precision (0.4.3) without its 1e-10: it divides by the marked ranks, not by all that exist.
    """
    found, total = 0, 0.0
    for rank, mark in enumerate(marks, start=1):
        found += mark
        total += mark * found / rank
    return total / found if found else 0.0


def work_out_share(marks: Sequence[bool], formula: str) -> Worked:
    """The share of yes as a sum: `3 / 4`."""
    return Worked(formula, f"{sum(marks)} / {len(marks)}", sum(marks) / len(marks))


def work_out_precision(marks: Sequence[bool], useful: str = "useful") -> Worked:
    """The average precision as a sum: `(1/1 + 2/3) / 2`; `0` without a useful chunk."""
    ranks = [rank for rank, mark in enumerate(marks, start=1) if mark]
    terms = [f"{found}/{rank}" for found, rank in enumerate(ranks, start=1)]
    formula = f"sum of (share of {useful} chunks down to the rank, at each {useful} rank) / {useful} chunks"
    numbers = f"({' + '.join(terms)}) / {len(terms)}" if terms else "0"
    return Worked(formula, numbers, average_precision([int(mark) for mark in marks]))
