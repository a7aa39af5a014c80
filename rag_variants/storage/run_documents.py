"""Runs as plain data, schema `rag-variants/run/1`, and the parts that documents of other kinds share with them."""

import json
from collections.abc import Mapping
from dataclasses import fields
from functools import cache
from typing import Any, cast

from pydantic import TypeAdapter

from rag_variants.evaluation.runs import Run, ScoredRecord
from rag_variants.llm.calls import total
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import print_variant
from rag_variants.questions.gold import Mark
from rag_variants.storage.run_parts import (
    ExpansionPart,
    FramePart,
    HitPart,
    KnowledgePart,
    QuestionPart,
    QuestionsPart,
    RankedPart,
    RowPart,
    RunPart,
    SidePart,
    VariantPart,
)
from rag_variants.types import Answer, Expansion, Hit

RUN_SCHEMA = "rag-variants/run/1"
USAGE = ("prompt_tokens", "completion_tokens", "seconds")  # of an answer: what cost_usd does not say of a call


def to_json(document: Mapping[str, Any]) -> str:
    """JSON text with a line end. Raises ValueError for NaN, which no score may be."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def plain_data(value: object) -> dict[str, Any]:
    """A dataclass as a dictionary, and those inside it. Numbers stay as they are: NaN is `to_json`'s to refuse."""
    found: dict[str, Any] = adapter_of(cast(Any, type(value))).dump_python(value, warnings="none")
    return found


@cache
def adapter_of(kind: type[Any]) -> TypeAdapter[Any]:
    """What reads and writes values of a dataclass. Made once: it takes longer than a row."""
    return TypeAdapter(kind)


def run_document(run: Run) -> dict[str, Any]:
    """One side alone, as plain data."""
    part = RunPart(
        **_frame(run),
        complete=run.complete,
        notes=run.notes,
        noise=run.noise,
        a=_variant(run),
        metrics=run.metrics,
        rows=tuple(RowPart(**_question(row), a=_side(row)) for row in run.rows),
        calls=run.calls.all,
        seconds=run.seconds,
    )
    said = {"failure": run.failure} if run.failure else {}
    return {"schema": RUN_SCHEMA, **said, **plain_data(part)}


def frame_document(run: Run) -> dict[str, Any]:
    """What a document says before its numbers: who made it, of what, and who judged."""
    return plain_data(FramePart(**_frame(run)))


def variant_document(run: Run) -> dict[str, Any]:
    """A variant with every setting and version."""
    return plain_data(_variant(run))


def question_document(row: ScoredRecord) -> dict[str, Any]:
    """A question as a row begins."""
    return plain_data(QuestionPart(**_question(row)))


def side_document(row: ScoredRecord) -> dict[str, Any]:
    """One side of a row."""
    return plain_data(_side(row))


def calls_document(*runs: Run) -> dict[str, Any]:
    """Calls to chat models of all the runs together; everything embedded makes none."""
    return plain_data(total([run.calls.all for run in runs]))


def _frame(run: Run) -> dict[str, Any]:
    knowledge, questions = run.knowledge, run.questions
    return {
        "version": run.versions["rag-variants"],
        "created": run.created,
        "seed": run.seed,
        "knowledge": KnowledgePart(
            knowledge.name, knowledge.count, knowledge.fingerprint, knowledge.day, knowledge.current
        ),
        "questions": QuestionsPart(questions.name, questions.count, questions.fingerprint, run.slice),
        "judge": run.judge,
    }


def _variant(run: Run) -> VariantPart:
    settings = {name: getattr(run.variant, name) for name in settings_of(run.variant)}
    return VariantPart(print_variant(run.variant), settings, run.versions, run.calls)


def _question(row: ScoredRecord) -> dict[str, Any]:
    asked = row.record.question
    same = ("id", "reference", "answerable", "evidence", "answer_keys", "avoid", "traps")
    return {"question": asked.user_input, "tags": dict(asked.tags), **{name: getattr(asked, name) for name in same}}


def _side(row: ScoredRecord) -> SidePart:
    record, answer, passed = row.record, row.record.answer, dict(row.record.passed_over)
    given = answer or Answer("")
    return SidePart(
        answer=answer.text if answer else None,
        declined=answer.declined if answer else None,
        citations=given.citations,
        cost_usd=given.cost_usd,
        simulated=given.simulated,
        faults=given.faults,
        origin=dict(given.origin),
        usage={name: getattr(answer, name) for name in USAGE} if answer else {},
        notes=given.notes,
        hits=tuple(_hit(hit, row.marks[hit.chunk.id]) for hit in record.hits),
        ranking=tuple(_ranked(hit, row.marks[hit.chunk.id], passed.get(hit.rank)) for hit in record.ranking),
        scores=row.scores,
        timing_ms=record.timing_ms,
        error=record.error,
        expansion=_expansion(record.expansion) if record.expansion else None,
    )


def _hit(hit: Hit, mark: Mark) -> HitPart:
    return HitPart(**_place(hit), text=hit.chunk.text, gold=mark.gold, part=mark.part, trap=mark.trap)


def _ranked(hit: Hit, mark: Mark, passed_over: str | None) -> RankedPart:
    return RankedPart(**_place(hit), gold=mark.gold, passed_over=passed_over)


def _place(hit: Hit) -> dict[str, Any]:
    chunk = hit.chunk
    place = {"rank": hit.rank, "chunk_id": chunk.id, "document": chunk.document, "start": chunk.start, "end": chunk.end}
    return {**place, "score": hit.score, "parts": dict(hit.parts)}


def _expansion(expansion: Expansion) -> ExpansionPart:
    same = {each.name: getattr(expansion, each.name) for each in fields(expansion)}
    return ExpansionPart(**{**same, "terms": dict(expansion.terms)})
