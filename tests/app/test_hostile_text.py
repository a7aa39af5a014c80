"""H-19: what documents, questions and answers hold is shown as typed."""

from pathlib import Path

from tests.app.conftest import OpenPage, write_base
from tests.app.test_compare_page import texts

COSTS = "Plan A costs $5 and plan B costs $9, ~10% more~ for a List<String>."
LINES = ("<img src=x onerror=\"document.title='pwned'\"> <b>bold</b>", "# Not a heading", "- [x] done", "| a | b |")
QUESTION = "What does plan A cost, $5 or <b>$9</b>?"


def hostile_base(folder: Path) -> dict[str, str]:
    documents = {"<i>a<_i>.md": "\n".join((COSTS, *LINES)), "b.md": "Nothing of note is written here."}
    question = {
        "id": "<u>1</u>",
        "user_input": QUESTION,
        "reference": COSTS,
        "answerable": True,
        "evidence": [{"document": "<i>a<_i>.md", "quote": COSTS}],
        "tags": {"kind": "$x$", "language": "en"},
    }
    return write_base(folder, documents, [question])


def test_hostile_text_is_shown_as_typed(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(hostile_base(tmp_path / "hostile"))
    shown = [each.value for each in page.text]
    assert any(COSTS in each for each in shown)
    for line in LINES:
        assert any(line in each for each in shown), line
    assert any(QUESTION in each for each in shown)
    assert not page.exception


def test_nothing_foreign_reaches_an_element_that_reads_markup(open_page: OpenPage, tmp_path: Path) -> None:
    page = open_page(hostile_base(tmp_path / "hostile"))
    assert not any(each.proto.allow_html for each in page.markdown)
    marked = "\n".join(each.value for each in (*page.markdown, *page.caption, *page.subheader))
    assert "onerror" not in marked
    assert "$5" not in marked


def test_a_hostile_path_in_an_error_is_escaped(open_page: OpenPage) -> None:
    page = open_page({"kb": "/no/<img src=x>/$5 and $6", "metrics": "retrieval"})
    assert "\\<img" in page.error[0].value
    assert "\\$5" in page.error[0].value
    assert "pwned" not in texts(page)
