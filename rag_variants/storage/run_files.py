"""Runs on disk: written whole, read back equal. Schema `rag-variants/run/1`."""

import gzip
import io
import json
import re
import zlib
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar, cast

from pydantic import TypeAdapter, ValidationError

from rag_variants.errors import UserError, VariantError
from rag_variants.evaluation.runs import Documents, Provenance, Run, ScoredRecord
from rag_variants.pipeline import read_variant
from rag_variants.questions.gold import Mark
from rag_variants.storage.run_documents import RUN_SCHEMA, USAGE, adapter_of
from rag_variants.storage.run_parts import (
    ExpansionPart,
    FramePart,
    HitPart,
    QuestionPart,
    RankedPart,
    RunPart,
    SidePart,
    VariantPart,
)
from rag_variants.types import Answer, Chunk, Expansion, Hit, Question, Record

_SCHEMA = re.compile(r"rag-variants/[a-z]+/(\d+)")
_GZIP = b"\x1f\x8b"
MOST_BYTES = 256 * 1024 * 1024
"""The largest file that is read, unpacked: some 30,000 questions."""
T = TypeVar("T")


class RunFileError(UserError):
    """A saved run that cannot be read."""


def is_run_file(text: str) -> bool:
    """True for a path to a saved run rather than the name of a variant."""
    return text.endswith((".json", ".json.gz"))


def load_run(path: Path) -> Run:
    """A saved run, plain or compressed. Raises RunFileError if the file is missing, broken, newer or not ours."""
    schema, text = read_text(path)
    if schema != RUN_SCHEMA:
        raise RunFileError(
            f"{path} has the schema {schema!r}, not {RUN_SCHEMA}. Make it with rag-variants run … --out FILE.json."
        )
    part = read_part(RunPart, text, path, "Make the run again.")
    return read_run(
        path,
        part,
        part.a,
        rows=tuple(read_row(row, row.a) for row in part.rows),
        metrics=part.metrics,
        complete=part.complete,
        seconds=part.seconds,
        notes=part.notes,
        noise=part.noise,
    )


def read_text(path: Path) -> tuple[str, str]:
    """The schema of a file of ours, still to be looked at, and its text.

    Raises RunFileError, one sentence, if the file cannot be read, is no JSON, is not ours, or newer than this program.
    """
    try:
        content = path.read_bytes()
        text = (_unpack(content, path) if content.startswith(_GZIP) else content).decode("utf-8")
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
    if not isinstance(schema, str) or found is None:
        raise RunFileError(
            f"{path} has the schema {schema!r}, so it is no file of RAG Variants. "
            f"Make it with rag-variants run … --out FILE.json."
        )
    if int(found[1]) > 1:
        raise RunFileError(f"{path} was written by a newer version ({schema}). Update rag-variants to read it.")
    return schema, text


def _unpack(content: bytes, path: Path) -> bytes:
    """What was compressed. A file that unpacks to more than MOST_BYTES is refused before it fills the memory."""
    with gzip.open(io.BytesIO(content)) as packed:
        unpacked = packed.read(MOST_BYTES + 1)
    if len(unpacked) > MOST_BYTES:
        raise RunFileError(
            f"{path} holds more than {MOST_BYTES // 2**20:,} MB when unpacked. Make a run of fewer questions."
        )
    return unpacked


def _refuse(constant: str) -> None:
    raise ValueError(f"it holds {constant}")


def read_part(kind: type[T], text: str, path: Path, remedy: str) -> T:
    """What a JSON text holds. Nothing is converted (no text is a number) and unknown keys are left alone.

    Raises RunFileError, which says where the text is not so.
    """
    try:
        adapter: TypeAdapter[T] = adapter_of(cast(Any, kind))
        return adapter.validate_json(text, strict=True)
    except ValidationError as error:
        raise RunFileError(f"{path} is broken ({_first_of(error)}). {remedy}") from error


def _first_of(error: ValidationError) -> str:
    """The first thing that is wrong, and where: `rows[3].a.hits[0].rank: should be a number`."""
    first = error.errors(include_url=False, include_input=False)[0]
    place = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in first["loc"]).removeprefix(".")
    if first["type"] == "missing":
        return f"{place}: is missing"
    wanted = first["msg"].removeprefix("Input ")
    for theirs, ours in (("a valid integer", "a whole number"), ("a valid array", "a list"), ("a valid ", "a ")):
        wanted = wanted.replace(theirs, ours)
    return f"{place}: {wanted}" if place else wanted


def read_run(path: Path, frame: FramePart, side: VariantPart, **more: Any) -> Run:
    """The run that the parts of a file hold; `more` are the fields of a run that these two do not say.

    Raises RunFileError for a variant that this program does not know.
    """
    try:
        variant = read_variant(side.variant)
    except VariantError as error:
        raise RunFileError(f"{path} holds a run of {side.variant!r}: {error} Make the run again.") from error
    knowledge, questions = frame.knowledge, frame.questions
    return Run(
        variant=variant,
        versions=side.versions,
        knowledge=Documents(
            knowledge.name, knowledge.documents, knowledge.fingerprint, knowledge.day, knowledge.current
        ),
        questions=Provenance(questions.name, questions.count, questions.fingerprint),
        judge=frame.judge,
        seed=frame.seed,
        created=frame.created,
        slice=questions.slice,
        calls=side.calls,
        **more,
    )


def read_row(asked: QuestionPart, side: SidePart) -> ScoredRecord:
    """One question of one side."""
    same = ("id", "reference", "answerable", "evidence", "answer_keys", "avoid", "traps")
    shown = {name: getattr(asked, name) for name in same}
    question = Question(user_input=asked.question, tags=tuple(asked.tags.items()), **shown)
    texts = {hit.chunk_id: hit.text for hit in side.hits}
    record = Record(
        question=question,
        ranking=tuple(_hit(hit, texts.get(hit.chunk_id, "")) for hit in side.ranking),
        hits=tuple(_hit(hit, hit.text) for hit in side.hits),
        answer=None if side.answer is None else _answer(side.answer, side),
        timing_ms=side.timing_ms,
        error=side.error,
        expansion=_expansion(side.expansion) if side.expansion else None,
        passed_over=tuple((hit.rank, hit.passed_over) for hit in side.ranking if hit.passed_over is not None),
    )
    marks = {hit.chunk_id: Mark(hit.gold) for hit in side.ranking}
    marks.update({hit.chunk_id: Mark(hit.gold, hit.part, hit.trap) for hit in side.hits})
    return ScoredRecord(record, marks, side.scores)


def _answer(text: str, side: SidePart) -> Answer:
    same = {name: getattr(side, name) for name in ("citations", "cost_usd", "simulated", "faults", "notes")}
    usage: dict[str, Any] = {name: side.usage.get(name) for name in USAGE}
    return Answer(
        text,
        declined=bool(side.declined),
        origin=tuple(side.origin.items()),
        **same,
        **usage,
    )


def _expansion(part: ExpansionPart) -> Expansion:
    same = {each.name: getattr(part, each.name) for each in fields(part)}
    return Expansion(**{**same, "terms": tuple(part.terms.items())})


def _hit(part: HitPart | RankedPart, text: str) -> Hit:
    chunk = Chunk(part.document, part.start, part.end, text, "")
    return Hit(part.rank, chunk, part.score, tuple(part.parts.items()))
