"""What every metric keeps, whoever brings it: nothing here knows one by name."""

import asyncio
import dataclasses
import json
import math

import pytest

from rag_variants.metrics import METRICS
from rag_variants.metrics.cases import Cases, make_metric
from rag_variants.metrics.laboratory import score_entered, write_sum
from rag_variants.text.language import LANGUAGES
from rag_variants.types import Answer, Question, Record, Score
from tests.scripted import ScriptedJudge, make_chunk, make_gold, make_hits, make_subject, score
from tests.unit.metrics.plugin_metric import BREAKING, SHORT

GOLD = make_gold((1, "a.md", 0, 10), (2, "b.md", 0, 10))
TEXT = make_chunk("The deposit is 450 EUR. It is paid back.")
NOISE = make_chunk("Cats purr all day long.", 0, "noise.md")
KNOWN = {
    "reference": "The deposit is 450 EUR. It is paid back in May.",
    "answerable": True,
    "answer_keys": (("450 EUR",), ("May",)),
    "avoid": ("500 EUR",),
    "gold": GOLD,
    "gold_in_knowledge": 2,
}
SAID = "The deposit is 450 EUR. It is paid back in June."
VERDICTS = {"One.": 1, "Two.": 0, "Three.": "unsure"}
JUDGE = ScriptedJudge(
    statements={text: tuple(VERDICTS) for text in (SAID, KNOWN["reference"])},
    verdicts=VERDICTS,
    useful={TEXT.text: 1},
    questions={SAID: ("What is the deposit?", 0)},
    vectors={"What is the deposit?": (1.0, 0.0), SAID: (0.8, 0.6)},
)
TIMES = {"timing_ms": {"rank": 2.0, "answer": 3.0}}
USUAL = make_subject(TEXT, NOISE, answer=Answer(SAID, cost_usd=0.01), judge=JUDGE, **KNOWN, **TIMES)

SUBJECTS = {
    "usual": USUAL,
    "no hit is gold": make_subject(NOISE, answer=SAID, judge=JUDGE, **KNOWN),
    "nothing retrieved": make_subject(answer=SAID, judge=JUDGE, **KNOWN),
    "nothing at all": make_subject(),
    "nothing at all, with a judge": make_subject(judge=JUDGE),
    "declined": make_subject(TEXT, answer=Answer("No.", declined=True), judge=JUDGE, **KNOWN),
    "empty answer": make_subject(TEXT, answer="  ", judge=JUDGE, **KNOWN),
    "only a citation": make_subject(TEXT, answer="[1]", judge=JUDGE, **KNOWN),
    "unanswerable": make_subject(TEXT, answer=SAID, judge=JUDGE, **{**KNOWN, "answerable": False}),
    "unanswerable, declined": make_subject(
        TEXT, answer=Answer("No.", declined=True), judge=JUDGE, **{**KNOWN, "answerable": False}
    ),
    "nothing known": make_subject(TEXT, answer=SAID, judge=JUDGE),
    "blank reference": make_subject(TEXT, answer=SAID, judge=JUDGE, **{**KNOWN, "reference": "  "}),
    "keys without alternatives": make_subject(TEXT, answer=SAID, judge=JUDGE, **{**KNOWN, "answer_keys": ((),)}),
    "evidence in no document": make_subject(TEXT, answer=SAID, judge=JUDGE, **{**KNOWN, "gold": make_gold()}),
    "failed": make_subject(error="It failed.", judge=JUDGE, **KNOWN),
    "answering failed": make_subject(TEXT, error="It failed.", judge=JUDGE, **KNOWN),
    "no judge": make_subject(TEXT, answer=SAID, **KNOWN),
    "judge fails": make_subject(TEXT, answer=SAID, judge=ScriptedJudge(failing=frozenset({"q1"})), **KNOWN),
    "verdict out of range": make_subject(TEXT, answer=SAID, judge=ScriptedJudge(verdicts={SAID: 7}), **KNOWN),
    "a verdict is missing": make_subject(TEXT, answer=SAID, judge=ScriptedJudge(drop=1), **KNOWN),
    "hostile text": make_subject(
        make_chunk("\x00\ud800 <b>$x$</b>"), answer="\u202e[1] ‹2026›", judge=ScriptedJudge(), **KNOWN
    ),
}
ALL = pytest.mark.parametrize("name", METRICS)


def span(metric):
    """The bounds of a metric: a share, a mean of cosines, or an amount without a bound above."""
    similarity = "embeddings" in metric.needs
    return (-1.0 if similarity else 0.0, 1.0 if metric.tested else math.inf)


@ALL
@pytest.mark.parametrize("case", SUBJECTS)
def test_a_score_is_in_bounds_or_says_why_there_is_none(name, case):
    metric = METRICS[name]
    made = score(metric, SUBJECTS[case])

    assert isinstance(made, Score)
    low, high = span(metric)
    if made.value is None:
        assert made.reason or made.error
    else:
        assert made.error is None and low <= made.value <= high
        assert made.value == round(made.value, 9)
    json.dumps([made.value, made.reason, made.detail, made.error], allow_nan=False)


@ALL
def test_an_error_is_no_value_and_what_is_missing_is_no_error(name):
    metric = METRICS[name]
    failing = score(metric, SUBJECTS["judge fails"])
    assert (failing.error is not None) is ("judge" in metric.needs), "only who asks a judge can fail by it"
    assert score(metric, SUBJECTS["nothing at all"]).error is None
    assert score(metric, SUBJECTS["failed"]).error or not metric.tested or "hits" not in metric.needs
    for need, case in {
        "reference": "blank reference",
        "keys": "keys without alternatives",
        "judge": "no judge",
    }.items():
        if need in metric.needs:
            assert score(metric, SUBJECTS[case]).value is None


