"""Labels that are kept on this computer, for the documents at hand: read, given, taken back."""

from collections.abc import Iterable
from dataclasses import dataclass, field

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.kappa import agree
from rag_variants.evaluation.judging.label_queue import compare_labels
from rag_variants.questions.labels import JudgeLabel
from rag_variants.questions.own_labels import LabelKey, OwnLabels, key_of_label, write_own_labels
from rag_variants.report.words import Counted
from rag_variants.settings import Settings
from rag_variants.ui.caches import label_guard, read_labels_of

_ALONE = ("localhost", "127.0.0.1", "::1")


@dataclass
class Labelling:
    """What this visit did, newest last: each key with the label before; and what was skipped."""

    given: list[tuple[LabelKey, JudgeLabel | None]] = field(default_factory=list)
    skipped: dict[LabelKey, None] = field(default_factory=dict)


def labelling(knowledge: str) -> Labelling:
    """This visit's labelling of a knowledge base, by its fingerprint."""
    visits: dict[str, Labelling] = st.session_state.setdefault("labelling", {})
    return visits.setdefault(knowledge, Labelling())


def own_labels(knowledge: str) -> OwnLabels:
    """The labels on a knowledge base: those kept on this computer, or of this visit alone where others visit too.

    Raises UserError if their file cannot be read.
    """
    if is_open():
        return _of_visit().get(knowledge, OwnLabels())
    return read_labels_of(Settings().home, knowledge)


def is_open() -> bool:
    """Whether the server listens to others than this computer; then labels belong to a visit until it shares them."""
    return st.get_option("server.address") not in _ALONE


def _of_visit() -> dict[str, OwnLabels]:
    found: dict[str, OwnLabels] = st.session_state.setdefault("labels of this visit", {})
    return found


def give(knowledge: str, label: JudgeLabel) -> None:
    """Keeps a label and remembers what was there before. Raises UserError."""
    key = key_of_label(label)
    before = own_labels(knowledge).given.get(key)
    add(knowledge, [label])
    labelling(knowledge).given.append((key, before))
    labelling(knowledge).skipped.pop(key, None)


def add(knowledge: str, labels: Iterable[JudgeLabel]) -> None:
    """Keeps labels, the newer one where two are about the same. Raises UserError."""
    with label_guard():
        _write(knowledge, own_labels(knowledge).add(labels))


def undo(knowledge: str) -> None:
    """Takes the last label of this visit back; what it took the place of comes back. Raises UserError."""
    visit = labelling(knowledge)
    if not visit.given:
        return
    key, before = visit.given[-1]
    with label_guard():
        kept = own_labels(knowledge).remove([key])
        _write(knowledge, kept.add([before]) if before else kept)
    visit.given.pop()


def remove(knowledge: str, keys: Iterable[LabelKey]) -> None:
    """Forgets some labels. Raises UserError."""
    with label_guard():
        _write(knowledge, own_labels(knowledge).remove(keys))


def remove_all(knowledge: str) -> None:
    """Forgets every label on a knowledge base. Raises UserError."""
    with label_guard():
        _write(knowledge, OwnLabels(skipped=own_labels(knowledge).skipped))
    labelling(knowledge).given.clear()


def own_agreement(comparison: Comparison) -> Counted | None:
    """With how many of the labels kept on its verdicts the run's judge agrees, of how many; None if that is not known.

    A file of labels that cannot be read is named on the Judge page.
    """
    try:
        own = own_labels(comparison.a.knowledge.fingerprint)
    except UserError:
        return None
    if not own.given:
        return None
    table = agree((each.supported, each.label.supported) for each in compare_labels(comparison, own))
    return table.equal, table.n


def _write(knowledge: str, labels: OwnLabels) -> None:
    if is_open():
        _of_visit()[knowledge] = labels
        return
    if labels == own_labels(knowledge):
        return
    write_own_labels(Settings().state_folder(), knowledge, labels)
