"""Advice in words: what a change did to one question, to all, and how far to believe it."""

from collections.abc import Sequence

from rag_variants.evaluation.advice.advice import Advice, Attempts, advise_all
from rag_variants.evaluation.advice.changes import LeftOut, SingleChange
from rag_variants.evaluation.advice.findings import EvidenceFound
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.variant import Variant
from rag_variants.report.words import change_words, inside_sentence, plain, signed, verdict_words

MOST_NAMES = 4


def tried_words(variant: Variant, change: SingleChange | LeftOut) -> str:
    """`Keyword weight 0.5 → 0.8`."""
    return change_words(settings_of(variant)[change.setting][1].label, change.before, change.after)


def effect_words(before: EvidenceFound, after: EvidenceFound) -> str:
    """What became of the question's evidence: `gold at rank 2 (was 7, below the cut)`."""
    if after.value is None or before.value is None:
        return f"not scored: {after.reason or before.reason}"
    several = len(after.ranks) > 1  # of several pieces only those handed over are told of
    seen = [(each.value, each.found, each.reach, None if several else each.first) for each in (before, after)]
    if seen[0] == seen[1]:
        return "as before"
    words = _pieces_words(before, after) if several else _piece_words(before, after)
    if after.found == before.found and after.value != before.value:
        words += f", {plain(after.value)} of the evidence covered (was {plain(before.value)})"
    return words


def _piece_words(before: EvidenceFound, after: EvidenceFound) -> str:
    if after.first == before.first and after.found != before.found:
        return f"gold at rank {after.first}, {'no longer' if after.found else 'now'} below the cut"
    if after.first is None and before.first is None:
        return "gold still not found"
    return f"gold {_place(after)} (was {_place(before).removeprefix('at rank ')})"


def _place(finding: EvidenceFound) -> str:
    if finding.first is None:
        return "not found"
    return f"at rank {finding.first}" + ("" if finding.first <= finding.handed else ", below the cut")


def _pieces_words(before: EvidenceFound, after: EvidenceFound) -> str:
    """`2 of 2 pieces of evidence, the last at rank 4 (was 1 of 2)`; with as many as before, the rank is compared."""
    groups = len(after.ranks)
    words = f"{after.found} of {groups} pieces of evidence"
    if after.reach is not None:
        words += f", the last at rank {after.reach}"
    if before.found != after.found:
        return f"{words} (was {before.found} of {groups})"
    return f"{words} (was {before.reach})" if before.reach != after.reach else words


def overall_words(advice: Advice, metric: str) -> str:
    """What the change did to all: `all 70: evidence recall +0.01 (2 gained, 1 lost: en-014)`."""
    label = inside_sentence(all_metrics()[metric].label)
    lost = f"{len(advice.lost)} lost: {_names(advice.lost)}" if advice.lost else "none lost"
    return f"all {advice.overall.n}: {label} {signed(advice.overall.mean)} ({len(advice.gained)} gained, {lost})"


def _names(ids: Sequence[str]) -> str:
    more = len(ids) - MOST_NAMES
    return ", ".join(ids[:MOST_NAMES]) + (f" and {more} more" if more > 0 else "")


def text_words(advice: Advice) -> str | None:
    """How much more is read, if it differs by a twentieth or more: `reads 1.6 times the text`."""
    if advice.text is None or abs(advice.text - 1) < 0.05:
        return None
    return f"reads {advice.text:.1f} times the text" if advice.text > 1 else f"reads {advice.text:.0%} of the text"


def advice_words(advice: Advice, metric: str) -> str:
    """Everything after the change's name, in one line."""
    parts = [
        f"this question: {effect_words(advice.before, advice.after)}" if advice.before and advice.after else None,
        overall_words(advice, metric),
        verdict_words(advice.overall),
        text_words(advice),
    ]
    return " · ".join(part for part in parts if part)


def tries_sentence(attempts: Attempts) -> str:
    """Why the best of many tries is no proof, and what the verdicts already allow for."""
    tried = len(attempts.tried)
    if tried < 2:
        return f"{tried} change was tried on {attempts.scored} questions." if tried else "No change was tried."
    return (
        f"{tried} changes were tried on the same {attempts.scored} questions, and the best of so many looks better "
        f"than it is. Verdicts and intervals allow for that: they hold for all {tried} together. How much is gained is "
        f"proved only on questions that this search has not seen."
    )


def overall_sentence(attempts: Attempts) -> str:
    """Whether any single change is shown to help all questions."""
    risen = advise_all(attempts)
    shown = sum(each.overall.verdict == "better" for each in risen)
    tried = len(attempts.tried)
    if not risen:
        return f"None of {tried} single changes raises the mean."
    if not shown:
        return f"{len(risen)} of {tried} single changes raise the mean; none is shown to be better: it may be luck."
    return f"{shown} of {tried} single changes {'is' if shown == 1 else 'are'} shown to be better."