@ALL
def test_the_usual_record_has_a_value_and_the_same_one_twice(name):
    made = score(METRICS[name], USUAL)
    assert made.value is not None, made
    assert score(METRICS[name], USUAL) == made


@ALL
@pytest.mark.parametrize("case", SUBJECTS)
def test_the_sum_gives_the_value_back(name, case):
    metric = METRICS[name]
    made = score(metric, SUBJECTS[case])
    worked = metric.worked(made)
    if worked is None:
        assert metric.work_out is None or not made.detail or made.value is None
        return
    assert worked.value == pytest.approx(made.value, abs=2e-9)
    assert worked.formula and worked.numbers
    assert worked.is_sum or worked.value in (0.0, 1.0)


@ALL
def test_a_metric_with_a_detail_works_it_out(name):
    metric = METRICS[name]
    detail = score(metric, USUAL).detail
    assert (metric.work_out is not None) is bool(detail)


@ALL
def test_what_cannot_be_worked_out_is_left_out(name):
    """A score of an old run, of a rule, or of nobody stays readable."""
    metric = METRICS[name]
    assert metric.worked(Score(0.5, None, {"of": "another version"})) is None
    assert metric.worked(Score(0.0, "the answer declined")) is None
    assert metric.worked(Score(None, "why", {"claims": []})) is None


@ALL
def test_mechanical_is_what_moves_though_nothing_more_is_found(name):
    """The same evidence, the same answer, the same verdicts; only text without evidence is read besides."""
    metric = METRICS[name]
    record = USUAL.record
    hits = make_hits(TEXT, NOISE, make_chunk("Dogs bark.", 0, "c.md"), make_chunk("Fish swim.", 0, "d.md"))
    longer = dataclasses.replace(USUAL, record=dataclasses.replace(record, hits=hits, ranking=hits))
    moved = score(metric, longer).value != score(metric, USUAL).value
    assert moved is metric.mechanical


@ALL
def test_its_words_are_there_in_three_languages(name):
    metric = METRICS[name]
    own = name in {each.name for each in METRICS.built_in}
    for by_language in filter(None, (metric.words, metric.keyless)):
        assert not own or set(by_language) == set(LANGUAGES)
        for language, words in by_language.items():
            assert words.label and words.line and words.help.startswith(words.line)
            assert not own or words.unseen, "it says what it does not see"
            stop = "。" if language == "zh" else "."
            assert all(text.endswith(stop) for text in words[1:] if text)
    assert metric.label != metric.name
    assert (metric.group == "Effort") is (metric.set == "effort") is not metric.tested
    assert metric.higher_is_better is metric.tested
    assert metric.tested is not bool(metric.unit), "an effort has a unit, a share has none"


@ALL
def test_its_verdicts_stand_where_it_says(name):
    metric = METRICS[name]
    where, made = metric.verdicts, score(metric, USUAL)
    if where is None:
        return
    marks = where.marks(made.detail)
    assert marks and all(each[where.mark] in (0, 1) for each in made.detail[where.key])
    if where.share:
        assert made.value == pytest.approx(sum(marks) / len(marks))
        assert made.detail["strict"] == pytest.approx(made.value)
    if where.about == "chunk":
        assert [each["rank"] for each in made.detail[where.key]] == list(range(1, len(marks) + 1))
        assert [each["chunk_id"] for each in made.detail[where.key]] == [hit.chunk.id for hit in USUAL.record.hits]
    assert bool(where.moves) is bool(where.yes) is ("judge" in metric.needs)
    assert where.moves or not where.question
    assert ("order" in where.moves) is (bool(where.moves) and where.about == "chunk")
    assert ("similarity" in where.moves) is (where.about == "reading")


@pytest.mark.parametrize(
    "name", [name for name, metric in METRICS.items() if metric.verdicts and metric.verdicts.moves]
)
def test_what_the_laboratory_moves_is_scored_by_the_metric(name):
    from rag_variants.judges.entered import GeneratedQuestion

    readings = "similarity" in METRICS[name].verdicts.moves
    entered = ((), (GeneratedQuestion(0.9), GeneratedQuestion(0.5))) if readings else ((True, False, True), ())
    made = asyncio.run(score_entered(name, *entered))
    assert made.error is None
    worked = METRICS[name].worked(made)
    assert worked.value == pytest.approx(made.value, abs=2e-9)
    assert write_sum(name, *entered) == worked.numbers
    assert asyncio.run(score_entered(name)).value is None, "nothing entered is not scored"


def test_a_metric_of_another_package_needs_english_alone():
    assert (SHORT.term, SHORT.mechanical, SHORT.quick, SHORT.headline, SHORT.verdicts) == ("", False, False, None, None)
    assert SHORT.help == "1 for a short answer."
    assert SHORT.worked(Score(0.5, None, {"a": 1})) is None


def test_a_bug_of_a_metric_is_no_answer_of_the_judge():
    """An exception that no judge raises comes through, with its name, to whoever makes the row: see test_run."""
    with pytest.raises(KeyError, match="gone"):
        score(BREAKING, USUAL)


def test_what_a_metric_asks_for_is_checked_before_it_measures():
    asking = make_metric(
        "asking", ("more", "Found it?"), ("A", "B."), lambda _: Score(1.0), Cases(frozenset({"judge"}))
    )
    assert score(asking, make_subject()).reason == "no judge is chosen"
    assert isinstance(Record(Question("q", "?")), Record)
