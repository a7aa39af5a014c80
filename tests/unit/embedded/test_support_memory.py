"""What the embedded judge remembers has a bound; what it leaves out while comparing could not have counted."""

from collections.abc import Sequence

import pytest

from rag_variants.llm.embedding import Vectors
from rag_variants.text.frequencies import TermFrequencies
from rag_variants.text.language import Language
from rag_variants_embedded.judge import support
from rag_variants_embedded.judge.alignment import align, find_columns, matches_at
from rag_variants_embedded.judge.read_passage import read_passage
from rag_variants_embedded.judge.read_sentence import read
from rag_variants_embedded.judge.sought import seek
from rag_variants_embedded.judge.support import SupportJudge
from tests.unit.embedded.test_support import TEXTS, embed

NONE = TermFrequencies(0, {})


class CountedEmbedding:
    """Embeds, and knows how often each text was asked for."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, texts: Sequence[str]) -> Vectors:
        """As `embed`."""
        self.asked += texts
        return embed(texts)


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Judges made from here on remember three of each."""
    for name in ("VERDICTS_CACHED", "STATEMENTS_CACHED", "TEXTS_CACHED"):
        monkeypatch.setattr(support, name, 3)


@pytest.mark.usefixtures("small")
def test_the_memories_of_a_judge_do_not_grow_beyond_their_bound() -> None:
    judge = SupportJudge(embed, NONE)
    for number in range(10):
        judge.judge(f"Gate {number} is open.", [f"Gate {number} is open on weekdays."], language="en")
    for memory in (judge._best_in, judge._seek, judge._rows):
        assert memory.cache_info().currsize == 3


@pytest.mark.usefixtures("small")
def test_what_was_used_last_is_remembered_and_what_was_forgotten_is_worked_out_again() -> None:
    counted = CountedEmbedding()
    judge = SupportJudge(counted, NONE)
    statement, first, others = "Parking is free.", TEXTS["en"], [f"Row {letter} is full." for letter in "ABCD"]
    before = judge.judge(statement, [first], language="en")
    once = len(counted.asked)
    assert judge.judge(statement, [first], language="en") == before
    assert len(counted.asked) == once  # the verdict was at hand
    judge.judge(statement, others, language="en")  # 4 verdicts: one more than are remembered
    made = len(counted.asked)
    assert judge.judge(statement, [first], language="en") == before
    assert len(counted.asked) > made


def test_bounds_hold_a_comparison_and_stay_small() -> None:
    """A question asks about some 10 texts with some 10 statements, a comparison has hundreds of questions."""
    questions, texts, statements = 500, 10, 10
    assert questions * texts * statements <= support.VERDICTS_CACHED
    assert texts + statements <= support.TEXTS_CACHED
    assert support.VERDICTS_CACHED * 0.5 + support.TEXTS_CACHED * 30 <= 70_000  # kB


STATEMENTS: dict[Language, list[str]] = {
    "en": ["Smoking is not permitted in the depot.", "Deliveries come 2 times per day.", "The depot holds 340 casks."],
    "pl": ["Palenie jest zabronione.", "Dostawy są dwa razy dziennie.", "Magazyn mieści 340 beczek."],
    "zh": ["停车不收费。", "仓库可存放三百四十桶。", "每天送货两次。"],
}


@pytest.mark.parametrize("language", ["en", "pl", "zh"])
def test_no_line_that_is_left_out_holds_a_counterpart(language: Language) -> None:
    """Line by line the words are found that comparing every word with every line finds."""
    found = 0
    for text in TEXTS.values():
        passage = read_passage(text, language)
        for statement in STATEMENTS[language]:
            said = read(statement, language)
            columns = find_columns(seek(said, NONE), passage)
            for at, line in enumerate(passage.lines):
                for each, plain in zip(matches_at(at, said, columns), align(said, line.reading), strict=True):
                    assert each.score >= plain.score
                    assert each.nearby or each == plain
                    found += each.score > 0
    assert found
