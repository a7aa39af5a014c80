"""A variant that is no pipeline of ours: it has no chunks, no stages and no ranking, and hands over what it likes."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.errors import ModelError
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.setting import setting
from rag_variants.pipeline.variant import Aside, Variant
from rag_variants.types import Answer, Chunk, Hit, Question, Record

MEMO = "A memo that stands in no document."


@dataclass(frozen=True, kw_only=True)
class Theirs(Variant):
    """Answers from the documents whose title shares most words with the question, and from a memo of its own."""

    name: ClassVar[str] = "theirs"
    title: ClassVar[str] = "Their service"
    summary: ClassVar[str] = "A service of somebody else's, as it is."
    score_kind: ClassVar[str] = "their score"

    pages: int = setting(
        2, stage="select", label="Pages", help="How many pages it reads.", minimum=1, maximum=9, step=1
    )
    memo: bool = setting(True, stage="answer", label="Memo", help="Whether it hands its memo over too.")

    def open(self, bench: Bench) -> "TheirRecorder":
        """Ready at once."""
        return TheirRecorder(self, bench.knowledge)


class TheirRecorder:
    """Finds and answers in one go, so its second step has nothing left to do."""

    waits = False
    notes: Sequence[str] = ("Their service said nothing of its model.",)
    versions: Mapping[str, str] = {"service": "theirs 7"}

    def __init__(self, variant: Theirs, knowledge: KnowledgeBase) -> None:
        self._variant, self._knowledge = variant, knowledge

    async def retrieve(self, question: Question, aside: Aside) -> Record:
        """The whole record."""
        found: Record = await aside(lambda: self._make(question))
        return found

    async def answer(self, record: Record, aside: Aside) -> Record:
        """The record as it is."""
        return record

    def _make(self, question: Question) -> Record:
        if "!!" in question.user_input:
            return Record(question, error=f"theirs: {ModelError('the service refused. Ask it again.')}")
        words = set(question.user_input.casefold().split())
        ordered = sorted(
            self._knowledge.documents, key=lambda each: (-len(words & set(each.text.casefold().split())), each.path)
        )
        pages = [
            Chunk(each.path, 0, len(each.text), each.text, each.language) for each in ordered[: self._variant.pages]
        ]
        if self._variant.memo:
            pages.append(Chunk("memo 1", 0, len(MEMO), MEMO, "en"))
        hits = tuple(Hit(rank, page, 1 / rank) for rank, page in enumerate(pages, start=1))
        text = pages[0].text.strip().splitlines()[-1] + " [1]"
        return replace(Record(question), hits=hits, answer=Answer(text, citations=(1,)), timing_ms={"answer": 12.5})
