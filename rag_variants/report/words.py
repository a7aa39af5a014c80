"""Numbers and verdicts in words: one wording for the command line, files and pages."""

from collections import Counter
from collections.abc import Mapping
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from rag_variants.evaluation.comparison import (
    HEADLINE_ANSWERS,
    HEADLINE_RETRIEVAL,
    Comparison,
    MetricComparison,
    SliceDelta,
)
from rag_variants.evaluation.statistics.paired import Delta
from rag_variants.metrics import all_metrics, label_of
from rag_variants.pipeline.setting import settings_of

Counted = tuple[int, int]  # how many, of how many
MINUS = "\u2212"
_SURE = 9  # decimals that no order of float additions changes
_FINEST = 4  # decimals of a delta: one question of 500 in a metric of thirds is 0.0007
MOST_DIGITS = 6
ARROWS: Mapping[str, str] = {"better": "▲", "worse": "▼"}  # by verdict; without one, none


def rounded(value: float, digits: int) -> Decimal:
    """A number to so many decimals, halves away from zero, whatever float arithmetic left at its tenth decimal."""
    exact = Decimal(repr(round(float(value), _SURE)))
    return exact.quantize(Decimal(1).scaleb(-digits), ROUND_HALF_UP)


def signed(value: float | None, digits: int = 2) -> str:
    """A delta with its sign: `+0.12`, `−0.03`, `0.00`; `–` if there is none.

    One that is not 0 and would show as 0 has the decimals that show it, `+0.004`; below those `+<0.0001`.
    """
    if value is None:
        return "–"
    sign = "+" if value > 0 else MINUS
    if not rounded(value, _SURE):
        return f"{0:.{digits}f}"
    for decimals in range(digits, max(digits, _FINEST) + 1):
        shown = rounded(abs(value), decimals)
        if shown:
            return f"{sign}{shown}"
    return f"{sign}<{Decimal(1).scaleb(-max(digits, _FINEST))}"


def plain(value: float | None, digits: int = 2) -> str:
    """A value with a true minus: `0.74`, `−0.02`; `–` if there is none."""
    return "–" if value is None else f"{rounded(value, digits):z.{digits}f}".replace("-", MINUS)


def money_words(cost: float | None) -> str:
    """US dollars with two significant digits below one: `$12.40`, `$0.0021`."""
    if cost is None:
        return "price not known"
    if cost >= 1 or cost == 0:
        return f"${cost:,.2f}"
    whole, decimals = f"{float(f'{cost:.2g}'):.10f}".rstrip("0").split(".")
    return f"${whole}.{decimals:0<2}"


def digits_needed(compared: MetricComparison) -> int:
    """The decimals of a metric's means and delta, as `digits_that_add_up` gives them."""
    return digits_that_add_up(compared.a.mean, compared.b.mean, compared.delta.mean)


def digits_that_add_up(a: float | None, b: float | None, delta: float | None) -> int:
    """2 decimals; more where rounded numbers would not add up (0.31 → 0.37 is not +0.05) or hide a delta (0.004)."""
    if a is None or b is None or delta is None:
        return 2
    if rounded(b, 2) - rounded(a, 2) != rounded(delta, 2):
        return 3
    if not rounded(delta, _SURE):
        return 2
    return next((digits for digits in range(2, _FINEST) if rounded(delta, digits)), _FINEST)


def verdict_words(delta: Delta) -> str:
    """The verdict as a person says it; "not shown" carries what the delta could be."""
    if delta.shown:
        return delta.verdict + (" (fragile)" if delta.fragile else "")
    if delta.n == 0:
        return "not scored"
    if delta.differing == 0:
        return "no question differs"
    if delta.verdict == "too few":
        return f"too few: only {differ_words(delta.differing)}"
    if delta.ci95 is None:
        return "not shown"
    return f"not shown: could be {signed(delta.ci95[0])} to {signed(delta.ci95[1])}"


