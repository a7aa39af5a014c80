"""docs/architecture.md names the files on one question's way; a question is followed through them."""

import inspect
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.questions.sets import QuestionSet
from rag_variants.types import Evidence, Question
from tests.making import bench

ROOT = Path(__file__).parent.parent
NAMED = re.findall(r"^\d+\. `([^`]+)`", (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8"), re.MULTILINE)
MOST = 12
TEXTS = {"desk.md": "The desk opens at nine.", "pool.md": "The pool is open all day."}
ASKED = Question("q", "When does the desk open?", evidence=(Evidence("desk.md", "at nine", 0),))


@contextmanager
def entered_files() -> Iterator[list[str]]:
    """The product's files in the order in which a function of theirs is called first; imports do not count."""
    found: dict[str, None] = {}

    def note(frame: FrameType, event: str, _: Any) -> None:
        code = frame.f_code
        if event == "call" and code.co_flags & inspect.CO_OPTIMIZED and code.co_filename.startswith(str(ROOT)):
            found.setdefault(Path(code.co_filename).relative_to(ROOT).as_posix())

    before, files = sys.getprofile(), list[str]()
    sys.setprofile(note)
    try:
        yield files
    finally:
        sys.setprofile(before)
        files += found


def test_a_question_enters_the_files_named_in_their_order() -> None:
    place = bench(TEXTS)
    plan = Plan(place.knowledge, QuestionSet("qs", (ASKED,)), choose_metrics("evidence_recall"), today=place.today)
    with entered_files() as files:
        variants = [read_variant("keyword"), read_variant("keyword:top_k=1")]
        experiment = Experiment(variants, plan, place)
        for _ in experiment.steps():
            pass
        comparison = compare_runs(*experiment.runs())
    assert comparison.metrics["evidence_recall"].delta.mean == 1.0 - 1.0
    assert 0 < len(NAMED) <= MOST
    assert [each for each in files if each in NAMED] == NAMED
