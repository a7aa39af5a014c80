"""A moved setting in tiles and sentences, and which evidence is cut first."""

import pytest

from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.tuning.tune import Move, tune, tuned_metrics
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.pipeline.chunks import chunks_of, whole_cut
from rag_variants.questions.gold import locate_evidence
from rag_variants.questions.sets import QuestionSet
from rag_variants.report.border_choice import first_cut
from rag_variants.report.gold_moves import gold_moves
from rag_variants.report.move_tiles import retrieval_tiles
from rag_variants.report.move_words import (
    evidence_sentence,
    holdout_words,
    luck_sentence,
    title_sentence,
    verdict_sentence,
)
from rag_variants.types import Evidence, Question
from tests.making import knowledge

# `alpha beta` finds the shorter a.md first; the evidence stands in b.md, second.
TEXTS = {"a.md": "Alpha beta.", "b.md": "Alpha beta opens the long green door behind the house at nine."}
QUOTE = "opens the long green door behind the house"
ASKED = Question("q1", "alpha beta", evidence=(Evidence("b.md", QUOTE, 1),))
BARE = Question("q2", "alpha beta")


def moved(*questions: Question, pin: str = "keyword", now: str = "keyword:top_k=1") -> Move:
    plan = Plan(knowledge(TEXTS), QuestionSet("tiny", questions), tuned_metrics())
    bench = open_bench(plan.knowledge)
    return Move(tune(read_variant(pin), plan, bench), tune(read_variant(now), plan, bench))


def test_a_lost_question_is_in_the_title_and_in_its_tile() -> None:
    move = moved(ASKED)
    assert title_sentence(move, gold_moves(move)) == (
        "keyword: evidence recall 0.00, −1.00 against the pin; 0 questions gained, 1 lost"
    )
    first = retrieval_tiles(move)[0]
    assert (first.name, first.tile.value, first.tile.change, first.verdict, first.shown, first.scored) == (
        "evidence_recall", "0.00", "−1.00", "too few differ", False, "1 of 1"
    )  # fmt: skip
    assert verdict_sentence(move) == (
        "Too few to tell: only 1 question differs in evidence recall, and a verdict needs 7."
    )


def test_text_read_is_described_and_not_judged() -> None:
    tiles = {each.name: each for each in retrieval_tiles(moved(ASKED))}
    before, now = len(TEXTS["a.md"]) + len(TEXTS["b.md"]), len(TEXTS["a.md"])
    read = tiles["context_characters"]
    assert (read.tile.value, read.tile.unit, read.verdict) == (
        f"{now}.0", "characters", f"less, × {now / before:.2f}"
    )  # fmt: skip
    assert not read.shown


def test_the_pin_itself_has_no_delta() -> None:
    move = moved(ASKED, now="keyword")
    assert title_sentence(move, gold_moves(move)) == "keyword: evidence recall 1.00, the pinned setting"
    assert {each.verdict for each in retrieval_tiles(move)} == {""}
    assert verdict_sentence(move) == ""


def test_without_evidence_the_reader_learns_what_to_add() -> None:
    move = moved(BARE)
    assert "no question names its evidence" in title_sentence(move, gold_moves(move))
    assert evidence_sentence(move.now).startswith("None of these 1 questions names evidence.")
    assert evidence_sentence(moved(ASKED).now) == ""
    assert gold_moves(moved(ASKED, BARE))[0].id == "q1"
    assert len(gold_moves(moved(ASKED, BARE))) == 1


@pytest.mark.parametrize(
    ("tried", "here", "luck", "words"),
    [
        (1, 1, None, "1 setting tried on them, 1 in this visit"),
        (
            17, 3, 0.0312,
            "17 settings tried on them, 3 in this visit: the best of 17 equal ones would look +0.03 better in evidence "
            "recall by luck alone",
        ),
    ],
)  # fmt: skip
def test_what_was_tried_stands_beside_luck(tried: int, here: int, luck: float | None, words: str) -> None:
    assert luck_sentence(tried, here, luck) == words


def test_the_holdout_is_told_in_words() -> None:
    assert holdout_words(84, 28, None) == "84 tune questions · 28 held out, unopened"
    assert holdout_words(1, 2, "2026-03-01") == "1 tune question · 2 held out, opened first on 2026-03-01"
    assert holdout_words(3, 0, None) == "3 tune questions · none held out for a final check"


def test_the_first_cut_is_the_first_that_no_chunk_holds_whole() -> None:
    base = knowledge({"a.md": "One two three. " * 2, "b.md": ("Left side words. " * 6).strip()})
    whole = Question("q1", "one", evidence=(Evidence("a.md", "One two three.", 1),))
    long = Question("q2", "left", evidence=(Evidence("b.md", ("Left side words. " * 6).strip(), 1),))
    located = [(each, locate_evidence(each, base)) for each in (whole, long)]
    bench = open_bench(base)
    assert first_cut(located, chunks_of(whole_cut(read_variant("keyword")), bench)) is None
    small = chunks_of(whole_cut(read_variant("keyword:chunk_size=50,chunk_overlap=0")), bench)
    found = first_cut(located, small)
    assert found is not None
    assert found.id == "q2"
