"""The borders of chunks over the evidence: what is shown, what is said, and that a document's text is data."""

import re
from html import unescape

import pytest

from rag_variants.corpus.chunks import split_into_chunks
from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.pipeline import read_variant
from rag_variants.questions.gold import Gold, Occurrence, locate_evidence
from rag_variants.report.border_words import border_sentences, cut_words, piece_of
from rag_variants.report.chunk_borders import BorderView, borders_html, places_in, view_borders
from rag_variants.types import Chunk, Document, Evidence, Question

# The quote stands at 100 … 150, its key at 140 … 150.
TEXT = "b" * 100 + "q" * 40 + "k" * 10 + "a" * 100
KEYED = Occurrence(1, "d.md", 100, 150, (140, 150))
UNKEYED = Occurrence(1, "d.md", 100, 150)
CUT_BY_2 = "The border of chunk 2 cuts the evidence: the most that one chunk holds is {}%."
RAISE = "Raise the overlap or the chunk size."


def cut(*spans: tuple[int, int], document: str = "d.md", text: str = TEXT) -> list[Chunk]:
    return [Chunk(document, start, end, text[start:end], "en") for start, end in spans]


@pytest.mark.parametrize(
    ("place", "spans", "cut_words", "gold_words"),
    [
        (KEYED, [(0, 90), (90, 250)], "The evidence lies whole inside chunk 2.",
         "Gold for the evidence: chunk 2, as it holds the key whole."),
        (KEYED, [(0, 160), (80, 250)], "The evidence lies whole inside chunks 1 and 2.",
         "Gold for the evidence: chunks 1 and 2, as each holds the key whole."),
        # 100 … 132 of 100 … 150 is 32 ÷ 50 = 64%; the key begins at 140
        (KEYED, [(0, 132), (132, 250)], CUT_BY_2.format(64),
         "Gold for the evidence: chunk 2, as it holds the key whole."),
        # 100 … 145: 45 ÷ 50; the border at 145 is inside the key
        (KEYED, [(0, 145), (145, 250)], CUT_BY_2.format(90),
         f"No chunk is gold for the evidence: a border cuts the key. {RAISE}"),
        (UNKEYED, [(0, 145), (145, 250)], CUT_BY_2.format(90),
         "Gold for the evidence: chunk 1, as it holds half of the quote or more."),
        # 20, 20 and 10 of the quote's 50 characters; the second chunk is all quote
        (UNKEYED, [(0, 120), (120, 140), (140, 250)],
         "The borders of chunks 2 and 3 cut the evidence: the most that one chunk holds is 40%.",
         "Gold for the evidence: chunk 2, as it holds half of the quote or is at least half quote itself."),
        # 20 and 30 of 50
        (UNKEYED, [(0, 120), (120, 250)], CUT_BY_2.format(60),
         "Gold for the evidence: chunk 2, as it holds half of the quote or more."),
        (UNKEYED, [(0, 100), (150, 250)], "No chunk holds any of the evidence.",
         f"No chunk is gold for the evidence: none holds half of the quote or is at least half quote itself. {RAISE}"),
        # blanks at a chunk's end are left out, so that no border stands inside: 49 ÷ 50 = 98%
        (UNKEYED, [(0, 149)], "No chunk holds the evidence whole: the most that one chunk holds is 98%.",
         "Gold for the evidence: chunk 1, as it holds half of the quote or more."),
    ],
)  # fmt: skip
def test_what_borders_do_is_said_with_the_share_and_the_rule(
    place: Occurrence, spans: list[tuple[int, int]], cut_words: str, gold_words: str
) -> None:
    assert border_sentences(place, cut(*spans)) == (cut_words, gold_words)


def test_a_share_is_rounded_down_so_that_what_is_cut_is_never_whole() -> None:
    long = Occurrence(1, "d.md", 0, 1000)
    (words, _) = border_sentences(long, cut((0, 999), (999, 1010), text="x" * 1010))
    assert words.endswith("the most that one chunk holds is 99%.")  # 999 ÷ 1000


def test_many_chunks_are_named_by_their_ends() -> None:
    ten = cut(*((at, at + 10) for at in range(100, 150, 10)))
    assert border_sentences(UNKEYED, ten)[0].startswith("The borders of chunks 2 to 5 cut")


# --- the window


def located(text: str, *evidence: Evidence) -> tuple[Document, Gold]:
    document = Document("d.md", text, "D", "en")
    return document, locate_evidence(Question("q", "?", evidence=evidence), KnowledgeBase("kb", (document,)))


def shown(view: BorderView) -> str:
    """The document's text as it is in the HTML."""
    (block,) = re.findall(r'<div class="kb-text">(.*?)</div>', borders_html(view), re.DOTALL)
    return unescape(re.sub(r"<[^>]*>", "", block))


WORDS = "word " * 400  # 2,000 characters
LONG = f"{WORDS}The label is valid for 10 days. {WORDS}"
QUOTE = Evidence("d.md", "The label is valid for 10 days.", 1, "10 days")


def test_a_long_document_is_shown_around_the_evidence_from_word_to_word() -> None:
    document, gold = located(LONG, QUOTE)
    (place,) = places_in(document, gold)
    view = view_borders(document, cut((1500, 2100), text=LONG), gold, place, around=98)
    # 2,000 − 98 = 1,902 is inside a word; the next one begins at 1,905. The quote ends at 2,031, and 98 later is 2,129,
    # inside "word" from 2,127 to 2,131 (words begin at 2,032 + 5 n), so that it ends after the word before, at 2,126.
    assert (view.start, view.end) == (1905, 2126)
    assert shown(view) == LONG[1905:2126]
    assert view.before == "… 1,905 characters before, the last 405 of them in chunk 1"  # 1,905 − 1,500
    assert view.after == f"… {len(LONG) - 2126:,} characters after"


