"""What the words of the report mean, folded, in each language."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element

from rag_variants.report.page.elements import node
from rag_variants.wording.glossary import SECTIONS, Glossary
from rag_variants.wording.wording import LANGUAGE_NAMES


def glossary_parts(judge: str) -> list[Element]:
    """One folded part per language; metrics are named as under the judge."""
    return [
        node("details", *_parts(Glossary(language), name, judge), lang=language)
        for language, name in LANGUAGE_NAMES.items()
    ]


def _parts(glossary: Glossary, language: str, judge: str) -> Iterator[Element]:
    yield node("summary", f"{glossary.say('title')} ({language})")
    for section in SECTIONS:
        terms = [node("li", node("b", term.title), f": {term.line}") for term in glossary.section(section, judge)]
        yield node("p", node("b", glossary.heading(section)))
        yield node("ul", *terms)
