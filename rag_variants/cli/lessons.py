"""`rag-variants lessons`."""

import argparse
from pathlib import Path
from typing import Any

from rag_variants.cli.exits import DONE, INTERRUPTED, NOT_MET
from rag_variants.cli.options import add_source_options, name_left_out
from rag_variants.cli.printing import follow, show
from rag_variants.text.language import LANGUAGES


def add_commands(commands: Any) -> None:
    """Adds `lessons`."""
    lessons = commands.add_parser("lessons", help="run the lessons and say whether each still holds")
    lessons.add_argument("only", nargs="*", metavar="ID", help="lessons to run (default: all)")
    lessons.add_argument("--lessons", type=Path, metavar="FILE", help="lesson file, .jsonl (default: the sample's)")
    add_source_options(lessons)
    lessons.add_argument("--sheet", type=Path, metavar="FILE", help="write the teacher's answer sheet: .md or .html")
    lessons.add_argument("--language", choices=LANGUAGES, default="en", help="of the sheet (default: en)")
    lessons.add_argument("--json", action="store_true", help="print JSON instead of a table")
    lessons.add_argument("--quiet", action="store_true", help="no progress on standard error")
    lessons.set_defaults(command=_lessons)


def _lessons(options: argparse.Namespace) -> int:
    from rag_variants.evaluation.plan import make_plan
    from rag_variants.lessons.course import Course
    from rag_variants.lessons.reader import load_lessons
    from rag_variants.pipeline.bench import open_bench
    from rag_variants.report.answer_sheet import SHEET_FORMATS
    from rag_variants.report.export import check_targets, write_text
    from rag_variants.report.lessons import course_document, course_view
    from rag_variants.sample import sample_lessons_file
    from rag_variants.storage.run_documents import to_json

    check_targets([options.sheet] if options.sheet else [], tuple(SHEET_FORMATS))
    plan = make_plan(options.kb, options.questions)
    loaded = load_lessons(options.lessons or sample_lessons_file(), plan.questions)
    name_left_out(*plan.knowledge.skipped, *plan.questions.skipped, *loaded.skipped)
    lessons = loaded.only(options.only).lessons
    course = Course(lessons, plan, open_bench(plan.knowledge, plan.today))
    interrupted = follow(course.steps(), quiet=options.quiet)
    taught = course.result() or ()
    if options.sheet:
        write_text(options.sheet, SHEET_FORMATS[options.sheet.suffix.lower()](taught, options.language))
    if options.json:
        print(to_json(course_document(taught)), end="")
    else:
        show(course_view(taught, len(lessons)))
    if interrupted:
        return INTERRUPTED
    return DONE if all(each.holds for each in taught) and not loaded.skipped else NOT_MET
