from typing import Literal

import pytest
from pydantic import BaseModel

from rag_variants.llm.structured import read_structured
from rag_variants.llm.thinking import after_thinking


class Verdict(BaseModel):
    verdict: Literal[0, 1]


class Reasoned(Verdict):
    reason: str


@pytest.mark.parametrize(
    "text",
    [
        '<think>perhaps {"verdict": 1}? No.</think>\n```json\n{"verdict": 0}\n```\nHope it helps!',
        '<think>set {a, b}</think>{"verdict": 0}',
        '```json\n{"verdict": 0}\n```',
        '```\n{"verdict": 0}```',
        'Sure: {"verdict": 0}. Ask if {anything} is unclear.',
        'It was {"verdict": 1} in thought </think> {"verdict": 0}',
        '<thinking>{"verdict": 1}</thinking><think>more</think> {"verdict": 0}',
        '\n {"verdict": 0}\n',
        '{"verdict": 0} I repeat: {"verdict": 0}',
    ],
)
def test_the_verdict_is_read_out_of_what_stands_around_it(text):
    assert read_structured(text, Verdict) == Verdict(verdict=0)


@pytest.mark.parametrize(
    "text",
    [
        '<think> never closed\n{"verdict": 0}',
        '<think> perhaps {"verdict": 1}',
        '{"verdict": 1} or rather {"verdict": 0}',
        '{"verdict": 1, "verdict": 0}',
        '{"result": {"verdict": 1}}',
        "{}",
        '{"verdict": null}',
        '{"verdict": 2}',
        '{"verdict": 5.0}',
        '{"verdict": NaN}',
        '{"verdict": 1',
        "1",
        "",
        *(f'{{"verdict": "{word}"}}' for word in ("false", "No", "0", "INCORRECT", "nie", "否")),
        *(f'{{"verdict": "{word}"}}' for word in ("true", "Yes", "1", "CORRECT", "tak", "是")),
        "[" * 100_000,
        '{"verdict":' * 50_000,
    ],
)
def test_what_is_no_single_plain_verdict_is_not_read(text):
    assert read_structured(text, Verdict) is None


def test_marks_inside_a_value_belong_to_the_value():
    text = '{"verdict": 1, "reason": "the page says </think> and ```json {}```"}'
    read = read_structured(text, Reasoned)
    assert read is not None
    assert read.model_dump() == {"verdict": 1, "reason": "the page says </think> and ```json {}```"}


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("<think>x</think>The deposit is 450 EUR.", "The deposit is 450 EUR."),
        ("x</think>\n\nThe deposit.", "The deposit."),
        ("The mark <think> opens, </think> closes.", "The mark <think> opens, </think> closes."),
        ("<think>x</think>", ""),
        ("<think>x", None),
    ],
)
def test_an_answer_starts_after_its_thinking(text, rest):
    assert after_thinking(text) == rest
