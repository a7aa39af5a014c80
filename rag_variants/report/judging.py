"""Agreement, gold marks and other judges in words and table cells."""

from collections.abc import Mapping, Sequence
from typing import Any

from rag_variants.evaluation.judging.gold_check import CheckedChunk, GoldCheck
from rag_variants.evaluation.judging.kappa import Agreement
from rag_variants.evaluation.judging.other_judges import VerdictSource, winners
from rag_variants.metrics import all_metrics
from rag_variants.report.words import inside_sentence, plain, signed

KAPPA = (
    "Accuracy is the share of equal verdicts. κ (Cohen's kappa) sets aside what two who guess would agree on: 1 is "
    "perfect, 0 no better than guessing. Where all labels say the same, as within most kinds, it is 0 or –: read "
    "accuracy."
)
OVERLAP = (
    "overlap: a judge that understands nothing. A statement counts as supported if three quarters of its words stand "
    "in the text, so a changed number or a “not” is missed."
)
NOT_ALIKE = (
    "Compare the signs down the table, never the means: a strict judge gives both sides lower ones. "
    "No test is made here; the verdict about the run stays the one of its own judge."
)


def labels_words(count: int) -> str:
    """`1 label`, `12 labels`."""
    return f"{count} label{'' if count == 1 else 's'}"


def figure_rows(measured: Mapping[str, Any]) -> list[dict[str, str]]:
    """A row for all labels, then one per metric, language and kind: labels, equal verdicts, accuracy, kappa."""
    parts = [("all", measured)]
    parts += [(f"{by} {name}", part) for by, found in measured["by"].items() for name, part in found.items()]
    return [
        {
            "labels": name,
            "n": str(part["n"]),
            "equal": str(round(part["accuracy"] * part["n"])),
            "accuracy": f"{part['accuracy']:.0%}",
            "κ": plain(part["kappa"]),
        }
        for name, part in parts
    ]


def disagreement_words(each: Mapping[str, Any]) -> str:
    """One label that the judge does not agree with: both words, and what either rests on."""
    said = {0: "no", 1: "yes"}
    kind = f" ({each['kind']})" if each["kind"] else ""
    reason = f": {each['reason']}" if each.get("reason") else ""
    return f"{each['statement']}\n    label: {said[each['label']]}{kind}\n    judge: {said[each['judge']]}{reason}"


def gold_sentence(check: GoldCheck, judge: str) -> str:
    """How far the judge's verdicts on chunks and the gold marks are the same."""
    table = check.agreement
    return (
        f"{judge} and the gold marks say the same of {table.equal} of {table.n} chunks "
        f"({(table.accuracy or 0):.0%}, κ {plain(table.kappa)})."
    )


def gold_table(table: Agreement) -> list[dict[str, str]]:
    """The 2×2 table by rows of the judge."""
    return [
        {"": "judge: useful", "gold": str(table.both), "not gold": str(table.judge_only)},
        {"": "judge: not useful", "gold": str(table.other_only), "not gold": str(table.neither)},
    ]


def language_rows(check: GoldCheck) -> list[dict[str, str]]:
    """A row per language: chunks, equal, kappa."""
    return [
        {"language": name, "chunks": str(table.n), "equal": f"{(table.accuracy or 0):.0%}", "κ": plain(table.kappa)}
        for name, table in check.by_language.items()
    ]


def differing_words(each: CheckedChunk) -> str:
    """One chunk on which judge and mark differ, in a line and its reason."""
    chunk = each.chunk
    mark = "gold" if each.gold else "part of the evidence" if each.mark.part else "not gold"
    verdict = "useful" if each.useful else "not useful"
    reason = f"\n    {each.reason}" if each.reason else ""
    return f"{each.question_id} · {chunk.document} {chunk.start}–{chunk.end} · judge: {verdict} · mark: {mark}{reason}"


def means_sentence(check: GoldCheck) -> str | None:
    """Context precision by verdicts and by marks, side by side on the same questions; None where none has both."""
    a, b = check.a, check.b
    if a.judged is None or a.gold is None or b.judged is None or b.gold is None:
        return None
    return (
        f"Context precision, B − A: {signed(b.judged - a.judged, 3)} by the judge "
        f"({plain(a.judged, 3)} → {plain(b.judged, 3)}), "
        f"{signed(b.gold - a.gold, 3)} by gold marks ({plain(a.gold, 3)} → {plain(b.gold, 3)}; "
        f"n = {a.n} questions of A, {b.n} of B)."
    )


def source_rows(sources: Sequence[VerdictSource], metric: str) -> list[dict[str, str]]:
    """A row per source of verdicts: means, B − A, who is ahead, on how many questions."""
    return [_source_row(source, metric) for source in sources]


def _source_row(source: VerdictSource, metric: str) -> dict[str, str]:
    delta = source.deltas.get(metric)
    if delta is None:
        empty = ("A", "B", "Δ = B − A", "ahead", "B higher", "B lower", "n")
        return {"verdicts by": source.name, **dict.fromkeys(empty, "–")}
    return {
        "verdicts by": source.name,
        "A": plain(delta.a, 3),
        "B": plain(delta.b, 3),
        "Δ = B − A": signed(delta.mean, 3),
        "ahead": delta.winner,
        "B higher": str(delta.wins),
        "B lower": str(delta.losses),
        "n": str(delta.n),
    }


def winner_sentence(sources: Sequence[VerdictSource], metric: str, shown: bool) -> str:
    """Whether the same side is ahead under every source that has something to say.

    `shown`: the run's own judge shows a difference. Where it shows none, the sign is chance as much as anything.
    """
    label = inside_sentence(all_metrics()[metric].label)
    found = winners(sources, metric)
    if len(found) < 2:
        return f"Only one source has a word on {label}: judge the records again for others."
    chance = "" if shown else " The run shows no difference here, so a sign says little."
    first = next(iter(found.values()))
    if all(each == first for each in found.values()):
        ahead = "neither is ahead" if first == "equal" else f"{first} is ahead"
        return f"By {label} {ahead} under all {len(found)} sources.{chance}"
    said: dict[str, list[str]] = {}
    for name, winner in found.items():
        said.setdefault(winner, []).append(name)
    parts = [
        f"{'neither is ahead' if winner == 'equal' else f'{winner} is ahead'} under {' and '.join(names)}"
        for winner, names in said.items()
    ]
    return f"By {label} the sources differ: {'; '.join(parts)}.{chance}"
