"""A core metric's value for verdicts that a person entered, by ragas' own code, and the sum behind it, written out."""

from collections.abc import Sequence

from rag_variants.judges.entered import EnteredJudge, Reading
from rag_variants.metrics import METRICS
from rag_variants.metrics.base import Subject
from rag_variants.questions.gold import Gold
from rag_variants.types import Answer, Chunk, Hit, Question, Record, Score

MOST_READINGS = 3  # ragas asks for three questions per answer (its `strictness`)
_QUESTION = Question("laboratory", "question", "reference")
_NO_GOLD = Gold((), (), ())


async def score_entered(metric: str, verdicts: Sequence[bool] = (), readings: Sequence[Reading] = ()) -> Score:
    """The score of a core metric: ragas computes it from `verdicts`, or for `answer_relevancy` from `readings`.

    A verdict belongs to a claim (`faithfulness`), a chunk by rank (`context_precision`, `context_utilization`) or a
    statement of the reference (`context_recall`). The first call loads ragas (seconds), further ones take milliseconds.
    Raises ValueError for more readings than ragas asks for or a cosine outside −1…1, KeyError for another metric.
    """
    if len(readings) > MOST_READINGS:
        raise ValueError(f"{len(readings)} readings: ragas asks for {MOST_READINGS}")
    if any(not -1.0 <= each.similarity <= 1.0 for each in readings):
        raise ValueError("a cosine lies in -1…1")
    judge = EnteredJudge(tuple(verdicts), tuple(readings))
    hits = _hits(len(verdicts) if metric in ("context_precision", "context_utilization") else 1)
    record = Record(_QUESTION, hits, hits, Answer("answer"))
    return await METRICS[metric].score(Subject(record, _NO_GOLD, 0, judge))


async def score_key_fact(answer: str, fact: str) -> Score:
    """Whether an answer holds an expected fact, as `key_facts` sees it: 1 or 0."""
    question = Question("laboratory", "question", answer_keys=((fact,),))
    return await METRICS["key_facts"].score(Subject(Record(question, answer=Answer(answer)), _NO_GOLD, 0))


def write_sum(metric: str, verdicts: Sequence[bool] = (), readings: Sequence[Reading] = ()) -> str:
    """The sum behind a score without its result: `2 / 3`, `(1/1 + 2/3) / 2`, `(0.95 + 0.90) / 2 × 0`.

    `""` where there is nothing to sum up. A test holds it against ragas' values.
    """
    if metric == "answer_relevancy":
        return _relevancy_sum(readings)
    if not verdicts:
        return ""
    return _precision_sum(verdicts) if metric == "context_precision" else f"{sum(verdicts)} / {len(verdicts)}"


def _precision_sum(verdicts: Sequence[bool]) -> str:
    ranks = [rank for rank, useful in enumerate(verdicts, start=1) if useful]
    terms = [f"{found}/{rank}" for found, rank in enumerate(ranks, start=1)]
    return f"({' + '.join(terms)}) / {len(terms)}" if terms else ""


def _relevancy_sum(readings: Sequence[Reading]) -> str:
    if not readings:
        return ""
    terms = [f"{each.similarity:z.2f}" for each in readings]
    written = " + ".join(f"(−{term[1:]})" if term.startswith("-") else term for term in terms)
    evasive = all(each.noncommittal for each in readings)
    return f"({written}) / {len(terms)}" + (" × 0" if evasive else "")


def _hits(number: int) -> tuple[Hit, ...]:
    chunks = [Chunk(f"{rank}.md", 0, 5, "chunk", "en") for rank in range(1, number + 1)]
    return tuple(Hit(rank, chunk, 1.0 / rank) for rank, chunk in enumerate(chunks, start=1))
