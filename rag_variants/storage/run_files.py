"""Runs on disk: written whole, read back equal. Schema `rag-variants/run/1`."""

import gzip
import json
import re
import zlib
from collections.abc import Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rag_variants.errors import UserError
from rag_variants.evaluation.judging.repeats import Noise
from rag_variants.evaluation.runs import JudgeNote, Row, Run, RunCalls, Source
from rag_variants.llm.calls import Calls, total
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.answer.recording_lines import fault_document, read_fault
from rag_variants.pipeline.setting import settings_of
from rag_variants.pipeline.spec import print_variant
from rag_variants.questions.gold import Mark
from rag_variants.types import Answer, Chunk, Evidence, Expansion, Hit, Part, Question, Record, Score, Trap

RUN_SCHEMA = "rag-variants/run/1"
_SCHEMA = re.compile(r"rag-variants/[a-z]+/(\d+)")
_GZIP = b"\x1f\x8b"
# What an answer took, by the field of Answer.
_USAGE = ("prompt_tokens", "completion_tokens", "seconds")  # what cost_usd does not say of a call


class RunFileError(UserError):
    """A kept run that cannot be read."""


def is_run_file(text: str) -> bool:
    """True for a path to a kept run rather than the name of a variant."""
    return text.endswith((".json", ".json.gz"))


def load_run(path: Path) -> Run:
    """A kept run, plain or compressed. Raises RunFileError if the file is missing, broken, newer or not ours."""
    document = read_document(path)
    if document["schema"] != RUN_SCHEMA:
        raise RunFileError(
            f"{path} has the schema {document['schema']!r}, not {RUN_SCHEMA}. "
            f"Make it with rag-variants run … --out FILE.json."
        )
    return read_run(document, path)


def read_run(document: Mapping[str, Any], path: Path) -> Run:
    """The run that a document of its schema holds. Raises RunFileError, which names the path, if it is broken."""
    try:
        return _run(document)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise RunFileError(f"{path} is broken ({type(error).__name__}: {error}). Make the run again.") from error


def read_document(path: Path) -> dict[str, Any]:
    """The document of a file of ours, its schema still to be looked at.

    Raises RunFileError, one sentence, if the file cannot be read, is no JSON, is not ours, or newer than this program.
    """
    try:
        content = path.read_bytes()
        text = (gzip.decompress(content) if content.startswith(_GZIP) else content).decode("utf-8")
        document = json.loads(text, parse_constant=_refuse)
    except (gzip.BadGzipFile, EOFError, zlib.error) as error:
        raise RunFileError(f"{path} is broken ({error}). Make the run again.") from error
    except OSError as error:
        raise RunFileError(f"{path} cannot be read ({error.strerror}). Give a variant or a kept run.") from error
    except (ValueError, RecursionError) as error:
        raise RunFileError(
            f"{path} is not JSON ({error}). Make it again with rag-variants run … --out FILE.json."
        ) from error
    schema = document.get("schema") if isinstance(document, dict) else None
    found = _SCHEMA.fullmatch(schema) if isinstance(schema, str) else None
    if found is None:
        raise RunFileError(
            f"{path} has the schema {schema!r}, so it is no file of RAG Variants. "
            f"Make it with rag-variants run … --out FILE.json."
        )
    if int(found[1]) > 1:
        raise RunFileError(f"{path} was written by a newer version ({schema}). Update rag-variants to read it.")
    return dict(document)


def _refuse(constant: str) -> None:
    raise ValueError(f"it holds {constant}")


def run_document(run: Run) -> dict[str, Any]:
    """One side alone, as plain data."""
    return {
        "schema": RUN_SCHEMA,
        **frame_document(run),
        "complete": run.complete,
        "notes": list(run.notes),
        "noise": {name: asdict(noise) for name, noise in run.noise.items()},
        "a": variant_document(run),
        "metrics": list(run.metrics),
        "rows": [{**question_document(row), "a": side_document(row)} for row in run.rows],
        "calls": calls_document(run),
        "seconds": run.seconds,
    }


def to_json(document: Mapping[str, Any]) -> str:
    """JSON text with a line end. Raises ValueError for NaN, which no score may be."""
    return json.dumps(document, ensure_ascii=False, allow_nan=False, indent=1) + "\n"


