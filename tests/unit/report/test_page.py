"""The one-file report: what it holds, and that nothing in it runs or is loaded."""

import dataclasses
import re
from html.parser import HTMLParser
from xml.etree.ElementTree import fromstring

import pytest
from jinja2 import UndefinedError

from rag_variants.evaluation.compare import compare_runs
from rag_variants.evaluation.gates.gates import judge_requirements
from rag_variants.evaluation.gates.requirements import read_requirement
from rag_variants.evaluation.reasons.chunk_flow import trace_chunks
from rag_variants.report.charts import delta_rows
from rag_variants.report.flow_rows import FlowCut, FlowLine, FlowPoint, FlowRows, flow_rows
from rag_variants.report.flow_words import flow_sentences
from rag_variants.report.page import comparison_html
from rag_variants.report.page.axis import Axis
from rag_variants.report.page.filling import open_templates
from rag_variants.report.page.flow import draw_rows
from rag_variants.report.question_rows import question_rows
from rag_variants.report.score_words import detail_lists, entry_words
from rag_variants.report.table import effort_rows
from rag_variants.report.words import headline_sentence, leading_metric, settings_sentence, trust_sentence
from rag_variants.text.language import LANGUAGES
from rag_variants.types import Answer
from rag_variants.wording.glossary import SECTIONS, Glossary
from tests.unit.evaluation.test_compare import make_run as make_small_run
from tests.unit.storage.test_run_files import make_run

COMPARISON = compare_runs(make_run("keyword"), make_run("hybrid:top_k=1,rrf_k=20"))
FLOW_WORDS = "Both rankings, with lines where they hold the same text."
HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "</style><svg onload=alert(1)>",
    "<a href='javascript:alert(1)'>x</a> &lt;b&gt; <!-- ]]>",
    "https://example.com/x.png",
)


