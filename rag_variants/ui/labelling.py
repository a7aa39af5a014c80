"""This visitor's verdicts beside the judge's, and the scores with them: one set, wherever a page lets them be given."""

from collections.abc import Iterable

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.label_queue import key_of_case, offered_metrics, run_labels
from rag_variants.evaluation.judging.labels import JudgedCase, Label, Labels
from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.questions.labels import JudgeLabel
from rag_variants.questions.own_labels import OwnLabels
from rag_variants.types import Score
from rag_variants.ui import own_labels as own
from rag_variants.ui.caches import entered_score
from rag_variants.ui.frame import show_errors

_KEY = "labels"


def session_labels() -> Labels:
    """What was flipped in this session."""
    labels: Labels = st.session_state.get(_KEY, Labels())
    return labels


def visit_labels(comparison: Comparison) -> Labels:
    """All that this visitor said of a run's verdicts, here and on the Judge page, by case."""
    try:
        kept = own.own_labels(comparison.a.knowledge.fingerprint)
    except UserError:  # the Judge page says what is wrong with their file
        kept = OwnLabels()
    return run_labels(comparison, kept, session_labels())


def give_labels(knowledge: str, labels: Iterable[Label]) -> None:
    """Keeps labels; a case labelled before takes the new one.

    Those that stand by a text and a statement alone are kept with the labels of these documents, and so count on the
    Judge page.
    """
    given = list(labels)
    st.session_state[_KEY] = session_labels().add(given)
    kept = [_kept(each) for each in given if each.case.metric in offered_metrics()]
    with show_errors():
        own.add(knowledge, kept)


def remove_labels(knowledge: str, verdicts: Iterable[JudgedCase]) -> None:
    """Forgets the labels of some verdicts."""
    cases = [each.case for each in verdicts]
    st.session_state[_KEY] = session_labels().remove(cases)
    with show_errors():
        own.remove(knowledge, map(key_of_case, cases))


def _kept(label: Label) -> JudgeLabel:
    case = label.case
    return JudgeLabel("", case.context, case.statement, label.verdict, case.metric, case.question)


def score_verdicts(metric: str, verdicts: tuple[bool, ...], readings: tuple[GeneratedQuestion, ...]) -> Score:
    """What ragas makes of verdicts, or of readings for answer relevancy; kept, so that a click costs nothing."""
    return entered_score(metric, verdicts, readings)
