"""Gold share of chunks: how many of the retrieved chunks are gold."""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import DIGITS, Detail, Subject, Worked
from rag_variants.types import Score


def _precision(subject: Subject) -> Score:
    """Gold hits ÷ hits, 0…1; `ceiling` in the detail is the most that this many hits could reach, if known."""
    marked = subject.marked
    count = len(marked.chunks)
    detail = marked.detail
    if marked.gold_in_knowledge is not None:
        detail["ceiling"] = round(min(marked.gold_in_knowledge, count) / count, DIGITS)
    return scored(len(marked.gold_ranks) / count, marked.reason, detail)


def _work_out(detail: Detail) -> Worked:
    gold, hits = len(detail["gold_ranks"]), detail["hits"]
    return Worked("gold chunks / chunks retrieved", f"{gold} / {hits}", gold / hits)


METRIC = make_metric(
    "precision",
    ("retrieval", "What was read"),
    (
        "Gold share of chunks",
        "Gold chunks among those retrieved; with one gold chunk, five hits cannot exceed 0.2.",
        "It sees neither its own ceiling nor chunk sizes: compare at one size.",
    ),
    _precision,
    Cases(frozenset({"evidence"}), "hits", nothing_retrieved="unscored"),
    translations={
        "pl": (
            "udział trafnych fragmentów",
            "Udział fragmentów z dowodem wśród wyszukanych; gdy jest jeden, przy pięciu wyszukanych najwyżej 0,2.",
            "Nie widzi wielkości fragmentów: nie porównuj przy różnych.",
        ),
        "zh": (
            "含证据片段占比",
            "检索到的片段中含证据的占多少；只有一个这样的片段时，取五个最多 0.2。",
            "它看不到片段大小：不要在不同片段大小之间比较。",
        ),
    },
    term="precision",
    mechanical=True,
    work_out=_work_out,
)
