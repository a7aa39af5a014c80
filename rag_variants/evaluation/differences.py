"""What two runs do not share, in sentences: documents, questions, judge, metrics. Named before any number is."""

from collections import defaultdict, deque
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from rag_variants.evaluation.runs import JudgeNote, Provenance, Run, ScoredRecord
from rag_variants.pipeline.chunks import reads_current
from rag_variants.questions.repeated import Repeated, equal_questions, near_copies, repeated_ids
from rag_variants.types import Question, Score

_LISTED = 10  # ids in a sentence
NOT_MEASURED = "this run did not measure it"


@dataclass(frozen=True, slots=True)
class Difference:
    """One thing that two runs do not share, and the sentence that says so."""

    what: str
    sentence: str


def name_differences(a: Run, b: Run) -> tuple[Difference, ...]:
    """Everything beside the variants that could move a number between two runs; empty if nothing does."""
    found = []
    if a.knowledge.fingerprint != b.knowledge.fingerprint:
        sentence = f"A read {_source(a.knowledge, 'document')}, B {_source(b.knowledge, 'document')}"
        found.append(Difference("documents", sentence))
    elif _saw_others(a, b):
        sentence = f"A saw those current on {a.knowledge.day}, B those on {b.knowledge.day}, and these are not the same"
        found.append(Difference("documents", sentence))
    if a.questions.fingerprint != b.questions.fingerprint and not _ask_the_same(a, b):
        found.append(Difference("questions", _questions(a, b)))
    if _judge(a.judge) != _judge(b.judge):
        found.append(Difference("judge", _judges(a.judge, b.judge)))
    if set(a.metrics) != set(b.metrics):
        alone = [(side, _alone(one.metrics, other.metrics)) for side, one, other in (("A", a, b), ("B", b, a))]
        parts = [f"measured in {side} alone: {', '.join(names)}" for side, names in alone if names]
        found.append(Difference("metrics", "; ".join(parts)))
    return tuple(found)


def is_same_question(left: ScoredRecord, right: ScoredRecord) -> bool:
    """Whether two rows ask the same and are held against the same reference."""
    a, b = left.record.question, right.record.question
    return (a.user_input, a.reference) == (b.user_input, b.reference)


def with_metrics_of(run: Run, other: Run) -> Run:
    """The run with the other's metrics too: not scored, with the reason, on every question."""
    added = _alone(other.metrics, run.metrics)
    if not added:
        return run
    scores = {name: Score(None, NOT_MEASURED) for name in added}
    rows = tuple(replace(row, scores={**row.scores, **scores}) for row in run.rows)
    return replace(run, metrics=(*run.metrics, *added), rows=rows)


def _saw_others(a: Run, b: Run) -> bool:
    """Whether a side left out what was not current, and on the other side's day that would be other documents."""
    current = {run.knowledge.current for run in (a, b)} - {""}
    return len(current) > 1 and any(reads_current(run.variant) for run in (a, b))


def _source(source: Provenance, counted: str) -> str:
    return f"{source.count} {counted}{'' if source.count == 1 else 's'} of {source.name} ({source.fingerprint})"


def _questions(a: Run, b: Run) -> str:
    left, right = ({row.record.question.id: row for row in run.rows} for run in (a, b))
    shared = [key for key in left if key in right]
    changed = [key for key in shared if not is_same_question(left[key], right[key])]
    parts = [f"{len(shared) - len(changed)} in both"]
    parts += [
        f"{len(found)} {words}: {_listed(found)}"
        for words, found in (
            ("in A alone", _alone(left, right)),
            ("in B alone", _alone(right, left)),
            ("worded differently, so not compared", changed),
        )
        if found
    ]
    if len(parts) == 1:
        parts.append("but what is known about their answers may differ")
    return "; ".join(parts)


def _judge(judge: JudgeNote | None) -> object:
    return (judge.spec, dict(judge.settings)) if judge else None


