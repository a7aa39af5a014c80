"""Signals in words: the numbers behind one, and how many questions show it."""

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from rag_variants.evaluation.reasons.signal_rules import MEASURES, Condition, Rule
from rag_variants.evaluation.reasons.signals import SideCount, Signal, SignalCount
from rag_variants.metrics import all_metrics, label_of
from rag_variants.report.words import inside_sentence, plain

CAVEAT = (
    "Rules of thumb, read off the scores: they point at where to look and never prove a cause. "
    "Try one thing, and compare again."
)
MOST_NAMED = 6


def condition_words(condition: Condition) -> str:
    """A condition of the table: `recall at least 0.8`, `it did not decline`."""
    if condition.measure in ("answerable", "declined"):
        return _yes_or_no(condition.measure, condition.bound == "at least")
    if condition.measure == "misleading":
        return f"{condition.threshold:.2g} or more {MEASURES[condition.measure].label}"
    return f"{MEASURES[condition.measure].label} {condition.bound} {condition.threshold:.2g}"


def measure_words(name: str) -> str:
    """Which metrics stand for a measure: the first that was scored counts."""
    metrics = MEASURES[name].metrics
    labels = [inside_sentence(all_metrics()[each].label) for each in metrics]
    return f"{MEASURES[name].label}: {', else '.join(labels)}" if labels else MEASURES[name].label


def evidence_words(signal: Signal, judge: str) -> str:
    """The numbers behind a signal: `evidence recall 1.00 (at least 0.8), context precision 0.33 (below 0.5)`."""
    parts = []
    for condition, reading in zip(signal.rule.conditions, signal.readings, strict=True):
        if condition.measure in ("answerable", "declined"):
            parts.append(_yes_or_no(condition.measure, bool(reading.value)))
        elif reading.source == "misleading":
            parts.append(f"{plain(reading.value, 0)} {source_words(reading.source, judge)}")
        else:
            label = source_words(reading.source, judge)
            parts.append(f"{label} {plain(reading.value)} ({condition.bound} {condition.threshold:.2g})")
    return ", ".join(parts)


def unscored_words(signal: Signal, judge: str) -> str:
    """Why it cannot be told whether a signal is there; "" if it can."""
    reading = signal.unscored
    return _reason_words(reading.source, reading.reason or "", judge) if reading else ""


def source_words(source: str, judge: str) -> str:
    """The metric, or the fact, that a reading came from."""
    if source in all_metrics():
        return inside_sentence(label_of(all_metrics()[source], judge))
    return MEASURES[source].label


def count_words(count: SideCount) -> str:
    """`10 of 70`, or that nothing could be told."""
    return f"{len(count.questions)} of {count.n}" if count.n else "not scored"


def not_told_words(count: SignalCount, judge: str) -> str:
    """Why questions are left out of a signal's counts, the most frequent reason first; "" if none is."""
    found = count.b.unscored or count.a.unscored
    if not found:
        return ""
    source, reason, times = found[0]
    rest = sum(each[2] for each in found[1:])
    others = f", and {rest} for other reasons" if rest else ""
    return f"{_reason_words(source, reason, judge)} ({times}{others})"


def named(questions: Sequence[str]) -> str:
    """Question ids, the first few by name: `en-001, en-004 and 3 more`; `none`."""
    more = len(questions) - MOST_NAMED
    shown = ", ".join(questions[:MOST_NAMED])
    return (shown + (f" and {more} more" if more > 0 else "")) or "none"


def rule_document(rule: Rule) -> dict[str, Any]:
    """A rule of the table as plain data."""
    return {
        "title": rule.title,
        "conditions": [asdict(condition) for condition in rule.conditions],
        "points_at": rule.points_at,
        "worth_trying": rule.worth_trying,
    }


def signals_document(counts: Sequence[SignalCount]) -> dict[str, Any]:
    """Every rule with the questions of each side that show it, of how many, and why others were not scored."""
    return {each.rule.name: {**rule_document(each.rule), "a": _side(each.a), "b": _side(each.b)} for each in counts}


def row_document(signals: Sequence[Signal], judge: str) -> dict[str, Any]:
    """The signals of one side of a row: true with the numbers behind it, false, or null with the reason."""
    return {each.rule.name: {"shown": each.shown, "why": _why(each, judge)} for each in signals}


def _why(signal: Signal, judge: str) -> str | None:
    if signal.shown is False:
        return None
    return evidence_words(signal, judge) if signal.shown else unscored_words(signal, judge)


def _side(count: SideCount) -> dict[str, Any]:
    return {
        "questions": list(count.questions),
        "n": count.n,
        "unscored": [{"what": what, "reason": reason, "n": n} for what, reason, n in count.unscored],
    }


def _reason_words(source: str, reason: str, judge: str) -> str:
    if source in all_metrics():
        return f"{source_words(source, judge)} not scored: {reason}"
    return f"not known: {reason}"


def _yes_or_no(measure: str, value: bool) -> str:
    words = {
        ("answerable", True): "the documents hold an answer",
        ("answerable", False): "the documents hold no answer",
        ("declined", True): "it declined",
        ("declined", False): "it did not decline",
    }
    return words[measure, value]
