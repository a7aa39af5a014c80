"""Multi-query: other wordings of the question, searched each for itself; the rankings are fused."""

from typing import Annotated

from pydantic import BaseModel, Field

from rag_variants.pipeline.expand.expander import Asked, Expander, Task
from rag_variants.pipeline.query import Expanded, Query, Written

WORDINGS = 3


class Wordings(BaseModel):
    """Other wordings of a question."""

    wordings: list[Annotated[str, Field(max_length=400)]] = Field(min_length=1, max_length=WORDINGS)


def _expand(asked: Asked) -> Expanded:
    written = asked.written or Written(())
    return Expanded(Query(asked.question, wordings=written.texts), written, (written.seconds or 0.0) * 1000)


MULTI_QUERY = Expander(
    "multi-query",
    "other wordings, written by a chat model; their rankings are fused",
    _expand,
    frozenset({"expander"}),
    Task(
        "You are given a question that somebody asks a search engine for company documents. Do not answer it. Write "
        f"{WORDINGS} other wordings of it: the same meaning in other words, as the documents may put it. Keep names, "
        "numbers and identifiers as they are.",
        Wordings,
        lambda reply: reply.wordings,
        WORDINGS,
        "query",
    ),
    fuses=True,
)