def frame_document(run: Run) -> dict[str, Any]:
    """What a document says before its numbers: who made it, of what, and who judged."""
    judge = run.judge
    return {
        "version": run.versions["rag-variants"],
        "created": run.created,
        "seed": run.seed,
        "knowledge": _source(run.knowledge, "documents"),
        "questions": {**_source(run.questions, "count"), "slice": run.slice},
        "judge": None
        if judge is None
        else {"spec": judge.spec, "settings": dict(judge.settings), "agreement": judge.agreement},
    }


def variant_document(run: Run) -> dict[str, Any]:
    """A variant with every setting and version."""
    settings = {name: getattr(run.variant, name) for name in settings_of(run.variant)}
    return {
        "variant": print_variant(run.variant),
        "settings": settings,
        "versions": dict(run.versions),
        "calls": asdict(run.calls),
    }


def question_document(row: Row) -> dict[str, Any]:
    """A question as a row begins."""
    question = row.record.question
    return {
        "id": question.id,
        "question": question.user_input,
        "reference": question.reference,
        "answerable": question.answerable,
        "evidence": [asdict(each) for each in question.evidence],
        "answer_keys": [list(each) for each in question.answer_keys],
        "avoid": list(question.avoid),
        "traps": [asdict(trap) for trap in question.traps],
        "tags": dict(question.tags),
    }


def side_document(row: Row) -> dict[str, Any]:
    """One side of a row."""
    record, answer = row.record, row.record.answer
    return {
        "answer": answer.text if answer else None,
        "declined": answer.declined if answer else None,
        "citations": list(answer.citations) if answer else [],
        "cost_usd": answer.cost_usd if answer else None,
        "simulated": answer.simulated if answer else False,
        "faults": [fault_document(fault) for fault in answer.faults] if answer else [],
        "origin": dict(answer.origin) if answer else {},
        "usage": {name: getattr(answer, name) for name in _USAGE} if answer else {},
        "notes": list(answer.notes) if answer else [],
        "hits": [_hit_document(hit, row.marks[hit.chunk.id], whole=True) for hit in record.hits],
        "ranking": [
            _hit_document(hit, row.marks[hit.chunk.id], whole=False) | _passed_over(passed, hit)
            for passed in [dict(record.passed_over)]
            for hit in record.ranking
        ],
        "scores": {name: _score_document(score) for name, score in row.scores.items()},
        "timing_ms": dict(record.timing_ms),
        "error": record.error,
        **({} if record.expansion is None else {"expansion": _expansion_document(record.expansion)}),
    }


def _passed_over(passed: Mapping[int, str], hit: Hit) -> dict[str, str]:
    return {"passed_over": passed[hit.rank]} if hit.rank in passed else {}


def calls_document(*runs: Run) -> dict[str, Any]:
    """Calls to chat models of all the runs together; everything embedded makes none."""
    return asdict(total([run.calls.all for run in runs]))


def _source(source: Source, counted: str) -> dict[str, Any]:
    return {"name": source.name, counted: source.count, "fingerprint": source.fingerprint}


def _hit_document(hit: Hit, mark: Mark, whole: bool) -> dict[str, Any]:
    chunk = hit.chunk
    place = {
        "rank": hit.rank,
        "chunk_id": chunk.id,
        "document": chunk.document,
        "start": chunk.start,
        "end": chunk.end,
    }
    parts = {name: asdict(part) for name, part in hit.parts}
    if not whole:
        return {**place, "score": hit.score, "parts": parts, "gold": list(mark.gold)}
    marks = {"gold": list(mark.gold), "part": mark.part, "trap": mark.trap}
    return {**place, "text": chunk.text, "score": hit.score, "parts": parts, **marks}


def _score_document(score: Score) -> dict[str, Any]:
    return {"value": score.value, "reason": score.reason, "detail": score.detail, "error": score.error}


