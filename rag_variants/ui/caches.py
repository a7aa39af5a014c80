"""What all sessions of one server share: data only, never keys, histories or a user's state."""

import asyncio
import os
import threading
from collections.abc import Hashable
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

import streamlit as st

from rag_variants.corpus.folder import load_knowledge
from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.evaluation.ablation.ablation_path import AblationPath
from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.reasons.attribution import Attribution
from rag_variants.evaluation.tuning.grid import Grid, make_grid
from rag_variants.evaluation.tuning.tune import TUNED_CACHED, Tuned
from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.lessons.course import Taught
from rag_variants.lessons.reader import LessonSet, load_lessons
from rag_variants.llm import Encoders
from rag_variants.metrics.laboratory import score_entered, score_key_fact
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.pipeline.cache import StageCache
from rag_variants.questions.own_labels import OwnLabels, labels_path, read_own_labels
from rag_variants.questions.reader import load_questions
from rag_variants.questions.sets import QuestionSet
from rag_variants.sample import SAMPLE_NAME, sample_folder, sample_lessons_file, sample_questions_file
from rag_variants.settings import Settings
from rag_variants.storage.saved_runs import open_saved_runs
from rag_variants.types import Score
from rag_variants.ui.endpoints import own_endpoints
from rag_variants.ui.results import CachedResults

if TYPE_CHECKING:
    from rag_variants.evaluation.advice.advice import Attempts
    from rag_variants.evaluation.judging.other_judges import VerdictSource
    from rag_variants.evaluation.tuning.sweep import Sweep

Stamp = tuple[Hashable, ...]
# Kept comparisons of one kind: 64 over the sample's 76 general questions, and no more of those over fewer, as each
# holds the texts of its own chunks.
COMPARISONS_CACHED, PAIRS_EACH = 64, 76


def read_knowledge(folder: str) -> KnowledgeBase:
    """The documents of a folder (`""`: the sample), read again when a file has changed. Raises KnowledgeError."""
    return _knowledge(folder, stamp_of(folder or str(sample_folder())))


def read_questions(file: str) -> QuestionSet:
    """The questions of a file (`""`: the sample's), read again when it has changed. Raises QuestionsError."""
    return _questions(file, stamp_of(file or str(sample_questions_file())))


def read_plan(
    documents: str, questions: str, metrics: str, judge: str = "embedded", judge_embeddings: str = "embedded"
) -> Plan:
    """The plan over every question, read again when a file has changed. Raises UserError.

    Judge and encoder are looked up when a run opens them: the plan's files are shared, a visit's endpoints are not.
    """
    read_knowledge(documents)  # a wrong folder is named before missing questions are
    stamps = (stamp_of(documents or str(sample_folder())), stamp_of(questions or str(sample_questions_file())))
    plan = _plan(documents, questions, metrics, Settings().today(), stamps)
    chosen = (judge, judge_embeddings)
    if chosen == (plan.judge, plan.judge_embeddings):
        return plan
    return replace(plan, judge=judge, judge_embeddings=judge_embeddings)


def bench_for(plan: Plan) -> Bench:
    """What variants work with, for the documents of a plan. A visit with endpoints of its own shares no clients.

    Raises ModelError if the environment's settings cannot be used.
    """
    own = own_endpoints()
    if not own.given:
        return shared_bench(plan.knowledge, plan.today)
    place = own.workshop(encoders())
    return open_bench(plan.knowledge, plan.today, place.settings, encoders=place.encoders, cache=place.cache)


def shared_bench(knowledge: KnowledgeBase, today: date) -> Bench:
    """What variants work with, with the environment's endpoints alone. Raises ModelError."""
    return open_bench(knowledge, today, encoders=encoders(), cache=stage_cache())


@st.cache_resource(show_spinner=False)
def encoders() -> Encoders:
    """The embedding models that were opened, with their vectors."""
    return Encoders(Settings())


@st.cache_resource(show_spinner=False)
def stage_cache() -> StageCache:
    """What stages made, by what it depends on."""
    return StageCache()


def read_sample_lessons() -> LessonSet:
    """The sample's lessons, read again when their file or the questions have changed. Raises LessonsError."""
    questions = read_questions("")
    return _lessons(stamp_of(str(sample_lessons_file())), questions.fingerprint, questions)


@st.cache_resource(show_spinner=False)
def finished() -> CachedResults[Comparison]:
    """The latest finished comparisons; every lesson of the sample finds room."""
    return CachedResults(COMPARISONS_CACHED * PAIRS_EACH, _pairs_in)


@st.cache_resource(max_entries=4, show_spinner="Reading runs …")
def compare_saved(ids: tuple[str, str], made: tuple[str, str]) -> Comparison:
    """The comparison of two kept runs, read again when one was made again. Raises UserError."""
    kept = open_saved_runs(Settings())
    return compare_runs(kept.load(ids[0]), kept.load(ids[1]), anyway=True)


@st.cache_resource(show_spinner=False)
def judged_again() -> CachedResults[Comparison]:
    """The latest comparisons whose records were judged again."""
    return CachedResults()


