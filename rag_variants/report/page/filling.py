"""The templates of the page. Every text in them is escaped, whoever wrote it."""

from collections.abc import Iterator
from functools import cache
from typing import TYPE_CHECKING

from rag_variants.report.page.style import page_style
from rag_variants.report.sweep_rows import COLUMNS
from rag_variants.wording.glossary import SECTIONS, Glossary, Term
from rag_variants.wording.wording import LANGUAGE_NAMES

if TYPE_CHECKING:
    from jinja2 import Environment


def fill_page(template: str, *, judge: str, **values: object) -> str:
    """The whole file as text: the template with its values, and what the words mean under the judge."""
    page = open_templates().get_template(f"{template}.html.jinja")
    return page.render(style=page_style(), glossary=list(_glossary(judge)), **values)


@cache
def open_templates() -> "Environment":
    """The templates, each read once. A value that a template names and nobody gave is an error, not a blank."""
    from jinja2 import Environment, PackageLoader, StrictUndefined

    opened = Environment(
        loader=PackageLoader("rag_variants.report.page"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    opened.tests["figures"] = _is_figures
    opened.tests["numeric_column"] = lambda name: COLUMNS[name]
    return opened


def _is_figures(content: str) -> bool:
    """Whether a cell holds a number alone."""
    return content[:1] in tuple("0123456789+−≈×–") and len(content) < 12


def _glossary(judge: str) -> Iterator[tuple[str, str, str, list[tuple[str, tuple[Term, ...]]]]]:
    for language, name in LANGUAGE_NAMES.items():
        glossary = Glossary(language)
        sections = [(glossary.heading(each), tuple(glossary.section(each, judge))) for each in SECTIONS]
        yield language, name, glossary.say("title"), sections
