"""Lessons that were run → the teacher's answer sheet, to print."""

import html
from collections.abc import Callable, Sequence
from itertools import groupby

from rag_variants.lessons.course import Taught
from rag_variants.lessons.outcome import LessonOutcome
from rag_variants.lessons.words import LessonWords
from rag_variants.pipeline.spec import print_variant
from rag_variants.report.markdown import shown_as_typed
from rag_variants.report.page.style import FONTS
from rag_variants.report.words import plain, signed

_STYLE = """
body { font-size: 11pt; line-height: 1.45; max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem; color: #222; background: #fff; }
h1 { font-size: 20pt; } h2 { font-size: 15pt; border-bottom: 1px solid #bbb; margin-top: 2em; } h3 { font-size: 12pt; }
table { border-collapse: collapse; margin: 0.6em 0; } th, td { border: 1px solid #bbb; padding: 0.2em 0.6em; }
code { font-size: 0.92em; background: #f2f2f2; padding: 0 0.2em; overflow-wrap: anywhere; }
h2, h3 { break-after: avoid; } table, blockquote { break-inside: avoid; }
blockquote { border-left: 3px solid #999; margin: 0.8em 0; padding: 0 0 0 0.8em; }
"""


def sheet_markdown(course: Sequence[Taught], language: str) -> str:
    """Question to the room, outcome, reasons and takeaway of every lesson that was run, in one language."""
    say = LessonWords(language)
    lines = [f"# {say('sheet')}", "", _intro(course, say), ""]
    for chapter, lessons in groupby(course, key=lambda each: each.lesson.chapter):
        lines += [f"## {shown_as_typed(chapter.say(language))}", ""]
        for taught in lessons:
            lines += [*_lesson(taught, say), ""]
    return "\n".join(lines)


def sheet_html(course: Sequence[Taught], language: str) -> str:
    """The same as one HTML file that prints well and loads nothing. Texts are escaped; no HTML in them acts."""
    from markdown_it import MarkdownIt

    body = MarkdownIt("commonmark", {"html": False}).enable("table").render(sheet_markdown(course, language))
    title = html.escape(LessonWords(language)("sheet"))
    return (
        f'<!doctype html>\n<html lang="{language}">\n<head><meta charset="utf-8"><title>{title}</title>'
        f"<style>{FONTS}{_STYLE}</style></head>\n<body>\n{body}</body>\n</html>\n"
    )


SHEET_FORMATS: dict[str, Callable[[Sequence[Taught], str], str]] = {".md": sheet_markdown, ".html": sheet_html}


def _intro(course: Sequence[Taught], say: LessonWords) -> str:
    run = next((each.outcome.comparison.a for each in course if each.outcome), None)
    if run is None:
        return ""
    judge = run.judge.spec if run.judge else "–"
    return say("sheet_intro", knowledge=shown_as_typed(run.knowledge.name), judge=shown_as_typed(judge))


def _lesson(taught: Taught, say: LessonWords) -> list[str]:
    lesson, language = taught.lesson, say.language
    lines = [
        f"### {shown_as_typed(lesson.title.say(language))} · {say('minutes', n=lesson.minutes)}",
        "",
        f"A `{print_variant(lesson.a)}` → B `{print_variant(lesson.b)}`",
        "",
        f"**{say('story')}**{say('colon')}{shown_as_typed(lesson.story.say(language))}",
        "",
        f"**{say('ask_the_room')}**{say('colon')}{shown_as_typed(lesson.ask.say(language))}",
        "",
    ]
    outcome = taught.outcome
    if outcome is None:
        return [*lines, f"**{say('not_here')}**{say('colon')}{shown_as_typed(taught.problem or say('stopped'))}"]
    lines += [*_table(outcome, say), "", say("changed_only", found=outcome.changed, n=outcome.watched.n), ""]
    if not outcome.holds:
        return [*lines, f"**{say('not_here')}**{say('colon')}{say('not_here_why')}"]
    lines += [f"**{say('why')}**{say('colon')}{shown_as_typed(lesson.explain.say(language))}", ""]
    if lesson.show:
        asked = {left.record.question.id: left.record.question.user_input for left, _ in outcome.comparison.pairs}
        shown = f"{lesson.show}: {asked.get(lesson.show, '')}"
        lines += [f"**{say('show_question')}**{say('colon')}{shown_as_typed(shown)}", ""]
    return [*lines, f"> **{shown_as_typed(lesson.takeaway.say(language))}**"]


def _table(outcome: LessonOutcome, say: LessonWords) -> list[str]:
    rows = []
    for finding in outcome.findings:
        compared = outcome.comparison.metrics[finding.metric]
        label = shown_as_typed(say.metric(finding.metric, outcome.comparison.judge))
        label = f"**{label}**" if finding.metric == outcome.lesson.metric else label
        delta = compared.delta
        rows.append(
            say.figures(f"| {label} | {plain(compared.a.mean)} | {plain(compared.b.mean)} | {signed(delta.mean)} ")
            + f"| {delta.n} "
            f"| {say.verdict(delta)} |"
        )
    heading = f"| {say('metric')} | A | B | B − A | n | {say('came_out')} |"
    return [heading, "|---|---:|---:|---:|---:|---|", *rows]
