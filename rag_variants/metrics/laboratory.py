"""A metric's value for verdicts that a person entered, by ragas' own code, and the sum behind it, written out."""

from collections.abc import Sequence

from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.metrics import METRICS
from rag_variants.metrics.answer_relevancy import QUESTIONS
from rag_variants.metrics.metric import Subject, Verdicts
from rag_variants.questions.gold import Gold
from rag_variants.types import Answer, Chunk, Hit, Question, Record, Score

_QUESTION = Question("laboratory", "question", "reference")
_NO_GOLD = Gold((), (), ())


def movable(metric: str) -> Verdicts:
    """What a person may move of a metric. Raises KeyError for one with nothing to move."""
    verdicts = METRICS[metric].verdicts
    if verdicts is None or not verdicts.moves:
        raise KeyError(metric)
    return verdicts


async def score_entered(
    metric: str, verdicts: Sequence[bool] = (), readings: Sequence[GeneratedQuestion] = ()
) -> Score:
    """The score of a metric, by ragas' own code, from `verdicts`, or from `readings` where similarities are moved.

    A verdict belongs to what the metric's own are about: a claim, a statement, or a chunk by rank. The first call
    loads ragas (seconds), further ones take milliseconds. Raises ValueError for more readings than ragas asks for or a
    cosine outside −1…1, KeyError for a metric with nothing to move.
    """
    from rag_variants.judges.entered_llm import EnteredJudge  # which loads ragas

    by_chunk = movable(metric).about == "chunk"
    if len(readings) > QUESTIONS:
        raise ValueError(f"{len(readings)} readings: ragas asks for {QUESTIONS}")
    if any(not -1.0 <= each.similarity <= 1.0 for each in readings):
        raise ValueError("a cosine lies in -1…1")
    judge = EnteredJudge(tuple(verdicts), tuple(readings))
    hits = _hits(len(verdicts) if by_chunk else 1)
    record = Record(_QUESTION, hits, hits, Answer("answer"))
    return await METRICS[metric].score(Subject(record, _NO_GOLD, 0, judge))


async def score_key_fact(answer: str, fact: str) -> Score:
    """Whether an answer holds an expected fact, as `key_facts` sees it: 1 or 0."""
    question = Question("laboratory", "question", answer_keys=((fact,),))
    return await METRICS["key_facts"].score(Subject(Record(question, answer=Answer(answer)), _NO_GOLD, 0))


def write_sum(metric: str, verdicts: Sequence[bool] = (), readings: Sequence[GeneratedQuestion] = ()) -> str:
    """The sum behind a score without its result: `2 / 3`, `(1/1 + 2/3) / 2`, `(0.95 + 0.90) / 2 × 0`.

    `""` where there is nothing to sum up. A test holds it against ragas' values.
    """
    where = movable(metric)
    entries = [{"similarity": each.similarity, where.mark: each.noncommittal} for each in readings]
    entries += [{where.mark: each} for each in verdicts]
    worked = METRICS[metric].worked(Score(0.0, detail={where.key: entries})) if entries else None
    return "" if worked is None or worked.numbers == "0" else worked.numbers


def _hits(number: int) -> tuple[Hit, ...]:
    chunks = [Chunk(f"{rank}.md", 0, 5, "chunk", "en") for rank in range(1, number + 1)]
    return tuple(Hit(rank, chunk, 1.0 / rank) for rank, chunk in enumerate(chunks, start=1))