class Reader(HTMLParser):
    """Every tag with its attributes, and the text outside the style sheet."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.texts: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, "every element is closed in its turn"

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


def hostile(text: str):
    """The comparison with a foreign text wherever one can stand."""

    def spoil(run):
        rows = []
        for row in run.rows:
            record = row.record
            question = dataclasses.replace(record.question, user_input=text, reference=text, tags=((text, text),))
            hits = tuple(
                dataclasses.replace(hit, chunk=dataclasses.replace(hit.chunk, text=text, document=text))
                for hit in record.hits
            )
            marks = {hit.chunk.id: next(iter(row.marks.values())) for hit in hits}
            scores = {name: dataclasses.replace(score, reason=text) for name, score in row.scores.items()}
            made = dataclasses.replace(record, question=question, hits=hits, ranking=hits, answer=Answer(text))
            rows.append(dataclasses.replace(row, record=made, marks=marks, scores=scores))
        knowledge = dataclasses.replace(run.knowledge, name=text)
        return dataclasses.replace(run, rows=tuple(rows), notes=(text,), knowledge=knowledge)

    return compare_runs(spoil(COMPARISON.a), spoil(COMPARISON.b))


@pytest.mark.parametrize("text", HOSTILE)
def test_foreign_text_is_shown_and_does_nothing(text):
    plain, spoilt = Reader(comparison_html(COMPARISON)), Reader(comparison_html(hostile(text)))
    assert spoilt.text.count(" ".join(text.split())) > 10
    assert {tag for tag, _ in spoilt.tags} == {tag for tag, _ in plain.tags}, "no element comes from a text"
    assert {name for _, attributes in spoilt.tags for name in attributes} <= {
        name for _, attributes in plain.tags for name in attributes
    }


@pytest.mark.parametrize("comparison", [COMPARISON, hostile(HOSTILE[0])], ids=["plain", "hostile"])
def test_nothing_is_loaded_and_no_script_runs(comparison):
    page = comparison_html(comparison)
    tags = Reader(page).tags
    assert not {tag for tag, _ in tags} & {"script", "link", "img", "iframe", "object", "embed", "a", "form", "base"}
    names = {name for _, attributes in tags for name in attributes}
    assert not {name for name in names if name.startswith("on") or name in ("src", "href", "srcset")}
    styles = {attributes["style"] for _, attributes in tags if "style" in attributes}
    assert all(re.fullmatch(r"left:[\d.]+%(;right:[\d.]+%)?", each) for each in styles)
    (style,) = re.findall(r"<style>(.*?)</style>", page, re.DOTALL)
    assert "url(" not in style
    assert "@import" not in style
    assert "http" not in page.replace("http-equiv", "")
    policy = next(a for tag, a in tags if tag == "meta" and a.get("http-equiv") == "Content-Security-Policy")
    assert policy["content"] == "default-src 'none'; style-src 'unsafe-inline'"


def test_the_report_says_what_the_page_says():
    page = Reader(comparison_html(COMPARISON))
    for sentence in (headline_sentence(COMPARISON), settings_sentence(COMPARISON), trust_sentence(COMPARISON)):
        assert sentence in page.text
    for row in delta_rows(COMPARISON):
        for words in (row.heading, row.label, row.change, row.values, row.verdict, row.counts):
            assert " ".join(words.split()) in page.text
    for each in effort_rows(COMPARISON):
        assert each.ratio in page.text
    drawn = [attributes["aria-label"] for tag, attributes in page.tags if attributes.get("role") == "img"]
    assert drawn == [
        *(f"{row.label}: {row.change}, {row.verdict}" for row in delta_rows(COMPARISON) if row.label),
        "scale",
        *[FLOW_WORDS for _ in COMPARISON.pairs],
    ]


def test_a_question_has_its_chunk_flow():
    page = Reader(comparison_html(COMPARISON))
    flows = [trace_chunks(*pair, COMPARISON.a.variant, COMPARISON.b.variant) for pair in COMPARISON.pairs]
    drawn = [flow_rows(flow) for flow in flows]
    marks = sum(tag in ("circle", "path") for tag, _ in page.tags)
    assert marks == sum(len(each.points) for each in drawn) > 0
    assert sum(attributes.get("class") == "cut" for _, attributes in page.tags) == sum(len(each.cuts) for each in drawn)
    said = [flow_sentences(*pair, flow) for pair, flow in zip(COMPARISON.pairs, flows, strict=True)]
    assert any(said)
    assert all(sentence in page.text for each in said for sentence in each)


def test_every_verdict_stands_with_its_sentence_and_veto():
    page = Reader(comparison_html(COMPARISON))
    entries = [
        entry
        for pair in COMPARISON.pairs
        for row in pair
        for score in row.scores.values()
        for rows in detail_lists(score)
        for entry in rows
    ]
    assert any("verdict" in entry for entry in entries)
    assert all(" ".join(entry_words(entry).split()) in page.text for entry in entries)


def test_the_words_are_explained_in_each_language():
    page = Reader(comparison_html(COMPARISON))
    for language in LANGUAGES:
        glossary = Glossary(language)
        assert all(f"{term.title} : {term.line}" in page.text for each in SECTIONS for term in glossary.section(each))


def test_questions_stand_worst_first_with_answers_and_chunks():
    page = Reader(comparison_html(COMPARISON))
    listed = page.text.index("worst for B first")
    rows = question_rows(COMPARISON, leading_metric(COMPARISON))
    asked = [f"{row.question.id} · {' '.join(row.question.user_input.split())}" for row in rows]
    places = [page.text.index(each, listed) for each in asked]
    assert places == sorted(places)
    for pair in COMPARISON.pairs:
        for row in pair:
            assert row.record.answer is not None
            assert " ".join(row.record.answer.text.split()) in page.text
            assert all(" ".join(hit.chunk.text.split()) in page.text for hit in row.record.hits)
    assert sum("open" in attributes for tag, attributes in page.tags if tag == "details") == 1


def test_a_mean_is_drawn_where_it_lies():
    # One metric, every delta 0.5: a kind not met among 20 may have 1 − .05^(1/20) = 0.1391 of the questions, so the
    # interval ends at 0.5 + 0.1391·(1 − 0.5) = 0.5696, the axis at 1.08 times that, and half of it on the other side.
    end = 1.08 * (0.5 + (1 - 0.05 ** (1 / 20)) * 0.5)
    place = (0.5 + end / 2) / (1.5 * end)
    ids = [f"q{at}" for at in range(20)]
    a, b = ({"mrr": dict.fromkeys(ids, value)} for value in (0.5, 1.0))
    page = Reader(comparison_html(compare_runs(make_small_run(a), make_small_run(b, "hybrid"))))
    (mean,) = [attributes for tag, attributes in page.tags if attributes.get("class") == "mean"]
    assert mean["style"] == f"left:{place:.2%}"
    (zero,) = [attributes for tag, attributes in page.tags if attributes.get("class") == "zero"]
    assert zero["style"] == "left:33.33%"


def test_differences_and_a_gate_stand_before_the_result():
    findings = judge_requirements([read_requirement("B.mrr<0")], COMPARISON)
    text = Reader(comparison_html(COMPARISON, findings)).text
    assert text.index("✗ not met") < text.index(headline_sentence(COMPARISON))
    unlike = compare_runs(COMPARISON.a, make_run("keyword", "retrieval"), anyway=True)
    text = Reader(comparison_html(unlike)).text
    assert text.index("Different judge: A was judged by embedded, B by nobody.") < text.index("0.")


def test_a_template_escapes_what_it_shows_and_names_what_nobody_gave():
    shown = open_templates().from_string('<p title="{{ text }}">{{ text }}</p>')
    assert shown.render(text='1 < 2 & "3"') == '<p title="1 &lt; 2 &amp; &#34;3&#34;">1 &lt; 2 &amp; &#34;3&#34;</p>'
    with pytest.raises(UndefinedError, match="'text' is undefined"):
        shown.render()


@pytest.mark.parametrize(
    ("content", "figures"), [("+0.25", True), ("14 of 14", True), ("–", True), ("", False), ("better", False),
                             ("2 ▲ 13 = 0 ▼ and more", False)]
)  # fmt: skip
def test_a_number_stands_right(content, figures):
    parts = open_templates().get_template("parts.html.jinja").module
    assert parts.cell(content) == "<td" + ' class="n"' * figures + f">{content}</td>"


def test_the_axis_has_0_and_keeps_its_numbers_inside():
    # the widest of the steps with five of which the axis is covered: 0.8 ÷ 5 = 0.16, so 0.2
    axis = Axis(-0.3, 0.5)
    assert axis.ticks == [-0.2, 0.0, 0.2, 0.4]
    assert axis.place(0.1) == "50.00%"  # (0.1 + 0.3) ÷ 0.8
    # −0.2 is at 0.125, 0.45 at 0.9375 of the width, and half of a number is 0.08
    assert [axis.anchor(each) for each in (-0.3, -0.2, 0.45)] == ["start", "middle", "end"]


def test_the_flow_is_drawn_row_by_row():
    # 36 units a row under a head of 34, a point at 0.4 of its row: 34 + 0.4 × 36 = 48.4, 34 + 2.4 × 36 = 120.4
    points = (
        FlowPoint("a", 0.0, "1  x.md", "gold", "gold", 1, "x.md 0–9", ""),
        FlowPoint("b", 2.0, "3  y.md", "", "plain", 3, "y.md 0–9", "new"),
    )
    rows = FlowRows(points, (FlowLine(0.0, 2.0, 0.5, True, ""),), (FlowCut("a", 0.5, "top_k is 1"),), 3.0)
    macro = open_templates().get_template("flow.html.jinja").module.flow_drawing
    drawn = fromstring(macro(draw_rows(rows, ("A · keyword", "B · hybrid"))))
    assert drawn.get("viewBox") == "0 0 720 142"  # 34 + 3 × 36
    (line,) = drawn.findall("g[@class='same']/line")
    assert (line.get("y1"), line.get("y2"), line.get("class")) == ("48", "120", "gold")
    assert line.get("stroke-width") == "4"  # 1 + (7 − 1) × 0.5
    (circle,) = drawn.findall("g[@class='dots b']/circle")
    assert circle.get("cy") == "120"
    (diamond,) = drawn.findall("g[@class='dots a']/path")
    assert diamond.get("d") == "M0 40l8 8-8 8-8-8z"  # its middle 8 below its tip
    (cut,) = drawn.findall("line")
    assert cut.get("y1") == cut.get("y2") == "66"  # 34 + 0.9 × 36 = 66.4
    assert [text.text for text in drawn.findall("g[@class='names b']/text")] == ["B · hybrid", "3  y.md"]
