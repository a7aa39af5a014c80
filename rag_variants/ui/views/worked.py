"""One score worked out on both sides: the formula with this question's numbers; every verdict can be flipped."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

import streamlit as st

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.labels import (
    JudgedCase,
    Label,
    Labels,
    delta_labelled,
    labelled,
    score_labelled,
    verdicts_on,
)
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.metrics import all_metrics, full_label_of
from rag_variants.metrics.metric import Worked
from rag_variants.report.score_words import entry_words
from rag_variants.report.words import plain, signed
from rag_variants.types import Score
from rag_variants.ui.controls import BADGES
from rag_variants.ui.labelling import give_labels, remove_labels, score_verdicts, visit_labels
from rag_variants.ui.own_labels import is_open
from rag_variants.ui.text import as_typed
from rag_variants.ui.views.answers import evidence_words, verdict_badge
from rag_variants.ui.views.glossary import chosen_glossary


@st.fragment  # a flip draws this part alone: the chart of the flow takes longer than all the rest
def draw_worked(comparison: Comparison, metric: str, left: ScoredRecord, right: ScoredRecord) -> None:
    """The chosen metric on both sides, what the run's delta is with the labels given, and whom they side with."""
    labels = visit_labels(comparison)
    with st.container(border=True):
        name = full_label_of(all_metrics()[metric], comparison.judge)
        flip = ". Flip a verdict and watch" if verdicts_on(metric, left) or verdicts_on(metric, right) else ""
        st.markdown(f"**{as_typed(name)}, worked out**{flip}")
        st.caption(as_typed(_meaning(metric, comparison)))
        worked = [all_metrics()[metric].worked(row.scores[metric]) for row in (left, right)]
        formula = next((made.formula for made in worked if made), "")
        if formula:
            st.caption(formula)
        for column, side, row in zip(st.columns(2, gap="medium"), "ab", (left, right), strict=True):
            with column:
                _draw_side(metric, side, row, labels, comparison)
        _draw_run(comparison, metric, labels, left, right)


def _meaning(metric: str, comparison: Comparison) -> str:
    """What the metric is, in the chosen language, after its name there."""
    term = chosen_glossary().metric(metric, comparison.judge)
    return f"{term.name}: {term.line}" if term.translated else term.line


def _draw_side(metric: str, side: str, row: ScoredRecord, labels: Labels, comparison: Comparison) -> None:
    score = row.scores[metric]
    st.markdown(f"{BADGES[side]} **{plain(score.value)}**{_unit(metric)}")
    with st.container(key=f"lead sum {side}", gap="xxsmall"):
        st.text(_sum_words(metric, score))
    changed = score_labelled(metric, row, labels, score_verdicts)
    if changed is not None:
        worked = all_metrics()[metric].worked(_with_verdicts(metric, row, labels, changed))
        st.markdown(f":gray-badge[:material/edit: with your labels] **{_equation(worked, changed.value)}**")
    verdicts = verdicts_on(metric, row)
    said = [labels.verdict(verdict) for verdict in verdicts]
    for at, (verdict, entry) in enumerate(zip(verdicts, _entries(metric, score), strict=True)):
        with st.container(gap="xxsmall"):
            st.text(_subject_words(metric, entry, row, said[: at + 1]))
            _draw_verdict(f"{metric} {row.record.question.id} {side} {at}", at, verdict, entry, labels, comparison)
    if not verdicts:
        _draw_detail(side, score)


def _unit(metric: str) -> str:
    unit = all_metrics()[metric].unit
    return f" {as_typed(unit)}" if unit else ""


def _sum_words(metric: str, score: Score) -> str:
    """The sum with its result, or why there is none."""
    worked = all_metrics()[metric].worked(score)
    if worked:
        return _equation(worked, score.value)
    if score.value is None:
        return f"not scored: {score.error or score.reason or 'no reason given'}"
    return score.reason or "One number, with nothing to sum up."


def _equation(worked: Worked | None, value: float | None) -> str:
    if worked is None:
        return plain(value)
    if not worked.is_sum:
        return f"{worked.numbers} → {plain(value)}"
    exact = value is not None and abs(round(value, 2) - value) < 1e-9
    return f"{worked.numbers} {'=' if exact else '≈'} {plain(value)}"


def _with_verdicts(metric: str, row: ScoredRecord, labels: Labels, score: Score) -> Score:
    """The labelled score with the judge's own entries, verdicts replaced: what its sum is written from."""
    detail = dict(row.scores[metric].detail or {})
    if where := labelled(metric):
        said = [labels.verdict(each) for each in verdicts_on(metric, row)]
        entries = zip(detail[where.key], said, strict=True)
        detail[where.key] = [{**entry, where.mark: int(each)} for entry, each in entries]
    return replace(score, detail=detail)