@st.cache_resource(show_spinner=False)
def courses() -> CachedResults[tuple[Taught, ...]]:
    """The latest courses of lessons."""
    return CachedResults(limit=2)


@st.cache_resource(show_spinner=False)
def advised() -> "CachedResults[Attempts]":
    """The latest finished searches for better settings."""
    return CachedResults()


@st.cache_data(max_entries=2_000, show_spinner=False)
def entered_score(metric: str, verdicts: tuple[bool, ...], readings: tuple[GeneratedQuestion, ...]) -> Score:
    """What ragas makes of verdicts that were entered in the laboratory."""
    return asyncio.run(score_entered(metric, verdicts, readings))


@st.cache_data(max_entries=200, show_spinner=False)
def key_fact_score(answer: str, fact: str) -> Score:
    """Whether an example's answer holds its key fact."""
    return asyncio.run(score_key_fact(answer, fact))


@st.cache_resource(show_spinner=False)
def ablations() -> CachedResults[AblationPath]:
    """The latest finished ladders."""
    return CachedResults()


@st.cache_resource(max_entries=20, show_spinner=False)
def read_grid(variant: str, over: tuple[str, ...]) -> Grid:
    """The grid of a sweep from a variant in its written form. Raises VariantError."""
    return make_grid(read_variant(variant), over)


@st.cache_resource(show_spinner=False)
def sweeps() -> "CachedResults[Sweep]":
    """The latest finished sweeps."""
    return CachedResults()


@st.cache_resource(show_spinner=False)
def final_checks() -> CachedResults[Comparison]:
    """The latest comparisons on held-out questions that a sweep ended with."""
    return CachedResults()


@st.cache_resource(show_spinner=False)
def tuned() -> CachedResults[Tuned]:
    """The latest settings measured on the Tune page."""
    return CachedResults(limit=TUNED_CACHED)


@st.cache_resource(show_spinner=False)
def judged_moves() -> CachedResults[Comparison]:
    """The latest comparisons of a setting with its pin on the Tune page, with judged metrics alone."""
    return CachedResults(COMPARISONS_CACHED * PAIRS_EACH, _pairs_in)


@st.cache_resource(show_spinner=False)
def attributions() -> CachedResults[Attribution]:
    """The latest comparisons that were taken apart."""
    return CachedResults()


@st.cache_resource(show_spinner=False)
def agreements() -> CachedResults[dict[str, Any]]:
    """The latest agreements of judges with labels that were measured."""
    return CachedResults()


@st.cache_resource(show_spinner=False)
def other_sources() -> "CachedResults[tuple[VerdictSource, ...]]":
    """The latest comparisons under other judges."""
    return CachedResults()


@st.cache_resource(show_spinner=False)
def label_guard() -> threading.RLock:
    """Held while labels are read and written again, so that no visit's label is lost to another's."""
    return threading.RLock()


def _pairs_in(comparison: Comparison) -> int:
    return max(PAIRS_EACH, len(comparison.pairs))


def read_labels_of(home: Path, knowledge: str) -> OwnLabels:
    """The labels kept for a knowledge base, read again when their file has changed. Raises UserError."""
    return _own_labels(home, knowledge, stamp_of(str(labels_path(home, knowledge))))


@st.cache_resource(max_entries=8, show_spinner=False)
def _own_labels(home: Path, knowledge: str, stamp: Stamp) -> OwnLabels:
    return read_own_labels(home, knowledge)


@st.cache_resource(max_entries=4, show_spinner="Reading documents …")
def _knowledge(folder: str, stamp: Stamp) -> KnowledgeBase:
    return load_knowledge(Path(folder) if folder else sample_folder(), None if folder else SAMPLE_NAME)


@st.cache_resource(max_entries=4, show_spinner="Reading questions …")
def _questions(file: str, stamp: Stamp) -> QuestionSet:
    return load_questions(Path(file) if file else sample_questions_file(), None if file else SAMPLE_NAME)


@st.cache_resource(max_entries=2, show_spinner=False)
def _lessons(stamp: Stamp, fingerprint: str, _questions: QuestionSet) -> LessonSet:
    return load_lessons(sample_lessons_file(), _questions)


@st.cache_resource(max_entries=4, show_spinner="Reading documents and questions …")
def _plan(documents: str, questions: str, metrics: str, today: date, stamps: tuple[Stamp, Stamp]) -> Plan:
    files = (Path(documents) if documents else None, Path(questions) if questions else None)
    return make_plan(*files, metrics, today=today)


def stamp_of(place: str) -> Stamp:
    """What changes when a file, or any file below a folder, does: names, sizes and times of change."""
    try:
        if not os.path.isdir(place):
            found = os.stat(place)
            return (found.st_mtime_ns, found.st_size)
        files = sorted(os.path.join(folder, name) for folder, _, names in os.walk(place) for name in names)
        stats = [(file, os.lstat(file)) for file in files]
        return tuple((file, stat.st_mtime_ns, stat.st_size) for file, stat in stats)
    except (OSError, ValueError):
        return ()
