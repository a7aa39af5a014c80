"""What a list says of a saved run, without reading the whole run."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from statistics import fmean

from rag_variants.evaluation.runs import Documents, Provenance, Run
from rag_variants.metrics import all_metrics
from rag_variants.pipeline.chunks import reads_current
from rag_variants.pipeline.spec import print_variant
from rag_variants.storage.run_documents import adapter_of, plain_data


@dataclass(frozen=True, slots=True)
class SavedNote:
    """What a list says of a saved run; `means` holds (mean, n) by metric, for metrics that were scored.

    `judge` is the fingerprint of the judge with its settings, "" if there was none; `judge_spec` is for reading.
    """

    id: str
    name: str
    baseline: bool
    created: str
    variant: str
    knowledge: Documents
    questions: Provenance
    slice: str | None
    judge_spec: str
    judge: str
    answered: int
    means: Mapping[str, tuple[float, int]]

    @property
    def title(self) -> str:
        """The name, else the variant."""
        return self.name or self.variant

    @property
    def measured_on(self) -> tuple[str, str, str]:
        """What two runs have to share for their means to be held side by side."""
        return (self.questions.fingerprint, self.knowledge.fingerprint, self.judge)


def print_note(note: SavedNote) -> str:
    """The note as JSON."""
    return json.dumps(plain_data(note), ensure_ascii=False)


def read_note(text: str, key: str) -> SavedNote:
    """The note of an id. Raises ValueError for a text that is none."""
    note: SavedNote = adapter_of(SavedNote).validate_json(text, strict=True)
    return replace(note, id=key)


def make_note(run: Run) -> SavedNote:
    """The note of a run, without a name."""
    judge = run.judge
    values = {
        name: [value for row in run.rows if (value := row.scores[name].value) is not None] for name in run.metrics
    }
    return SavedNote(
        id=_fingerprint(_essence(run)),
        name="",
        baseline=False,
        created=run.created,
        variant=print_variant(run.variant),
        knowledge=run.knowledge,
        questions=run.questions,
        slice=run.slice,
        judge_spec=judge.spec if judge else "",
        judge=_fingerprint([judge.spec, dict(judge.settings)]) if judge else "",
        answered=len(run.rows),
        means={name: (fmean(each), len(each)) for name, each in values.items() if each},
    )


def _essence(run: Run) -> object:
    """What makes a run another one: everything but when it was made and how long it took."""
    tested = [name for name in run.metrics if name not in all_metrics() or all_metrics()[name].set != "effort"]
    rows = [
        (
            row.record.question.id,
            row.record.answer.text if row.record.answer else None,
            [hit.chunk.id for hit in row.record.hits],
            [row.scores[name].value for name in tested],
        )
        for row in run.rows
    ]
    judge = [run.judge.spec, dict(run.judge.settings)] if run.judge else None
    knowledge = {"name": run.knowledge.name, "count": run.knowledge.count, "fingerprint": run.knowledge.fingerprint}
    if reads_current(run.variant) and run.knowledge.current:  # on another day they may be others
        knowledge["current"] = run.knowledge.current
    sources = [knowledge, asdict(run.questions), run.slice]
    return [print_variant(run.variant), dict(run.versions), sources, judge, run.metrics, run.seed, run.complete, rows]


def _fingerprint(value: object) -> str:
    text = json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:12]