def test_the_text_stands_still_while_the_chunk_size_moves() -> None:
    document, gold = located(LONG, QUOTE)
    (place,) = places_in(document, gold)
    views = [view_borders(document, split_into_chunks(document, size, 20), gold, place) for size in (60, 200, 900)]
    assert len({(view.start, view.end, shown(view)) for view in views}) == 1
    assert len({view.sentences for view in views}) == 3  # other chunk numbers at each size


def test_a_short_document_is_shown_whole() -> None:
    document, gold = located("Short. The label is valid for 10 days. End.", QUOTE)
    view = view_borders(document, cut((0, 43), text=document.text), gold, places_in(document, gold)[0])
    assert (shown(view), view.before, view.after) == (document.text, "", "")
    assert borders_html(view).startswith('<div class="kb-text">')


def test_evidence_that_is_a_whole_document_is_shown_from_its_beginning() -> None:
    document, gold = located(LONG, Evidence("d.md", "", 1))
    view = view_borders(document, cut((0, 600), text=LONG), gold, places_in(document, gold)[0], around=100)
    assert view.start == 0
    assert 1500 < view.end <= 1500 + 100


def test_text_without_blanks_is_cut_where_it_stands() -> None:
    text = "字" * 500 + "标签有效期为10天" + "字" * 500
    document, gold = located(text, Evidence("d.md", "标签有效期为10天", 1))
    view = view_borders(document, [], gold, places_in(document, gold)[0], around=100)
    assert (view.start, view.end) == (500 - 100, 500 + 9 + 100)
    assert view.sentences[0] == "No chunk holds any of the evidence."


# --- the marks


def spans(html: str) -> list[tuple[str, str]]:
    """Text with its classes; labels as `[2 gold]`."""
    html = re.sub(r'<span class="kb-label [^"]*" data-label="([^"]*)"></span>', r'<span class="">[\1]</span>', html)
    return [(names, unescape(text)) for names, text in re.findall(r'<span class="([^"]*)">(.*?)</span>', html)]


def test_borders_overlap_and_evidence_are_marked_each_in_its_way() -> None:
    text = "0123456789"
    document, gold = located(text, Evidence("d.md", "34567", 1))
    view = view_borders(document, cut((0, 5), (4, 10), text=text), gold, places_in(document, gold)[0])
    # chunk 1 holds 3 and 4, 2 of 5 of the quote and 2 of 5 of itself: a part; chunk 2 holds 4 to 7, 4 of 5: gold
    assert spans(borders_html(view)) == [
        ("", "[1 part]"),
        ("kb-odd", "012"),
        ("kb-odd kb-evidence", "3"),
        ("", "[2 gold]"),
        ("kb-overlap kb-evidence", "4"),
        ("kb-evidence", "567"),
        ("", "89"),
    ]


def test_evidence_is_named_by_its_group_where_an_answer_needs_several() -> None:
    document, gold = located("one two", Evidence("d.md", "two", 2), Evidence("d.md", "one", 1))
    first, second = places_in(document, gold)
    assert (first.group, second.group) == (1, 2)
    view = view_borders(document, cut((0, 3), (4, 7), text="one two"), gold, second)
    assert view.sentences == (
        "Evidence 2 lies whole inside chunk 2.",
        "Gold for evidence 2: chunk 2, as it holds half of the quote or more.",
    )


def test_chunks_of_other_documents_are_neither_shown_nor_counted() -> None:
    document, gold = located("one two", Evidence("d.md", "two", 1))
    (place,) = places_in(document, gold)
    own = cut((0, 3), (4, 7), text="one two")
    other = cut((0, 7), document="c.md", text="one two")
    assert view_borders(document, [*other, *own], gold, place) == view_borders(document, own, gold, place)


def test_a_documents_text_is_data() -> None:
    hostile = '</span><script>alert("x")</script> & <img src=x onerror=y> $x$ {{7}}'
    document, gold = located(f"{hostile} quote {hostile}", Evidence("d.md", "quote", 1))
    view = view_borders(document, split_into_chunks(document, 30, 10), gold, places_in(document, gold)[0])
    assert shown(view) == document.text
    assert set(re.findall(r"<(/?\w+)", borders_html(view))) == {"div", "/div", "span", "/span"}


def test_the_cut_that_is_drawn_is_the_one_that_is_read_and_is_named() -> None:
    small = read_variant("hybrid:chunk_size=200")
    assert (piece_of(small), cut_words(small)) == ("chunk", "at 200 characters a chunk")
    large = read_variant("hybrid:chunk_size=200,parent_size=600")
    assert piece_of(large) == "parent"
    assert cut_words(large) == (
        "at 600 characters a parent, which is what the answer reads; chunks of 200 are searched"
    )
    # 100 … 145: 45 ÷ 50 of the quote; the border at 145 is inside the key
    cut_at, none_gold = border_sentences(KEYED, cut((0, 145), (145, 250)), piece=piece_of(large))
    assert cut_at == "The border of parent 2 cuts the evidence: the most that one parent holds is 90%."
    assert none_gold.endswith("a border cuts the key. Raise the overlap or the parent size.")
