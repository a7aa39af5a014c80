"""A person's own labels on one knowledge base, kept in the state folder."""

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import QuestionsError, StateError
from rag_variants.questions.label_lines import labels_jsonl
from rag_variants.questions.labels import JudgeLabel, read_labels
from rag_variants.whole_files import write_whole

LabelKey = tuple[str, str, str, str]


def key_of_label(label: JudgeLabel) -> LabelKey:
    """What a label is about, whatever its id: metric, question, context, statement, blanks around them left out."""
    return label_key(label.metric, label.question or "", label.context, label.statement)


def label_key(metric: str, question: str, context: str, statement: str) -> LabelKey:
    """The same for what has no label yet."""
    return (metric, question.strip(), context.strip(), statement.strip())


@dataclass(frozen=True)
class OwnLabels:
    """Labels by what they are about, in the order given. A value: adding or removing one gives another.

    `skipped` are lines of the file that cannot be used.
    """

    given: Mapping[LabelKey, JudgeLabel] = field(default_factory=lambda: MappingProxyType({}))
    skipped: tuple[Skipped, ...] = ()

    @property
    def labels(self) -> tuple[JudgeLabel, ...]:
        """The labels, each with an id made of what it is about, so that no two share one."""
        return tuple(self.given.values())

    @property
    def fingerprint(self) -> str:
        """16 hex digits that change with any label."""
        return hashlib.sha256(labels_jsonl(self.labels).encode()).hexdigest()[:16]

    def add(self, labels: Iterable[JudgeLabel]) -> "OwnLabels":
        """These labels too; what was labelled before takes the new one, at the end."""
        added = {key: replace(label, id=_id(key)) for label in labels for key in [key_of_label(label)]}
        before = {key: label for key, label in self.given.items() if key not in added}
        return replace(self, given=MappingProxyType({**before, **added}))

    def remove(self, keys: Iterable[LabelKey]) -> "OwnLabels":
        """Without the labels about these."""
        gone = set(keys)
        kept = {key: label for key, label in self.given.items() if key not in gone}
        return replace(self, given=MappingProxyType(kept))


def read_own_labels(home: Path, knowledge: str) -> OwnLabels:
    """The labels kept for a knowledge base's fingerprint; none if none were given. Raises QuestionsError."""
    path = labels_path(home, knowledge)
    if not path.exists() or not path.stat().st_size:
        return OwnLabels()
    found = read_labels(path)
    return replace(OwnLabels().add(found.labels), skipped=found.skipped)


def write_own_labels(home: Path, knowledge: str, labels: OwnLabels) -> None:
    """Keeps them, the whole file or nothing of it. Raises StateError, and the file stays as it was.

    Lines that could not be read are a person's work too: the file with them is put aside first, as `….broken`.
    """
    path = labels_path(home, knowledge)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if labels.skipped:
            aside = path.with_suffix(".jsonl.broken")
            write_whole(aside, path.read_text(encoding="utf-8", errors="replace"))
        write_whole(path, labels_jsonl(labels.labels))
    except OSError as error:
        raise StateError(
            f"The labels cannot be kept in {path} ({error.strerror}). Free some space, or set RAG_VARIANTS_HOME."
        ) from error


def labels_path(home: Path, knowledge: str) -> Path:
    """`labels/FINGERPRINT.jsonl`. Raises QuestionsError for a fingerprint that is none: it could leave the folder."""
    if not knowledge.isalnum():
        raise QuestionsError(f"{knowledge[:60]!r} is no fingerprint of documents. Read them again.")
    return home / "labels" / f"{knowledge}.jsonl"


def _id(key: LabelKey) -> str:
    return "own-" + hashlib.sha256("\0".join(key).encode()).hexdigest()[:12]
