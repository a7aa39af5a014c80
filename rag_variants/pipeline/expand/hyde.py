"""Hypothetical document embeddings: a passage that would answer, mixed into the question (Gao et al. 2022)."""

from pydantic import BaseModel, Field

from rag_variants.pipeline.expand.expander import Asked, Expander, Task
from rag_variants.pipeline.query import Expanded, RelevantText, Written

# The written passage counts as much as the question: the mean of both vectors, with one passage.
WEIGHT = 0.5


class WrittenPassage(BaseModel):
    """A passage that would answer a question."""

    passage: str = Field(max_length=2000)


def _expand(asked: Asked) -> Expanded:
    written = asked.written or Written(())
    mixed = asked.mix([RelevantText(1.0, text) for text in written.texts], WEIGHT)
    return Expanded(mixed.value, written, (written.seconds or 0.0) * 1000 + mixed.milliseconds)


HYDE = Expander(
    "hyde",
    "a passage that would answer, written by a chat model",
    _expand,
    frozenset({"expander"}),
    # The passage is as long as a chunk of the default size, about.
    Task(
        "You are given a question that somebody asks a search engine for company documents. Write a passage of 2 to 4 "
        "sentences as it could stand in a document that answers it. It is used to find the document and shown to "
        "nobody as an answer, so do not decline and do not say that you guess.",
        WrittenPassage,
        lambda reply: [reply.passage],
        1,
        "passage",
    ),
    mixes=True,
)