def _run(document: Mapping[str, Any]) -> Run:
    judge = document["judge"]
    knowledge, questions = document["knowledge"], document["questions"]
    return Run(
        variant=read_variant(document["a"]["variant"]),
        versions=document["a"]["versions"],
        knowledge=Source(knowledge["name"], knowledge["documents"], knowledge["fingerprint"]),
        questions=Source(questions["name"], questions["count"], questions["fingerprint"]),
        judge=JudgeNote(judge["spec"], judge["settings"], judge["agreement"]) if judge else None,
        metrics=tuple(document["metrics"]),
        rows=tuple(_row(row) for row in document["rows"]),
        seed=document["seed"],
        complete=document["complete"],
        seconds=document["seconds"],
        created=document["created"],
        slice=questions["slice"],
        notes=tuple(document.get("notes", ())),
        calls=_calls(document["a"].get("calls", {})),
        noise={name: Noise(**noise) for name, noise in document.get("noise", {}).items()},
    )


def _calls(kept: Mapping[str, Any]) -> RunCalls:
    """The calls of a side; runs kept before calls were counted had none to speak of."""
    return RunCalls(**{asker: Calls(**counts) for asker, counts in kept.items()})


def _row(row: Mapping[str, Any]) -> Row:
    side = row["a"]
    question = Question(
        id=row["id"],
        user_input=row["question"],
        reference=row["reference"],
        answerable=row.get("answerable"),
        evidence=tuple(Evidence(**each) for each in row.get("evidence", ())),
        answer_keys=tuple(tuple(each) for each in row.get("answer_keys", ())),
        avoid=tuple(row.get("avoid", ())),
        traps=tuple(Trap(**trap) for trap in row.get("traps", ())),
        tags=tuple(row["tags"].items()),
    )
    texts = {hit["chunk_id"]: hit for hit in side["hits"]}
    record = Record(
        question=question,
        ranking=tuple(_hit(hit, texts) for hit in side["ranking"]),
        hits=tuple(_hit(hit, texts) for hit in side["hits"]),
        answer=None if side["answer"] is None else _answer(side),
        timing_ms=side["timing_ms"],
        error=side["error"],
        expansion=_expansion(side.get("expansion")),
        passed_over=tuple((hit["rank"], hit["passed_over"]) for hit in side["ranking"] if "passed_over" in hit),
    )
    marks = {hit["chunk_id"]: Mark(tuple(hit["gold"])) for hit in side["ranking"]}
    marks.update({hit["chunk_id"]: Mark(tuple(hit["gold"]), hit["part"], hit["trap"]) for hit in side["hits"]})
    scores = {
        name: Score(score["value"], score["reason"], score["detail"], score["error"])
        for name, score in side["scores"].items()
    }
    return Row(record, marks, scores)


def _answer(side: Mapping[str, Any]) -> Answer:
    """The answer of a side; runs kept before answers could be simulated, recorded or paid for say nothing of it."""
    return Answer(
        side["answer"],
        side["declined"],
        tuple(side["citations"]),
        cost_usd=side.get("cost_usd"),
        simulated=side.get("simulated", False),
        faults=tuple(read_fault(fault) for fault in side.get("faults", ())),
        origin=tuple(side.get("origin", {}).items()),
        notes=tuple(side.get("notes", ())),
        **{name: side.get("usage", {}).get(name) for name in _USAGE},
    )


def _expansion_document(expansion: Expansion) -> dict[str, Any]:
    lists = {name: list(getattr(expansion, name)) for name in ("texts", "chunks", "notes")}
    return {**asdict(expansion), **lists, "terms": dict(expansion.terms)}


def _expansion(kept: Mapping[str, Any] | None) -> Expansion | None:
    if kept is None:
        return None
    lists = {name: tuple(kept[name]) for name in ("texts", "chunks", "notes")}
    return Expansion(**{**kept, **lists, "terms": tuple(kept["terms"].items())})


def _hit(hit: Mapping[str, Any], texts: Mapping[str, Mapping[str, Any]]) -> Hit:
    whole = texts.get(hit["chunk_id"], hit)
    chunk = Chunk(hit["document"], hit["start"], hit["end"], whole.get("text", ""), whole.get("language", ""))
    parts = tuple((name, Part(**part)) for name, part in hit["parts"].items())
    return Hit(hit["rank"], chunk, hit["score"], parts)
