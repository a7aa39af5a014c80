"""What was done to a question set while tuning: how many settings were tried on it, when its hold-out was opened."""

import hashlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path

from rag_variants.evaluation.plan import Plan
from rag_variants.llm.state_database import StateDatabase
from rag_variants.pipeline.spec import print_variant
from rag_variants.pipeline.variant import Variant
from rag_variants.questions.holdout import is_held_out
from rag_variants.questions.sets import QuestionSet
from rag_variants.settings import Settings
from rag_variants.types import Question

_TABLE = """CREATE TABLE IF NOT EXISTS tuning (what TEXT NOT NULL, questions TEXT NOT NULL, setting TEXT NOT NULL,
day TEXT NOT NULL, PRIMARY KEY (what, questions, setting))"""
_ADD = "INSERT OR IGNORE INTO tuning VALUES (?,?,?,?)"
_COUNT = "SELECT count(*) FROM tuning WHERE what = 'tried' AND questions = ?"
_OPENED = "SELECT min(day) FROM tuning WHERE what = 'opened' AND questions = ?"


class TuningLog:
    """A table in the state folder, safe against crashes and shared by processes. Holds fingerprints, no question.

    Every method raises StateError for a file that cannot be read or written.
    """

    def __init__(self, home: Path, folder: Callable[[], Path]) -> None:
        self._file = StateDatabase(
            home / "tuning.sqlite", folder, _TABLE, "what was tried and opened is then forgotten"
        )

    def add_tried(self, questions: QuestionSet, variants: Iterable[Variant], today: date) -> None:
        """Remembers that variants were measured on questions, each once; when this returns, it outlives the process."""
        rows = [("tried", questions.fingerprint, print_variant(each), today.isoformat()) for each in variants]
        self._add(rows)

    def count_tried(self, questions: QuestionSet) -> int:
        """How many different variants were measured on these questions."""
        key = (questions.fingerprint,)
        return int(self._file.look(lambda database: database.execute(_COUNT, key).fetchone()[0], 0))

    def add_opened(self, questions: Iterable[Question], today: date) -> None:
        """Remembers that held-out questions were asked; the others among these do not matter."""
        self._add([("opened", _print(each), "", today.isoformat()) for each in questions if is_held_out(each)])

    def opened(self, questions: Iterable[Question]) -> str | None:
        """The day (YYYY-MM-DD) on which the first of these held-out questions was asked; None if none was."""
        keys = [(_print(each),) for each in questions if is_held_out(each)]
        nothing: list[str | None] = []
        days = self._file.look(lambda database: [database.execute(_OPENED, key).fetchone()[0] for key in keys], nothing)
        return min((day for day in days if day), default=None)

    def _add(self, rows: Sequence[tuple[str, str, str, str]]) -> None:
        if rows:
            self._file.do(lambda database: database.executemany(_ADD, rows))


def open_tuning_log(settings: Settings) -> TuningLog:
    """The log of this computer's state folder."""
    return TuningLog(settings.home, settings.state_folder)


def opening_holdout(plan: Plan, log: TuningLog) -> Plan:
    """The plan as it is run. Where it asks held-out questions, that is remembered now, and said if it is not the first.

    Raises StateError if it cannot be remembered.
    """
    asked = plan.questions.questions
    if not any(map(is_held_out, asked)):
        return plan
    before = log.opened(asked)
    log.add_opened(asked, plan.today)
    return replace(plan, notes=(*plan.notes, opened_sentence(before))) if before else plan


def opened_sentence(day: str) -> str:
    """What a hold-out that was looked at before is still worth."""
    return (
        f"The hold-out was opened before, on {day}: a setting chosen after that has seen it, so it proves less than "
        f"questions that were never asked."
    )


def _print(question: Question) -> str:
    return hashlib.sha256(repr(question).encode("utf-8", "surrogatepass")).hexdigest()[:16]
