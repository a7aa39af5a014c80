"""Whether a server read prompts whole, by what it counted: ordinary counts raise no alarm, those of a window do."""

import asyncio

import pytest

from rag_variants.errors import CallError
from rag_variants.llm.prompts_read import PromptsRead, fewest_tokens
from tests.stub import Request, Stub, completion
from tests.unit.llm.conftest import say

# A sentence each, and the characters that a token of today's tokenizers has in it: the fewest and the most.
ENGLISH = "Guests may return the keys at the reception desk until eleven o'clock on the day of departure, case {}. "
POLISH = "Goście mogą zwrócić klucze w recepcji do godziny jedenastej w dniu wyjazdu, nie później, sprawa {}. "
CHINESE = "客人须在离店当天上午十一点之前把钥匙交还前台，逾期将另行收取费用，第{}项规定。"
SCRIPTS = {"en": (ENGLISH, 4.0, 5.0), "pl": (POLISH, 2.5, 4.2), "zh": (CHINESE, 0.9, 1.9)}


def written(language: str, length: int, number: int = 0) -> str:
    """A prompt of about so many characters; another number is another prompt."""
    sentence = SCRIPTS[language][0]
    return "".join(sentence.format(number * 1000 + at) for at in range(length // len(sentence) + 1))[:length]


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("thrift", [1, 2], ids=["wordy", "thrifty"])
def test_whole_prompts_raise_no_alarm(language, thrift):
    rate = SCRIPTS[language][thrift]
    read = PromptsRead()
    for at, length in enumerate(range(1_000, 30_000, 1_000)):
        assert not read.hear(written(language, length, at), round(length / rate))
    assert read.note is None


@pytest.mark.parametrize("language", SCRIPTS)
def test_one_prompt_far_beyond_the_count_is_noted(language):
    """The window holds 2,048 tokens; the prompt makes three times as many even to the thriftiest."""
    length = round(3 * 2048 * SCRIPTS[language][2])
    read = PromptsRead()
    assert read.hear(written(language, length), 2048), "certainly"
    assert read.note == (
        "the server seems to have cut 1 prompt: it counted 2,048 tokens at most. Raise its context length "
        "(Ollama: num_ctx), or use fewer or smaller chunks"
    )


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("window", [2048, 4096, 2050, 16387])
def test_unlike_prompts_with_one_count_are_noted(language, window):
    """A fifth to a half more than the window: too little to be seen in one of them alone. Shorter ones were whole."""
    rate = SCRIPTS[language][1] * 1.1
    read = PromptsRead()
    for at, factor in enumerate((0.5, 0.8, 1.2, 1.35, 1.5)):
        length = round(window * factor * rate)
        assert not read.hear(written(language, length, at), min(window, round(length / rate)))
    note = read.note
    assert note is not None
    assert f"seems to have cut 3 prompts: it counted {window:,} tokens at most" in note


def test_the_same_prompt_again_is_one_prompt():
    read = PromptsRead()
    for _ in range(5):
        read.hear(written("en", 9_000), 2_000)
    assert read.note is None


ORDINARY = {
    "no count": [(4_000, None), (9_000, None)],
    "one fake count for all": [(500, 1), (40_000, 1), (9_000, 1)],
    "a count that is small": [(4_000, 7), (9_000, 7), (12_000, 7)],
    "short prompts under a constant": [(300, 512), (400, 512), (500, 512)],
    "what was read before left out": [(12_000, 3_000), (12_000, 310), (13_000, 560), (16_000, 4_000)],
    "prompts of one length": [(8_000, 2_000), (8_010, 2_000), (8_020, 2_000)],
    "two alike by chance": [(8_000, 2_001), (9_000, 2_001), (4_000, 1_000)],
}


@pytest.mark.parametrize("counts", ORDINARY.values(), ids=ORDINARY)
def test_ordinary_servers_raise_no_alarm(counts):
    read = PromptsRead()
    for at, (length, counted) in enumerate(counts):
        assert not read.hear(written("en", length, at), counted)
    assert read.note is None


@pytest.mark.parametrize(
    "text",
    ["|---|---|\n" * 2_000, "=" * 20_000, " \n" * 20_000, "a\t\t\t\t\t\tb" * 3_000],
    ids=["rule", "line", "blank", "tabs"],
)
def test_signs_in_a_row_make_few_tokens(text):
    """Tokenizers have tokens for runs of one sign, so the length of such a text says little."""
    assert fewest_tokens(text) <= len(text) / 4


# The same through a model.


def reading(window: int, rate: float, cached: int | None = None):
    def fault(request: Request):
        answer = completion("ok")
        counted = min(window, round(len(request.prompt) / rate))
        answer.body["usage"]["prompt_tokens"] = counted
        if cached is not None:
            answer.body["usage"]["prompt_tokens_details"] = {"cached_tokens": min(cached, counted)}
        return answer

    return fault


@pytest.mark.parametrize("language", SCRIPTS)
def test_a_model_says_that_its_prompts_were_cut_also_when_replies_were_kept(connect, language):
    """Prompts of 1.2 to 1.5 windows of 2,048 tokens."""
    rate = SCRIPTS[language][1] * 1.1
    prompts = [written(language, round(2048 * factor * rate), at) for at, factor in enumerate((1.2, 1.3, 1.4, 1.5))]
    with Stub(faults=(reading(2048, rate),)) as stub:
        for _ in range(2):
            model = connect(stub.url)
            for prompt in prompts:
                assert asyncio.run(model.ask(say(prompt))).text == "ok"
            (note,) = model.notes
            assert "cut 4 prompts" in note and "num_ctx" in note
    assert len(stub.requests) == 4


@pytest.mark.parametrize("language", SCRIPTS)
@pytest.mark.parametrize("cached", [None, 1_024])
def test_a_model_whose_prompts_were_read_whole_says_nothing(connect, language, cached):
    rate = SCRIPTS[language][2]
    with Stub(faults=(reading(1_000_000, rate, cached),)) as stub:
        model = connect(stub.url)
        for at in range(4):
            asyncio.run(model.ask(say(written(language, 6_000 + 2_000 * at, at))))
    assert model.notes == ()


@pytest.mark.parametrize("language", SCRIPTS)
def test_a_reply_to_a_part_of_the_prompt_is_not_used(connect, language):
    length = round(4 * 2048 * SCRIPTS[language][2])
    with Stub(faults=(reading(2048, 1.0),)) as stub:
        model = connect(stub.url)
        with pytest.raises(CallError, match="read 2048 tokens of a prompt of") as caught:
            asyncio.run(model.ask(say(written(language, length))))
    assert (caught.value.kind, len(stub.requests)) == ("cut", 1)
    assert "num_ctx" in str(caught.value)
    assert "cut 1 prompt" in model.notes[0]


def test_a_run_says_on_its_side_that_prompts_were_cut(house):
    """One chunk fits the window of 1,024 tokens (3,000 characters / 4.4 = 682), three do not (5,000 / 4.4 = 1,136)."""
    for at in range(1, 5):
        text = written("en", 700 + 300 * at, at)
        (house.folder / "kb" / f"{at}.md").write_text(
            f"The stay q0{at} q0{at} q0{at % 4 + 1} in house {at}. {text}\n", encoding="utf-8"
        )
    with Stub(lambda request: "The stay is 3 days [1].", faults=(reading(1024, 4.4),)) as stub:
        house.settle(stub)
        a, b = (f"keyword:answerer=house:writer,chunk_size=2000,top_k={top_k}" for top_k in (1, 3))
        shown = house.run("compare", a, b, questions=4, metrics="retrieval,answer")
    notes = [note for note in shown.document["warnings"] if "seems to have cut" in note]
    assert notes, shown.document["warnings"]
    assert all(note.startswith("B: house:writer: the server seems to have cut ") for note in notes)