def _judges(a: JudgeNote | None, b: JudgeNote | None) -> str:
    if a is None or b is None or a.spec != b.spec:
        return f"A was judged by {a.spec if a else 'nobody'}, B by {b.spec if b else 'nobody'}"
    names = sorted({*a.settings, *b.settings})
    unlike = [
        f"{name} {a.settings.get(name, 'not set')} / {b.settings.get(name, 'not set')}"
        for name in names
        if a.settings.get(name) != b.settings.get(name)
    ]
    return f"both were judged by {a.spec}, with other settings: {', '.join(unlike)}"


def _alone(names: Iterable[str], others: Iterable[str]) -> list[str]:
    known = set(others)
    return [name for name in names if name not in known]


def _listed(ids: Sequence[str]) -> str:
    more = f" and {len(ids) - _LISTED} more" if len(ids) > _LISTED else ""
    return ", ".join(ids[:_LISTED]) + more


def count_once(pairs: Sequence[tuple[ScoredRecord, ScoredRecord]]) -> tuple[tuple[ScoredRecord, ScoredRecord], ...]:
    """The pairs without those whose question repeats an earlier one: equal questions are no evidence of their own."""
    repeats = repeated_ids(left.record.question for left, _ in pairs)
    return tuple(pair for pair in pairs if pair[0].record.question.id not in repeats)


def name_repeats(questions: Iterable[Question]) -> tuple[str, ...]:
    """A sentence on equal questions, which count once, and one on near-copies, which count each."""
    asked = list(questions)
    sentences = []
    equal, near = equal_questions(asked), near_copies(asked)
    if equal:
        counted = f"{len(asked) - len(equal)} of {len(asked)} questions count"
        sentences.append(f"Equal in text, reference and evidence, so they count once ({counted}): {_repeats(equal)}.")
    if near:
        sentences.append(f"Near-copies, hardly independent of each other though each counts: {_repeats(near)}.")
    return tuple(sentences)


def _repeats(found: Sequence[Repeated]) -> str:
    return _listed([f"{each.id} as {each.of}" for each in found])


def pair_rows(a: Run, b: Run) -> list[tuple[ScoredRecord, ScoredRecord]]:
    """The rows of both runs that are about the same question, in A's order.

    By id; rows that their file gave no id bear their place in it, and where that is another question they pair by
    their whole content, so that the same rows in another order are the same questions. Equal ones pair in their order.
    """
    right = {row.record.question.id: row for row in b.rows}
    partners = {
        row.record.question.id: right[row.record.question.id]
        for row in a.rows
        if row.record.question.id in right and is_same_question(row, right[row.record.question.id])
    }
    taken = {row.record.question.id for row in partners.values()}
    left_over: defaultdict[Question, deque[ScoredRecord]] = defaultdict(deque)
    for row in b.rows:
        if row.record.question.id not in taken and _is_numbered(row):
            left_over[replace(row.record.question, id="")].append(row)
    for row in a.rows:
        same = left_over[replace(row.record.question, id="")]
        if row.record.question.id not in partners and _is_numbered(row) and same:
            partners[row.record.question.id] = same.popleft()
    return [(row, partners[row.record.question.id]) for row in a.rows if row.record.question.id in partners]


def _is_numbered(row: ScoredRecord) -> bool:
    """Whether a row's id is its place in the file (see `load_questions`)."""
    return row.record.question.id.removeprefix("row ").isdecimal()


def _ask_the_same(a: Run, b: Run) -> bool:
    """Whether two runs hold the same questions without ids, with all that is known of them, in whatever order."""
    pairs = pair_rows(a, b)
    same = all(replace(left.record.question, id="") == replace(right.record.question, id="") for left, right in pairs)
    numbered = any(map(_is_numbered, a.rows))
    return numbered and same and len(pairs) == len(a.rows) == len(b.rows) and a.questions.count == b.questions.count
