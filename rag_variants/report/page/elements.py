"""HTML built as a tree, so that every text in it is escaped by the one that writes it out."""

from collections.abc import Iterable, Sequence
from xml.etree.ElementTree import Element, tostring

Child = Element | str | None

# No script, and nothing from elsewhere: not even a text that slipped through could load or run anything.
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"


def node(tag: str, *children: Child, **attributes: object) -> Element:
    """An element with texts and elements in it; None is left out. `class_` stands for class, `_` for `-` elsewhere."""
    made = Element(tag, {name.rstrip("_").replace("_", "-"): str(value) for name, value in attributes.items()})
    last: Element | None = None
    for child in children:
        if isinstance(child, Element):
            made.append(child)
            last = child
        elif child and last is None:
            made.text = (made.text or "") + child
        elif child and last is not None:
            last.tail = (last.tail or "") + child
    return made


def table(header: Sequence[Child], rows: Iterable[Sequence[Child]], **attributes: object) -> Element:
    """A table; a cell that begins with a sign or a digit stands right."""
    head = node("thead", node("tr", *(node("th", cell, scope="col") for cell in header)))
    body = node("tbody", *(node("tr", *(_cell(cell) for cell in row)) for row in rows))
    return node("div", node("table", head, body, **attributes), class_="wide")


def _cell(content: Child) -> Element:
    figures = isinstance(content, str) and content[:1] in "0123456789+−≈×–" and len(content) < 12
    return node("td", content, **({"class_": "n"} if figures else {}))


def print_page(title: str, style: str, *body: Child) -> str:
    """The whole file as text. `style` is ours alone: it is written as it stands."""
    head = node(
        "head",
        node("meta", charset="utf-8"),
        node("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        node("meta", name="viewport", content="width=device-width, initial-scale=1"),
        node("title", title),
        node("style", style),
    )
    page = node("html", head, node("body", *body), lang="en")
    return "<!doctype html>\n" + tostring(page, encoding="unicode", method="html") + "\n"
