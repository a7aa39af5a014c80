"""Writes docs/metrics.md from the metrics' own texts: `.venv/bin/python tools/write_metrics.py`."""

from pathlib import Path

from rag_variants.evaluation.reasons.signal_rules import MEASURES, RULES
from rag_variants.metrics import METRICS, SETS, Metric, full_label_of
from rag_variants.report.signals import CAVEAT, condition_words

PAGE = Path(__file__).parent.parent / "docs" / "metrics.md"
HEAD = """# Metrics

Written by `tools/write_metrics.py` from the help texts that the page and `rag-variants list` show. Change those, then
run it again.

`--metrics` takes names and sets, separated by commas: a set's name, `quick` ({quick}), or `all`. Without it, the sets
retrieval, core and answer are computed. *Needs* is what a question or a run must have; without it the metric is not
scored, which is not zero. A name in brackets is what the field calls it. A *mechanical* metric moves though nothing
more is found, when text without evidence is read or left out.
A *gold* chunk is one that holds the quoted evidence.
"""
SET_TEXTS = {
    "retrieval": "What was found, measured on the evidence quoted in the question file. No judge.",
    "core": "The four usual ones of ragas. A judge gives the verdicts.",
    "answer": "What the answer says, measured on the question file. No verdicts of a judge.",
    "more": "On request.",
    "effort": "Always described (mean, median, 95th percentile, ratio), never tested.",
}
SIGNALS = """## Signals

What several scores of a question point at together. {caveat} A rule whose scores are missing says so; it is never
silently off. For each measure the first of its metrics that was scored counts: {measures}.

| signal | holds if | points at | worth trying |
|---|---|---|---|
{rows}
"""


VERDICTS = """## Verdicts

Retrieval, core and answer metrics are three families; each is tested at 5 % ÷ 3, so that its verdicts are the same
whatever else a run measures. Mechanical metrics say *more* or *less* and count for no side. Where nearly all questions
agree, an interval is widened by what so few questions may not have met. *Rare big drops*, say one question in
25 that falls by nearly all, are what no interval can see before such a question was drawn: in simulations
(`make bench-statistics`) intervals held in about a tenth of comparisons with 20 questions, in a quarter with 50 and
in six of seven with 200. Look at the questions that carry a delta.
"""


def metrics_page() -> str:
    """The page as Markdown."""
    parts = [HEAD.format(quick=", ".join(f"`{name}`" for name in SETS["quick"]))]
    for name, text in SET_TEXTS.items():
        rows = [_row(metric) for metric in METRICS.built_in if metric.set == name]
        columns = ("name", "on screen", "asks", "better", "needs", "what it says", "what it does not see")
        head = f"| {' | '.join(columns)} |\n|{'---|' * len(columns)}"
        parts.append("\n".join([f"## {name}\n\n{text}\n", head, *rows]) + "\n")
    return "\n".join([*parts, VERDICTS, _signals()])


def _signals() -> str:
    names = {name: " › ".join(f"`{metric}`" for metric in each.metrics) for name, each in MEASURES.items()}
    rows = [
        f"| **{rule.title}** (`{rule.name}`) | {' and '.join(map(condition_words, rule.conditions))} | "
        f"{rule.points_at} | {rule.worth_trying} |"
        for rule in RULES
    ]
    measures = "; ".join(f"{MEASURES[name].label}: {metrics}" for name, metrics in names.items() if metrics)
    return SIGNALS.format(caveat=CAVEAT, measures=measures, rows="\n".join(rows))


def _row(metric: Metric) -> str:
    label = full_label_of(metric)
    if metric.keyless:
        label += f"; embedded judge: {full_label_of(metric, 'embedded')}"
    better = "higher" if metric.higher_is_better else "lower"
    words = metric.words["en"]
    cells = (
        f"`{metric.name}`",
        label,
        metric.group,
        f"{better}; mechanical" if metric.mechanical else better,
        ", ".join(sorted(metric.needs)) or "–",
        words.line,
        words.unseen,
    )
    return "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


if __name__ == "__main__":
    PAGE.parent.mkdir(exist_ok=True)
    PAGE.write_text(metrics_page(), encoding="utf-8")
