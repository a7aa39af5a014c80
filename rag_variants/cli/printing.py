"""Results on standard output, progress on standard error."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from rag_variants.errors import UserError

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.progress import TaskID

    from rag_variants.evaluation import work

WIDTH_IN_FILES = 160


class InterruptedWorkError(UserError):
    """Work that had begun, and was paid for, when it was ended."""


def follow(steps: "Iterator[work.Progress]", *, quiet: bool) -> bool:
    """Takes the steps of some work with a bar on standard error; True if it was interrupted with something finished.

    A UserError after something was finished interrupts it too; its sentence goes to standard error. Raises
    InterruptedWorkError for one that comes after calls were paid for and before anything was finished.
    """
    from rich.console import Console
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    from rag_variants.evaluation.work import STEP_WORDS
    from rag_variants.report.calls import calls_words

    counts = TextColumn("{task.completed:,}/{task.total:,}")
    columns = (TextColumn("{task.description}"), BarColumn(), counts, TimeRemainingColumn())
    finished, paid = False, 0
    with Progress(*columns, console=Console(stderr=True), disable=quiet, transient=True) as bars:
        shown: dict[str, TaskID] = {}
        try:
            for step in steps:
                if step.step not in shown:
                    shown[step.step] = bars.add_task(STEP_WORDS[step.step], total=step.of)
                words = STEP_WORDS[step.step] + (f" · {calls_words(step.calls)}" if step.calls else "")
                bars.update(shown[step.step], completed=step.done, total=step.of, description=words)
                finished = finished or (step.answering and step.done > 0)
                paid = step.calls.issued if step.calls else paid
        except (KeyboardInterrupt, UserError) as stop:
            if not finished and paid and isinstance(stop, UserError):
                raise InterruptedWorkError(f"{stop} No question was finished; {paid:,} replies are kept.") from None
            if not finished:
                raise
            if isinstance(stop, UserError):
                bars.console.print(f"rag-variants: {stop}", markup=False, highlight=False, soft_wrap=True)
            return True
    return False


def show(view: "RenderableType") -> None:
    """Prints a view as wide as the terminal, or wide enough for a file."""
    from rich.console import Console

    console = Console(highlight=False)
    if not console.is_terminal:  # a pipe has no width; a table must not be cut for it
        console = Console(highlight=False, width=WIDTH_IN_FILES)
    console.print(view)
