"""A document's text with marks, as HTML: without its tags it is the text, and foreign characters are data."""

from html.parser import HTMLParser

import pytest

from rag_variants.report.marked_text import FIRST, Highlight, mark_up


class Reader(HTMLParser):
    """Reads HTML as a browser does: its text, its tags with their attributes."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.text = ""
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.feed(html)
        self.close()

    def handle_data(self, data: str) -> None:
        self.text += data

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    @property
    def labels(self) -> list[str]:
        return [str(attributes["data-label"]) for _, attributes in self.tags if "data-label" in attributes]

    def classes(self) -> set[str]:
        return {each for _, attributes in self.tags for each in str(attributes.get("class")).split()}


def test_marks_leave_the_text_as_it_is() -> None:
    text = "Refunds take 14 days. <b>$5</b> &amp; more"
    marks = [Highlight(0, 21, "evidence", "q1"), Highlight(13, 20, "key"), Highlight(5, 30, "chunk", "", 1)]
    read = Reader(mark_up(text, marks))
    assert read.text == text
    assert read.labels == ["q1", "1", "1"]  # the evidence, the chunk's beginning and its end
    assert {tag for tag, _ in read.tags} == {"div", "span"}


@pytest.mark.parametrize(
    "hostile",
    [
        "<img src=x onerror=\"document.title='pwned'\"> <b>bold</b>",
        "# Not a heading",
        "</div></span><script>x</script>",
        "\" onmouseover='x' &lt; \\",
        "",
    ],
)
def test_hostile_text_and_labels_are_data(hostile: str) -> None:
    text = f"a {hostile} b"
    html = mark_up(text, [Highlight(2, 2 + len(hostile), "evidence", hostile), Highlight(0, len(text), "chunk", "1")])
    read = Reader(html)
    assert read.text == text
    assert {tag for tag, _ in read.tags} == {"div", "span"}
    assert {name for _, attributes in read.tags for name in attributes} <= {"class", "data-label", "id"}
    assert not hostile or hostile in read.labels


def test_overlap_is_marked_where_two_chunks_meet() -> None:
    text = "0123456789"
    html = mark_up(text, [Highlight(0, 6, "chunk", "", 1), Highlight(4, 10, "chunk", "", 2)])
    spans = [("kb-odd", "0123"), ("kb-overlap", "45"), ("", "6789")]
    assert [f'<span class="{name}">{part}</span>' in html for name, part in spans] == [True] * 3
    assert Reader(html).labels == ["1", "2", "1", "2"]  # 1 begins, 2 begins, 1 ends, 2 ends


def test_a_window_shows_a_part_and_the_first_evidence_has_an_anchor() -> None:
    html = mark_up("0123456789", [Highlight(0, 2, "evidence", "a"), Highlight(5, 9, "evidence", "b")], 4, 8)
    read = Reader(html)
    assert read.text == "4567"
    assert [attributes["data-label"] for _, attributes in read.tags if attributes.get("id") == FIRST] == ["b"]


def test_the_labels_of_ends_can_be_left_out() -> None:
    marks = [Highlight(0, 6, "chunk", "", 1), Highlight(6, 10, "chunk", "", 2)]
    assert Reader(mark_up("0123456789", marks, ends=False)).labels == ["1", "2"]
