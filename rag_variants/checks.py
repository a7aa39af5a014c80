"""Is everything in place? One test of each part that a comparison needs."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from rag_variants.errors import UserError
from rag_variants.experiment.plan import make_plan
from rag_variants.models import resolve_model
from rag_variants.questions.check import check_evidence
from rag_variants.settings import Settings


class Check(NamedTuple):
    """One part, what is wrong with it (None: nothing), and a remark."""

    name: str
    problem: str | None
    remark: str


def run_checks(documents: Path | None, questions: Path | None) -> Iterator[Check]:
    """A check per part: state folder, encoder (one call), documents and questions with their evidence."""
    yield _check("state folder", lambda: str(Settings().state_folder()))
    yield _check("embeddings embedded", _try_encoder)
    yield _check("documents and questions", lambda: _try_plan(documents, questions))
    yield Check("judge embedded", None, "on this computer, no key, no network")


def _check(name: str, step: Callable[[], str]) -> Check:
    try:
        return Check(name, None, step())
    except UserError as error:
        return Check(name, str(error), "")


def _try_encoder() -> str:
    model = resolve_model("embedded")
    dimensions = model.embed_passages(["One call to the encoder."]).shape[1]
    return f"{model.name} {model.version}, {dimensions} numbers a text"


def _try_plan(documents: Path | None, questions: Path | None) -> str:
    plan = make_plan(documents, questions)
    lost = check_evidence(plan.questions.questions, plan.knowledge)
    left_out = [*plan.knowledge.skipped, *plan.questions.skipped, *lost]
    counted = f"{len(plan.knowledge.documents)} documents, {len(plan.questions.questions)} questions"
    remarks = "".join(f"\n      {each.name}: {each.reason}" for each in left_out)
    return counted + (f"; {len(left_out)} remarks:{remarks}" if left_out else "")
