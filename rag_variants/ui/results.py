"""What a session is working on and what it shows; how both look."""

from dataclasses import dataclass
from typing import Any

import streamlit as st

from rag_variants.experiment.compare import Comparison
from rag_variants.ui.jobs import Job
from rag_variants.ui.kept import Key
from rag_variants.ui.url import Selection


@dataclass(frozen=True)
class Shown:
    """The comparison on the screen and what it is the result of."""

    key: Key
    comparison: Comparison

    @property
    def complete(self) -> bool:
        """Whether no question is missing."""
        return self.comparison.a.complete and self.comparison.b.complete


@dataclass
class Session:
    """One job at a time; the last result; the last problem; what was tried last, so that a failure is not repeated."""

    job: Job | None = None
    shown: Shown | None = None
    problem: str | None = None
    tried: Key | None = None

    def start(self, job: Job) -> None:
        """Begins a job."""
        self.job, self.problem, self.tried = job, None, job.key
        job.start()


def session() -> Session:
    """This visitor's session."""
    if "session" not in st.session_state:
        st.session_state["session"] = Session()
    found: Session = st.session_state["session"]
    return found


def collect_job() -> None:
    """Takes over what an ended job has made."""
    state = session()
    job = state.job
    if job is None or not job.wait(0):
        return
    state.job, state.problem = None, job.problem
    if job.comparison:
        state.shown = Shown(job.key, job.comparison)


def draw_progress(place: Any, job: Job, poll: float) -> None:
    """A bar with a stop button, followed until the job ends; then the page is drawn again.

    It waits here at the end of the page: a click anywhere draws the page anew and finds the job still running.
    """
    with place.container(border=True):
        left, right = st.columns([8, 1], vertical_alignment="center")
        right.button("Stop", key="stop", on_click=job.stop, width="stretch", help="What is finished is kept.")
        bar = left.empty()
    while True:
        snapshot = job.snapshot
        bar.progress(snapshot.share, text=f"{snapshot.words} …")
        if job.wait(poll):
            break
    st.rerun()


def draw_result(shown: Shown | None, selection: Selection, outdated: bool) -> None:
    """The result, or what will be there."""
    if shown is None:
        if session().job is not None:
            st.caption("The first result takes a few seconds.")
            for height in (60, 400):
                st.skeleton(height)
        return
    from rag_variants.ui.views.result import draw_comparison

    draw_comparison(shown.comparison, selection, outdated)
