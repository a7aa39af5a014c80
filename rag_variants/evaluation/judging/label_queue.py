"""Which verdicts of a run a person is asked to label, and what the labels given say of them."""

import random
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.judging.agreement_figures import Judged
from rag_variants.evaluation.judging.labels import Case, JudgedCase, Label, Labels, verdicts_on
from rag_variants.evaluation.runs import ScoredRecord
from rag_variants.metrics import METRICS
from rag_variants.questions.labels import JudgeLabel
from rag_variants.questions.own_labels import LabelKey, OwnLabels, label_key
from rag_variants.text.table_rows import read_rows, said_cells

QUEUE_LENGTH = 40
_ENDS = ".。;；"


@dataclass(frozen=True, slots=True)
class Offered:
    """A verdict of the run, offered for labelling: the judge's word, whether it is unsure, and its reason."""

    verdict: JudgedCase
    unsure: bool
    reason: str | None
    language: str | None
    kind: str | None

    @property
    def case(self) -> Case:
        """What the verdict is about."""
        return self.verdict.case

    @property
    def key(self) -> LabelKey:
        """What a label of it is kept by."""
        return key_of_case(self.case)

    def labelled(self, supported: bool) -> JudgeLabel:
        """A person's label on it, as it is kept and exported."""
        case = self.case
        return JudgeLabel(
            "", case.context, case.statement, supported, case.metric, case.question, self.language, self.kind
        )


def offered_metrics() -> tuple[str, ...]:
    """The metrics whose verdicts can be labelled from a text and a statement alone."""
    return tuple(name for name, metric in METRICS.items() if metric.verdicts and metric.verdicts.question)


def offer_verdicts(comparison: Comparison, metric: str) -> tuple[Offered, ...]:
    """Every verdict of a metric in the run, each once: what stands on both sides alike is one."""
    found: dict[LabelKey, Offered] = {}
    for pair in comparison.pairs:
        for row in pair:
            for offered in _offered(metric, row):
                if offered.case.statement.strip() and offered.case.context.strip():
                    found.setdefault(offered.key, offered)
    return tuple(found.values())


def without_shreds(verdicts: Sequence[Offered], language: str | None = None) -> tuple[Offered, ...]:
    """The verdicts that a person can judge, in one language if it is named: no single cell of a table's row."""
    return tuple(each for each in verdicts if language in (None, each.language) and not _is_shred(each.case))


def _is_shred(case: Case) -> bool:
    """Whether a statement is one cell of a row with others, with or without its header: `From 10: 19.00`."""
    said = said_cells(case.statement) or (("", case.statement),)
    name, cell = ("".join(part.rstrip(_ENDS).split()) for part in said[0])
    if len(said) > 1:
        return False
    for row in read_rows(case.context):
        cells = ["".join(each.rstrip(_ENDS).split()) for each in row.cells]
        names = ["".join(each.split()) for each in row.header] or [""] * len(cells)
        if len(row.cells) > 1 and ((name and name in names) or (not name and cell in cells)):
            return True
    return False


def choose_queue(
    verdicts: Sequence[Offered], *, seed: int, unsure_first: bool = False, most: int = QUEUE_LENGTH
) -> tuple[Offered, ...]:
    """At most so many verdicts to label: by turns from each cell of verdict × language, in an order drawn by the seed.

    So a judge that mostly says yes is tested on its no as well, and a rare language is not left out. The share of equal
    verdicts in such a sample is not that of the run. Unsure ones first, if asked for, then the others by turns.
    """
    draw = random.Random(seed)
    shuffled = draw.sample(list(verdicts), len(verdicts))
    first = [each for each in shuffled if each.unsure] if unsure_first else []
    cells: dict[tuple[bool, str], list[Offered]] = {}
    for each in shuffled:
        if not (unsure_first and each.unsure):
            cells.setdefault((each.verdict.judged, each.language or ""), []).append(each)
    turns = _by_turns([cells[cell] for cell in sorted(cells)])
    return tuple([*first, *turns][:most])


def compare_labels(comparison: Comparison, own: OwnLabels, metrics: Iterable[str] | None = None) -> tuple[Judged, ...]:
    """The labels that a person gave on verdicts of this run, beside the judge's own: nobody is asked anything."""
    names = offered_metrics() if metrics is None else metrics
    offered = (each for metric in names for each in offer_verdicts(comparison, metric))
    return tuple(
        Judged(own.given[each.key], each.verdict.judged, each.unsure, each.reason)
        for each in offered
        if each.key in own.given
    )


def run_labels(comparison: Comparison, own: OwnLabels, flipped: Labels) -> Labels:
    """All that a person said of this run's verdicts, by case: the labels kept, then what was flipped in this visit."""
    rows = [row for pair in comparison.pairs for row in pair]
    verdicts = [verdict for metric in comparison.metrics for row in rows for verdict in verdicts_on(metric, row)]
    here = {verdict.case for verdict in verdicts}
    kept = (
        Label(verdict.case, own.given[key].supported, verdict.judged, comparison.judge)
        for verdict in verdicts
        for key in [key_of_case(verdict.case)]
        if key in own.given
    )
    return Labels().add(kept).add(label for case, label in flipped.given.items() if case in here)


def _offered(metric: str, row: ScoredRecord) -> Iterator[Offered]:
    question, where = row.record.question, METRICS[metric].verdicts
    detail = row.scores[metric].detail if metric in row.scores else None
    entries = (detail or {}).get(where.key, ()) if where else ()
    for verdict, entry in zip(verdicts_on(metric, row), entries, strict=False):
        unsure = entry.get("label") == "unsure"
        yield Offered(verdict, unsure, entry.get("reason"), question.tag("language"), question.tag("kind"))


def _by_turns(cells: Sequence[Sequence[Offered]]) -> Iterator[Offered]:
    for at in range(max(map(len, cells), default=0)):
        yield from (cell[at] for cell in cells if at < len(cell))


def key_of_case(case: Case) -> LabelKey:
    """What a label of a case is kept by."""
    return label_key(case.metric, case.question, case.context, case.statement)
