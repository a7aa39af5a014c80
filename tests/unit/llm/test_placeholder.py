"""A placeholder is a valid value of its schema."""

from typing import Literal

import pytest
from pydantic import BaseModel

from rag_variants.llm.placeholder import make_placeholder


class Verdict(BaseModel):
    claim: str
    verdict: Literal[0, 1]


class Verdicts(BaseModel):
    verdicts: list[Verdict]
    score: float
    count: int
    sure: bool


class Odd(BaseModel):
    when: dict[str, str]


def test_every_list_holds_one_item_and_every_choice_is_its_last() -> None:
    made = make_placeholder(Verdicts, "words")
    assert made == Verdicts(verdicts=[Verdict(claim="words", verdict=1)], score=1.0, count=1, sure=True)


def test_a_form_that_is_not_known_is_named() -> None:
    with pytest.raises(TypeError, match="dict"):
        make_placeholder(Odd, "words")