def differ_words(count: int) -> str:
    """How many questions differ: `1 question differs`, `3 questions differ`."""
    return f"{count} question{' differs' if count == 1 else 's differ'}"


def delta_words(delta: Delta) -> str:
    """A delta with the arrow of its verdict, of one width: `−0.20 ▼`, `+0.03  `."""
    return f"{signed(delta.mean)} {ARROWS.get(delta.verdict, ' ')}"


def interval_words(delta: Delta, digits: int = 2, between: str = " … ") -> str:
    """What the delta could be: `−0.02 … +0.07`; `–` if there is no interval.

    A shown difference gets as many more digits as keep an end beside 0 from being written as 0.
    """
    if delta.ci95 is None:
        return "–"
    if delta.shown:
        nearest = min(abs(end) for end in delta.ci95)
        digits = next((more for more in range(digits, MOST_DIGITS) if rounded(nearest, more)), MOST_DIGITS)
    return between.join(signed(end, digits) for end in delta.ci95)


def wins_words(delta: Delta | SliceDelta) -> str:
    """On how many questions B is better, equal and worse: `9 ▲ 60 = 7 ▼`."""
    return f"{delta.wins} {ARROWS['better']} {delta.ties} = {delta.losses} {ARROWS['worse']}"


def change_words(label: str, before: str, after: str) -> str:
    """A setting's way from one value to another: `top_k 5 → 3`."""
    return f"{label} {before} → {after}"


def scored_words(compared: MetricComparison) -> str:
    """How many of the pairs were scored on both sides: `62 of 76`."""
    unscored = compared.unscored
    return f"{compared.delta.n} of {compared.delta.n + unscored.a + unscored.b + unscored.both}"


def not_scored_sentences(comparison: Comparison) -> tuple[str, ...]:
    """For each metric without a single pair: its reasons, most frequent first. A row that is empty says why."""
    return tuple(_not_scored(comparison, name) for name, each in comparison.metrics.items() if each.delta.n == 0)


def _not_scored(comparison: Comparison, name: str) -> str:
    found: Counter[str] = Counter()
    for pair in comparison.pairs:
        for side, row in zip("AB", pair, strict=True):
            score = row.scores.get(name)
            if score is None or score.value is None:
                reason = (score.error or score.reason) if score else row.record.error
                found[f"{side}: {reason or 'no reason was given'}"] += 1
    reasons = "; ".join(f"{reason} ({count} ×)" for reason, count in found.most_common(4))
    return f"{label_of(all_metrics()[name], comparison.judge)} was scored on no question of both sides. {reasons}."


def headline_sentence(comparison: Comparison) -> str:
    """What came out, in one sentence: retrieval first, then answers, each by the metric that was fixed before."""
    if comparison.a.variant == comparison.b.variant and not any(
        each.delta.mean for each in comparison.metrics.values()
    ):
        return "A and B are the same variant: every difference is 0."
    headline = comparison.headline
    parts = []
    if headline.retrieval:
        parts.append(_part(comparison.metrics[headline.retrieval], headline.retrieval, "retrieves"))
    if headline.answers:
        parts.append(_part(comparison.metrics[headline.answers], headline.answers, "answers"))
    return " ".join(parts) or "No metric with a verdict was asked for."


def leading_metric(comparison: Comparison) -> str | None:
    """The metric to look at first: the first of the headline that was scored, else of all; None without metrics."""
    first = [name for name in (*HEADLINE_RETRIEVAL, *HEADLINE_ANSWERS) if name in comparison.metrics]
    names = [*first, *comparison.metrics]
    return next((name for name in names if comparison.metrics[name].delta.n), names[0] if names else None)


