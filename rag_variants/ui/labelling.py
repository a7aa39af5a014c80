"""This visitor's labels: their verdicts beside the judge's, and the scores with them."""

from collections.abc import Iterable

import streamlit as st

from rag_variants.evaluation.judging.labels import JudgedCase, Label, Labels
from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.types import Score
from rag_variants.ui.caches import entered_score

_KEY = "labels"


def session_labels() -> Labels:
    """The labels given in this session."""
    labels: Labels = st.session_state.get(_KEY, Labels())
    return labels


def give_labels(labels: Iterable[Label]) -> None:
    """Keeps labels; a case labelled before takes the new one."""
    st.session_state[_KEY] = session_labels().add(labels)


def remove_labels(verdicts: Iterable[JudgedCase]) -> None:
    """Forgets the labels of some verdicts."""
    st.session_state[_KEY] = session_labels().remove(each.case for each in verdicts)


def score_verdicts(metric: str, verdicts: tuple[bool, ...], readings: tuple[GeneratedQuestion, ...]) -> Score:
    """What ragas makes of verdicts, or of readings for answer relevancy; kept, so that a click costs nothing."""
    return entered_score(metric, verdicts, readings)
