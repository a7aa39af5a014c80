"""Where a session does long work of one kind: the job at hand, the last result, and how its progress looks."""

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

import streamlit as st

from rag_variants.evaluation.work import Work
from rag_variants.ui.frame import show_problem
from rag_variants.ui.jobs import Job, Key
from rag_variants.ui.results import CachedResults

T = TypeVar("T")
POLL = 0.15  # seconds
# Follows a job's progress where it stands; called at the end of a page, because it waits.
Follow = Callable[[], None]


@dataclass(frozen=True)
class Shown(Generic[T]):
    """The result on the screen, what decides it, and whether no step of it is missing."""

    key: Key
    result: T
    complete: bool


@dataclass
class Workplace(Generic[T]):
    """One job at a time; the last result; the last problem; what was tried last, so that a failure is not repeated."""

    name: str
    kept: CachedResults[T]
    job: Job[T] | None = None
    shown: Shown[T] | None = None
    problem: str | None = None
    tried: Key | None = None

    def collect(self) -> None:
        """Takes over what an ended job has made."""
        job = self.job
        if job is None or not job.wait(0):
            return
        self.job, self.problem = None, job.problem
        if job.result is not None:
            self.shown = Shown(job.key, job.result, job.complete)

    def take_cached(self, key: Key | None) -> None:
        """Shows the kept result of a key at once, if there is one and nothing runs."""
        kept = self.kept.find(key) if key else None
        if kept is not None and key and self.job is None:
            self.shown, self.problem = Shown(key, kept, True), None

    def start(self, key: Key, open_work: Callable[[], Work[T]], calls: int = 0) -> None:
        """Begins a job; `calls` is how many a forecast has named, 0 if there was none."""
        self.job, self.problem, self.tried = Job(key, open_work, self.kept.keep, calls), None, key
        self.job.start()

    def has(self, key: Key | None) -> bool:
        """Whether the whole result of a key is on the screen."""
        return self.shown is not None and self.shown.key == key and self.shown.complete

    def draw_problem(self, of: Collection[Key] | None = None) -> None:
        """The sentence of the last failure, if there is one and, where keys are given, it was in one `of` them."""
        if self.problem and (of is None or self.tried in of):
            show_problem(self.problem)

    def draw_progress(self, place: Any) -> None:
        """A bar with a stop button, followed until the job ends; then the page is drawn again.

        It waits here, so it stands at the end of a page: a click anywhere draws the page anew and finds the job
        still running.
        """
        job = self.job
        if job is None:
            return
        with place.container(border=True):
            left, right = st.columns([8, 1], vertical_alignment="center")
            right.button(
                "Stop", key=f"stop {self.name}", on_click=job.stop, width="stretch", help="What is finished is kept."
            )
            bar = left.empty()
        while True:
            snapshot = job.snapshot
            bar.progress(snapshot.share, text=f"{snapshot.words} …")
            if job.wait(POLL):
                break
        st.rerun()


@dataclass
class GoingOn(Generic[T]):
    """Work that can be stopped and gone on with: the same one is handed out until another key comes."""

    key: Key | None = None
    work: Work[T] | None = None

    def open(self, key: Key, begin: Callable[[], Work[T]]) -> Work[T]:
        """The work of a key as far as it is, or a new one."""
        if self.work is None or self.key != key:
            self.key, self.work = key, begin()
        return self.work

    def has(self, key: Key) -> bool:
        """Whether work of a key was begun and is not complete."""
        return self.key == key and self.work is not None and not self.work.complete


def workplace(name: str, kept: CachedResults[T]) -> Workplace[T]:
    """This visitor's place for one kind of work; `kept` is what all visitors share."""
    places: dict[str, Workplace[Any]] = st.session_state.setdefault("workplaces", {})
    if name not in places:
        places[name] = Workplace(name, kept)
    return places[name]