def _part(compared: MetricComparison, name: str, verb: str) -> str:
    delta = compared.delta
    read = all_metrics()[name].family == "read"
    label = inside_sentence(all_metrics()[name].label)
    digits = digits_needed(compared)
    means = (
        f"{label} {signed(delta.mean, digits)} ({plain(compared.a.mean, digits)} → {plain(compared.b.mean, digits)})"
    )
    if compared.inside_noise:
        return f"No difference beyond the judge's own noise: {means}."
    if delta.shown:
        return f"What was read: {means}." if read else f"B {verb} {delta.verdict}: {means}."
    noun = "what was read" if read else "retrieval" if verb == "retrieves" else "answers"
    if delta.n == 0:
        return f"{noun.capitalize()}: {label} was not scored."
    if delta.differing == 0:
        return f"{noun.capitalize()}: no question differs in {label}."
    return f"No difference shown in {noun}: {means}."


def inside_sentence(label: str) -> str:
    """A label within a sentence: `evidence recall`, but `nDCG` as it is."""
    return label[0].lower() + label[1:] if label[1:2].islower() else label


def settings_sentence(comparison: Comparison) -> str:
    """Which settings differ, and what follows for reading the delta."""
    differing = comparison.differing
    if not differing:
        same = comparison.a.variant == comparison.b.variant
        return "No setting differs." if same else "No setting that does anything differs."
    shown = ", ".join(_difference(comparison, *each) for each in differing)
    if len(differing) == 1:
        return f"1 setting differs: {shown}."
    return f"{len(differing)} settings differ ({shown}): the delta belongs to all of them together."


def _difference(comparison: Comparison, name: str, left: str | None, right: str | None) -> str:
    settings = {**settings_of(comparison.a.variant), **settings_of(comparison.b.variant)}
    label = settings[name][1].label if name in settings else name
    if left is None or right is None:
        return f"{label} {left or right} (only {'A' if right is None else 'B'} has it)"
    return change_words(label, left, right)


def text_read_sentence(comparison: Comparison) -> str | None:
    """How much more text B hands to the answer, if it differs by a twentieth or more."""
    ratio = comparison.more_text
    if ratio is None or abs(ratio - 1) < 0.05:
        return None
    return f"B reads {ratio:.1f} times as much text as A." if ratio > 1 else f"B reads {ratio:.0%} of A's text."


def trust_sentence(comparison: Comparison, here: Counted | None = None) -> str:
    """How far to trust the result: pairs, verdicts, judge and its agreement, also with labels given `here`."""
    deciding = [each.delta for name, each in comparison.metrics.items() if all_metrics()[name].family != "read"]
    counts = Counter(delta.verdict for delta in deciding)
    undecided = len(deciding) - counts["better"] - counts["worse"]
    parts = [
        f"{len(comparison.counted)} question{'' if len(comparison.counted) == 1 else 's'}, paired",
        f"of {len(deciding)} metric{'' if len(deciding) == 1 else 's'} B is better on {counts['better']}, "
        f"worse on {counts['worse']}, undecided on {undecided}",
    ]
    parts.append(judge_words(comparison, here))
    return " · ".join(part for part in parts if part)


def judge_words(comparison: Comparison, here: Counted | None = None) -> str:
    """The judge with its agreement in true words."""
    judge = comparison.a.judge
    if judge is None:
        return "no judge was used"
    return f"judge: {judge.spec}, {agreement_words(judge.agreement, here)}"


def agreement_words(agreement: Mapping[str, Any] | None, here: Counted | None = None) -> str:
    """How far a judge agrees with people's labels: those of the sample, and those given on one's own documents.

    `agreement` is as it was measured (`known_agreement`); `here` is how many labels it agrees with, of how many.
    """
    own = here_words(here)
    if agreement is None:
        return own or "not measured against labels"
    kappa = "" if agreement["kappa"] is None else f"κ {plain(agreement['kappa'])}, "
    return (
        f"agrees with {agreement['accuracy']:.0%} of {agreement['n']} prepared labels "
        f"({kappa}on the sample; {own or 'not measured on your documents'})"
    )


def here_words(here: Counted | None) -> str:
    """Agreement with labels of one's own: `agrees with 9 of 12 labels given here`; "" without any."""
    return f"agrees with {here[0]} of {here[1]} labels given here" if here and here[1] else ""
