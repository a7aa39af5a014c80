"""A file → lessons, checked against the questions that they speak of."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path

from pydantic import ValidationError

from rag_variants.corpus.knowledge import Skipped
from rag_variants.errors import LessonsError, UserError, unknown
from rag_variants.lessons.lesson import Chapter, Lesson, Texts
from rag_variants.lessons.shapes import LessonShape
from rag_variants.metrics import all_metrics
from rag_variants.pipeline import read_variant
from rag_variants.questions.rows import first_reasons, read_rows
from rag_variants.questions.sets import QuestionSet
from rag_variants.questions.shapes import sentence
from rag_variants.questions.slices import Slice, make_slice
from rag_variants.questions.table import TableRow

_TEXTS = ("chapter", "title", "story", "ask", "takeaway", "explain")


@dataclass(frozen=True)
class LessonSet:
    """Lessons in file order. `skipped` are lines left out with the reason."""

    lessons: tuple[Lesson, ...]
    skipped: tuple[Skipped, ...] = ()

    @property
    def chapters(self) -> tuple[Chapter, ...]:
        """The lessons by chapter: neighbours whose chapter has the same title."""
        return tuple(
            Chapter(title, tuple(lessons)) for title, lessons in groupby(self.lessons, key=lambda each: each.chapter)
        )

    def find(self, id_: str) -> Lesson:
        """The lesson of an id. Raises LessonsError for an unknown one."""
        found = next((lesson for lesson in self.lessons if lesson.id == id_), None)
        if found is None:
            raise LessonsError(unknown("lesson", id_, (lesson.id for lesson in self.lessons)))
        return found

    def only(self, ids: Sequence[str]) -> "LessonSet":
        """The lessons of the ids, in file order; all where none is given. Raises LessonsError for an unknown one."""
        wanted = [self.find(each) for each in ids]
        return LessonSet(tuple(lesson for lesson in self.lessons if lesson in wanted), self.skipped) if ids else self


def load_lessons(path: Path, questions: QuestionSet) -> LessonSet:
    """The lessons of a .jsonl file over a question set, with what was left out.

    One bad line takes no other down. A line is left out for an unknown variant, setting, metric, question, tag or
    language, for a missing text, and for an id that is there already. Raises QuestionsError if the file cannot be read,
    LessonsError if no lesson is left.
    """
    table = read_rows(path)
    skipped = list(table.skipped)
    lessons: dict[str, Lesson] = {}
    for row in table.rows:
        try:
            lesson = _read_lesson(row, questions)
            if lesson.id in lessons:
                raise LessonsError(f"its id {lesson.id[:60]!r} is there already; give it another")
        except ValidationError as error:
            skipped.append(Skipped(row.place, sentence(error, {})))
        except UserError as error:
            skipped.append(Skipped(row.place, str(error)))
        else:
            lessons[lesson.id] = lesson
    if not lessons:
        raise LessonsError(f"No lesson of {path} can be used. {first_reasons(skipped)} Mend these lines.")
    return LessonSet(tuple(lessons.values()), tuple(skipped))


def _read_lesson(row: TableRow, questions: QuestionSet) -> Lesson:
    """The lesson of a line. Raises ValidationError for its shape, UserError for a name that is not known."""
    shape = LessonShape.model_validate(row.values)
    for name in (shape.metric, *shape.others, *shape.choose):
        _check_metric(name)
    if shape.metric in shape.others:
        raise LessonsError(f"others names {shape.metric}, the watched metric; leave it out there")
    if shape.choose and shape.metric not in shape.choose:
        raise LessonsError(f"choose lacks {shape.metric}, the watched metric; name it among the others")
    part = _part(shape)
    found = questions.restricted(part).questions
    if shape.show and shape.show not in {question.id for question in found}:
        raise LessonsError(f"show is {shape.show[:60]!r}, which is no question of the lesson; name one of those")
    texts = {name: Texts(tuple(getattr(shape, name).items())) for name in _TEXTS}
    return Lesson(
        id=shape.id,
        a=read_variant(shape.a),
        b=read_variant(shape.b),
        part=part,
        metric=shape.metric,
        direction=shape.direction,
        others=tuple(shape.others.items()),
        choose=tuple(shape.choose),
        minutes=shape.minutes,
        show=shape.show,
        encoder=shape.encoder,
        **texts,
    )


def _part(shape: LessonShape) -> Slice:
    if not (shape.questions.tags or shape.questions.ids):
        raise LessonsError('questions names none; write {"tags": {"lesson": "…"}} or {"ids": ["…"]}')
    return make_slice({name: _listed(value) for name, value in shape.questions.tags.items()}, shape.questions.ids)


def _listed(value: str | list[str]) -> Iterable[str]:
    return [value] if isinstance(value, str) else value


def _check_metric(name: str) -> None:
    metrics = {each.name: each for each in all_metrics().values() if each.set != "effort"}
    if name not in metrics:
        raise LessonsError(unknown("metric with a verdict", name, metrics))
