"""The four answer styles: what each says, and what holds for all that are registered."""

import json
import os
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from rag_variants.errors import ModelError, VariantError
from rag_variants.llm.declining import DECLINING
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.answer import ANSWERERS, answerer_kind, open_answerer, plain_answerers
from rag_variants.pipeline.answer.prompts import PROMPTS
from rag_variants.pipeline.answer.recordings import is_recorded
from rag_variants.pipeline.query import Query
from rag_variants.pipeline.records import answer_question
from rag_variants.types import Answer, Hit, Question
from tests.making import WordVectors, bench

ROOT = Path(__file__).parents[3]
TEXTS = {
    "loggers.md": "# Loggers\n\nThe warranty on loggers is limited to 3 years. The case is made of grey steel. "
    "Batteries are excluded. The display shows the room. Spare clips come in packs of 10.",
    "parking.md": "Visitors park their cars behind the northern gate of the building in Ashcombe Bay.",
    "zwrot.md": "Zwrot jest możliwy w ciągu 14 dni od dostawy. Magazyn mieści się w Gdyni. Paczki ważymy przy bramie.",
    "parking-pl.md": "Goście parkują samochody za północną bramą budynku, obok dużego magazynu.",
    "token.md": "令牌的有效期为180天。密码不少于14位。每个系统使用单独的令牌。门禁卡在前台领取。",
    "parking-zh.md": "来访者的车辆停放在大楼北门后面的停车场内。",
}
ASKED = ("How long is the warranty on loggers?", "Ile dni trwa zwrot od dostawy?", "令牌的有效期是多久？")
SETTINGS = "keyword:top_k=1,candidates=5"


def answer(spec: str, question: str, **settings: object) -> Answer:
    place = bench(TEXTS)
    variant = replace(read_variant(SETTINGS), answerer=spec, **settings)
    record = answer_question(variant, Question("q", question), place, open_answerer(variant, place))
    assert record.error is None
    assert record.answer is not None
    return record.answer


def inventive(question: str, temperature: float, prompt: str = "free") -> Answer:
    return answer("embedded:inventive", question, prompt=prompt, temperature=temperature)


@pytest.mark.parametrize("question", ASKED)
def test_a_digest_says_other_sentences_of_the_section_word_for_word(question: str):
    extract, digest = answer("embedded", question), answer("embedded:digest", question)
    said = [line.rsplit(" [", 1)[0] for line in digest.text.splitlines()]
    assert not extract.declined
    assert not digest.declined
    assert 1 <= len(said) <= 3
    assert not set(said) & {line.rsplit(" [", 1)[0] for line in extract.text.splitlines()}
    assert all(any(sentence in text for text in TEXTS.values()) for sentence in said)
    assert digest.citations == (1,)
    assert (digest.simulated, digest.faults) == (False, ())


def test_a_digest_says_what_shares_least_with_the_question_in_the_order_of_the_text():
    assert answer("embedded:digest", ASKED[0]).text.splitlines() == [
        "The case is made of grey steel. [1]",
        "Batteries are excluded. [1]",
        "The display shows the room. [1]",
    ]


def test_a_digest_retells_where_the_extract_declines():
    question = "How heavy is a logger of the model ERR-77 with clips?"
    assert answer("embedded", question).declined
    assert not answer("embedded:digest", question).declined


def test_a_digest_declines_where_nothing_is_left_to_retell():
    place = bench({"a.md": "The warranty on loggers is limited to 3 years."})
    variant = read_variant("keyword:top_k=1,answerer=embedded:digest")
    ready = open_answerer(variant, place)
    hits = variant.rank(Query(ASKED[0]), place)
    assert ready.answer(ASKED[0], hits) == Answer(DECLINING["en"], declined=True, cost_usd=0.0)
    assert ready.answer("Ile to trwa?", ()) == Answer(DECLINING["pl"], declined=True, cost_usd=0.0)


@pytest.mark.parametrize("question", [*ASKED, "Who painted the ceiling?"])
def test_nothing_is_invented_at_temperature_0_or_under_the_grounded_prompt(question: str):
    extract = answer("embedded", question)
    assert inventive(question, 0.0) == extract
    assert inventive(question, 2.0, prompt="grounded") == extract


@pytest.mark.parametrize("question", ASKED)
def test_every_sentence_that_can_carry_a_fault_has_one_at_1_and_the_key_to_it(question: str):
    extract, invented = answer("embedded", question), inventive(question, 1.0)
    lines = [line.rsplit(" [", 1)[0] for line in extract.text.splitlines()]
    assert invented.simulated
    assert len(invented.faults) == len(lines)
    for fault in invented.faults:
        assert fault.said in invented.text
        assert fault.said != fault.source
        assert fault.source in lines if fault.kind != "elsewhere" else fault.source is None
        assert fault.said not in extract.text
    assert invented.citations == extract.citations