def _entries(metric: str, score: Score) -> Sequence[Mapping[str, Any]]:
    where = labelled(metric)
    return list((score.detail or {}).get(where.key, ())) if where else []


def _draw_verdict(
    key: str, at: int, verdict: JudgedCase, entry: Mapping[str, Any], labels: Labels, comparison: Comparison
) -> None:
    """A checkbox with the verdict that counts, the judge's own word, and what it rests on.

    Ticking it gives a label beside the judge's verdict.
    """
    box, where = f"verdict {key}", labelled(verdict.case.metric)
    st.session_state[box] = labels.verdict(verdict)
    label = labels.given.get(verdict.case)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        st.checkbox(
            f"{at + 1} · {where.yes if where else ''}",
            key=box,
            width="content",
            on_change=lambda: give_labels(
                comparison.a.knowledge.fingerprint,
                [Label(verdict.case, st.session_state[box], verdict.judged, comparison.judge)],
            ),
        )
        if "verdict" in entry:
            st.markdown(f"judge: {verdict_badge(entry)}", width="content")
        if label is not None:
            said = "the judge agrees" if label.agrees else f"the judge says {'yes' if label.judged else 'no'}"
            st.markdown(f":gray-badge[:material/edit: your label · {said}]", width="content")
    words = evidence_words(entry) if "verdict" in entry else ""
    if words:
        with st.container(key=f"quiet {key}"):
            st.text(words)


def _subject_words(metric: str, entry: Mapping[str, Any], row: ScoredRecord, said: Sequence[bool]) -> str:
    """What a verdict is about; for a chunk its place and, where it is useful, the precision down to it."""
    if "similarity" in entry:
        return f"cosine {plain(entry['similarity'])}: {entry['question']}"
    if "rank" not in entry:
        return str(entry["statement"])
    chunk = next((hit.chunk for hit in row.record.hits if hit.chunk.id == entry["chunk_id"]), None)
    where = f"{chunk.document} {chunk.start}–{chunk.end}" if chunk else str(entry["chunk_id"])
    share = f" · {sum(said)} of {len(said)} = {plain(sum(said) / len(said))}" if said[-1] else ""
    return f"rank {entry['rank']} · {where}{share}"


def _draw_detail(side: str, score: Score) -> None:
    """What the number was counted from, where no verdict is a person's to give."""
    lists = [value for value in (score.detail or {}).values() if isinstance(value, list)]
    rows = [row for value in lists for row in value if isinstance(row, dict)]
    if rows:
        with st.container(key=f"quiet worked {side}"):
            st.text("\n".join(entry_words(row) for row in rows))


def _draw_run(comparison: Comparison, metric: str, labels: Labels, left: ScoredRecord, right: ScoredRecord) -> None:
    """The run's delta as the judge and as the labels have it; the judge's agreement; what can be done at once."""
    verdicts = [verdict for row in (left, right) for verdict in verdicts_on(metric, row)]
    if metric not in comparison.metrics:
        return
    own = comparison.metrics[metric].delta
    words = f"Whole run: Δ {signed(own.mean, 3)} over {own.n} questions"
    if verdicts or labels.given:
        made = delta_labelled(comparison, metric, labels, score_verdicts)
        if made.changed:
            words += f"; with your labels {signed(made.mean, 3)} ({made.changed} score{'s' * (made.changed > 1)} moved)"
        if None in (left.scores[metric].value, right.scores[metric].value):
            words += ". This question is not scored on both sides and does not count in it"
    st.text(f"{words}.")
    if not verdicts:
        return
    agreed, given = labels.agreement(comparison.judge)
    with st.container(horizontal=True, gap="small", vertical_alignment="center"):
        unlabelled = [each for each in verdicts if each.case not in labels.given]
        st.button(
            "The judge is right on these", key="confirm verdicts", disabled=not unlabelled, width="content",
            help="Gives your label, the same as the judge's, to every verdict here that has none.",
            on_click=lambda: give_labels(
                comparison.a.knowledge.fingerprint,
                [Label(each.case, each.judged, each.judged, comparison.judge) for each in unlabelled],
            ),
        )  # fmt: skip
        st.button(
            "Remove my labels here", key="remove labels", width="content",
            disabled=len(unlabelled) == len(verdicts),
            on_click=lambda: remove_labels(comparison.a.knowledge.fingerprint, verdicts),
        )  # fmt: skip
    known = f"{given} so far, the judge agrees with {agreed}" if given else "none so far"
    st.caption(
        f"Your verdicts are kept apart from the judge's{_where()}: {known}. They change no verdict about the run."
    )


def _where() -> str:
    return ", in this visit alone" if is_open() else ", on this computer"