@pytest.mark.parametrize("question", ASKED)
def test_at_2_a_sentence_has_two_faults_that_do_not_cancel_each_other(question: str):
    invented = inventive(question, 2.0)
    kinds = [fault.kind for fault in invented.faults]
    assert len(kinds) == 2 * len(answer("embedded", question).text.splitlines())
    assert "elsewhere" in kinds  # with a number changed, `not` could make the sentence true again


def test_a_higher_temperature_keeps_the_faults_of_a_lower_one():
    questions = [f"How long is the warranty on loggers{' really' * count}?" for count in range(12)]
    counts = []
    for question in questions:
        faults = [set(inventive(question, temperature).faults) for temperature in (0.25, 0.5, 1.0)]
        assert faults[0] <= faults[1] <= faults[2]
        counts.append([len(each) for each in faults])
    assert 0 < sum(count[1] for count in counts) < sum(count[2] for count in counts)


@pytest.mark.parametrize(("question", "language"), [("Who painted the ceiling?", "en"), ("谁画了天花板？", "zh")])
def test_the_inventive_answerer_declines_where_the_extract_does(question: str, language: str):
    declined = inventive(question, 2.0)
    assert (declined.text, declined.declined, declined.simulated) == (DECLINING[language], True, False)


PROGRAM = """
import json, sys
from tests.unit.embedded.test_answer_styles import ASKED, inventive
print(json.dumps([[f.kind, f.said] for q in ASKED for t in (0.5, 1.0, 2.0) for f in inventive(q, t).faults]))
"""


def test_the_same_faults_are_planted_in_every_process():
    shown = []
    for seed in ("1", "4242"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1"}
        made = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, encoding="utf-8", check=True,
                              cwd=ROOT, env=environment)  # fmt: skip
        shown.append(json.loads(made.stdout))
    here = [[fault.kind, fault.said] for q in ASKED for t in (0.5, 1.0, 2.0) for fault in inventive(q, t).faults]
    assert shown == [here, here]
    assert here


@pytest.mark.parametrize("spec", plain_answerers())
def test_contract_of_every_style(spec: str):
    place = bench(TEXTS)
    variant = replace(read_variant(SETTINGS), answerer=spec, prompt="free", temperature=1.0)
    ready = open_answerer(variant, place)
    assert ANSWERERS[spec].summary
    assert ANSWERERS[spec].reads <= {"prompt", "temperature"}
    assert variant.ignored_settings() & {"prompt", "temperature"} == {"prompt", "temperature"} - ANSWERERS[spec].reads
    for question in (*ASKED, "", "Who painted the ceiling?"):
        hits: tuple[Hit, ...] = tuple(variant.rank(Query(question), place))[:2]
        first = ready.answer(question, hits)
        assert first == ready.answer(question, hits)
        assert first.text.strip()
        assert first.cost_usd == 0.0
        assert set(first.citations) <= {hit.rank for hit in hits}
        assert ready.answer(question, ()).declined


@pytest.mark.parametrize("spec", [spec for spec in plain_answerers() if spec != "embedded"])
def test_no_style_embeds_more_than_the_extract(spec: str):
    asked = []
    for each in ("embedded", spec):
        model = WordVectors()
        place = bench(TEXTS, model)
        variant = replace(read_variant(SETTINGS), answerer=each, prompt="free", temperature=2.0)
        ready = open_answerer(variant, place)
        for question in (*ASKED, "What does ERR-77 mean for loggers?"):
            answer_question(variant, Question("q", question), place, ready)
        asked.append(set(model.asked))
    assert asked[1] <= asked[0]


@pytest.mark.parametrize("prompt", list(PROMPTS))
def test_every_prompt_has_a_line_and_is_taken(prompt: str):
    assert PROMPTS[prompt].summary
    assert PROMPTS[prompt].text
    assert read_variant(f"hybrid:prompt={prompt}").prompt == prompt


@pytest.mark.parametrize("spec", ["embedded:digst", "recorded:", "recorded:../x", "recorded:.x", "recorded:a/b", "gpt"])
def test_an_unknown_answerer_lists_the_known(spec: str):
    with pytest.raises(
        VariantError, match=r"embedded:inventive, recorded:NAME \(of letters A to Z, digits, `.`, `_` and `-`\)"
    ):
        read_variant(f"keyword:answerer={spec}")
    with pytest.raises(ModelError, match=r"Known: .*recorded:NAME"):
        answerer_kind(spec)


def test_a_recording_is_written_by_its_name():
    assert is_recorded("recorded:a.B_c-1")
    assert read_variant("keyword:answerer=recorded:a.B_c-1").ignored_settings() >= {"prompt", "temperature"}
