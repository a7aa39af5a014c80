"""No setting can lie: beside any other variant, before or after it, a variant gives what it gives alone."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date
from typing import Any, ClassVar, get_args

import numpy as np
import pytest

from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.errors import VariantError
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline import VARIANTS, Pipeline, Variant, read_variant
from rag_variants.pipeline.bench import Bench, open_bench
from rag_variants.pipeline.chunks import chunks_of, whole_cut
from rag_variants.pipeline.expand.multi_query import Wordings
from rag_variants.pipeline.retrieve.keyword import KeywordSettings
from rag_variants.pipeline.retrieve.vector import VECTOR, vector_index
from rag_variants.pipeline.setting import Stage, setting, settings_of
from rag_variants.pipeline.stage_key import INPUTS, StageKey, _stage_key, stage_key
from rag_variants.pipeline.stages import search
from rag_variants.types import Hit, Question
from tests.making import WordVectors, document
from tests.scripted_chat import Asked, ScriptedChat

TODAY = date(2026, 6, 1)
BASE = KnowledgeBase(
    "keys",
    (
        document(
            "a.md",
            "# Refunds\n\nThe refund desk opens at 9:00. Refunds take 14 days after the parcel came back.\n\n"
            "A refund below 5 euros is paid in cash at the desk. The desk closes at 17:00 and the bell rings twice.\n\n"
            "Parcels that are damaged are refunded whole, with the postage. Ask for form R7.",
        ),
        document(
            "b.md",
            "# Old refunds\n\nThe refund desk opens at 8:00. Refunds take 30 days after the parcel came back.\n\n"
            "A refund below 5 euros is paid in cash at the desk. The desk closes at 16:00 and the bell rings once.",
            valid_until=date(2025, 1, 1),
        ),
        document(
            "c.md", "# Parcels\n\nA parcel weighs 20 kg at most. Parcel parcel parcel: ask for form P1 at the desk."
        ),
        document("d.md", "# Holidays\n\nOn holidays the whole house is closed, and no desk opens. The bell is silent."),
        document("e.md", "# Holidays\n\nOn holidays the whole house is closed, and no desk opens. The bell is mute."),
        document("f.md", " ".join(f"Form {at} is red. Ask at desk {at}. Bell {at} rings." for at in range(1, 12))),
    ),
)
QUESTIONS = (
    "When does the refund desk open?",
    "How long does a refund of a damaged parcel take?",
    "Which form?",
    "Is the bell silent on holidays?",
)
WRITTEN = ("stub:one", "stub:two")  # models that write unlike things


SMALL: dict[str, Any] = {"chunk_size": 100, "chunk_overlap": 25, "candidates": 8, "top_k": 3}
# Settings of the answer that do something together.
TOGETHER: dict[str, dict[str, Any]] = {"temperature": {"prompt": "free"}, "prompt": {"temperature": 1.0}}


class Encoder(WordVectors):
    """Another one for each spec."""

    def __init__(self, spec: str) -> None:
        super().__init__()
        self.name, self._turn = f"embedded:{spec}", sum(map(ord, spec)) % 7

    def _vector(self, text: str) -> Any:
        return np.roll(super()._vector(text[self._turn :]), self._turn)


def writer(spec: str, _: float | None) -> ScriptedChat:
    """A chat model that writes by its name."""
    word = "holidays bell" if spec == WRITTEN[0] else "parcel weighs"

    def reply(call: Asked) -> dict[str, Any]:
        return {"wordings": [word]} if call.schema is Wordings else {"passage": f"It is about {word}."}

    return ScriptedChat(reply, spec)


def make_bench() -> Bench:
    encoders: dict[str, CachedEmbeddings] = {}
    return replace(
        open_bench(BASE, TODAY, encoders=lambda s: encoders.setdefault(s, CachedEmbeddings(Encoder(s), None, None))),
        open_writer=writer,
    )


def outcome(variant: Variant, place: Bench) -> list[Any]:
    """All that a variant makes of the questions, without the times."""
    recorder = variant.open(place)

    async def here(step: Callable[[], Any]) -> Any:
        return step()

    async def make() -> list[Any]:
        found: list[Any] = [chunks_of(whole_cut(variant), place), sorted(variant.texts_by_encoder(place).items())]
        if VECTOR in variant.retrievers:  # a graph over so few vectors finds what the exact search finds
            found.append(vars(vector_index(variant, place)._neighbours).get("links"))
        for text in QUESTIONS:
            record = await recorder.answer(await recorder.retrieve(Question(text, text), here), here)
            assert record.error is None, record.error
            found.append((tuple(record.ranking), record.hits, record.answer, record.expansion, record.passed_over))
        return found

    return asyncio.run(make())


def outcome_alone(variant: Variant) -> list[Any]:
    """The same where nothing is remembered of others."""
    _stage_key.cache_clear()
    return outcome(variant, make_bench())


def values_of(variant: Variant, name: str) -> Iterator[Any]:
    """Values of a setting: its choices, both ends of a switch, or numbers over its range."""
    declared, texts = settings_of(variant)[name]
    if isinstance(declared.default, bool):
        yield from (False, True)
    elif texts.choices:
        yield from (*texts.choices, *(WRITTEN if name == "expander" else ()))
    else:
        numbers = {declared.default, texts.minimum, *texts.tries, *texts.possible(variant)[1::5]}
        yield from sorted(type(declared.default)(each) for each in numbers if each is not None)[:7]


def alternatives(kind: type[Variant], name: str) -> list[Variant]:
    """Variants that differ in a setting alone, in surroundings where it does something."""
    found = []
    for start in surroundings(kind, name):
        for value in values_of(start, name):
            try:
                found.append(replace(start, **{name: value}))
            except VariantError:  # this value does not go with the others
                continue
    return list(dict.fromkeys(found))


def surroundings(kind: type[Variant], name: str) -> Iterator[Variant]:
    """The smallest variants in which a setting is read."""
    start = kind(**{key: value for key, value in SMALL.items() if key in settings_of(kind)})
    deciding = start.ignored_by().get(name)
    for value in (None,) if deciding is None else values_of(start, deciding):
        more = dict(TOGETHER.get(name, {})) | ({} if deciding is None else {deciding: value})
        if more.get("expansion", value if deciding == "expansion" else None) or name == "expansion":
            more.setdefault("expander", WRITTEN[0])
        try:
            found = replace(start, **more)
        except VariantError:
            continue
        if name not in found.ignored_settings():
            yield found


EVERY = [(kind, name) for kind in VARIANTS.values() for name in settings_of(kind)]


def lies(alone: Mapping[Variant, list[Any]]) -> list[Variant]:
    """Which of some variants are not themselves on one bench, in this order, in reverse, and again."""
    _stage_key.cache_clear()
    shared = make_bench()
    order = (*alone, *reversed(alone), *alone)
    return [each for each in order if outcome(each, shared) != alone[each]]


@pytest.mark.parametrize(("kind", "name"), EVERY, ids=[f"{kind.name}-{name}" for kind, name in EVERY])
def test_a_setting_gives_beside_any_other_value_what_it_gives_alone(kind, name):
    alone = {each: outcome_alone(each) for each in alternatives(kind, name)}
    assert any(each != next(iter(alone.values())) for each in alone.values()), f"nobody could see {name} lie here"
    assert lies(alone) == []


# What is expanded and selected enters the next stage as a value, and no result is cached by these settings.
CACHED_BY = [(kind, name) for kind, name in EVERY if settings_of(kind)[name][1].stage not in ("query", "select")]


# One reranker beside `off` has nobody to be mistaken for, and a graph's other settings tell it from an exact search.
TOLD_APART = {"reranker", "vectors_in"}


@pytest.mark.parametrize(("kind", "name"), CACHED_BY, ids=[f"{kind.name}-{name}" for kind, name in CACHED_BY])
def test_it_is_seen_when_a_key_forgets_a_setting(monkeypatch, kind, name):
    """Keys that are equal although the setting differs."""
    alone = {each: outcome_alone(each) for each in alternatives(kind, name)}
    remember = StageKey.__init__

    def forget(self: StageKey, values: Mapping[str, Any], stages: Any) -> None:
        remember(self, values, stages)
        object.__setattr__(self, "_hash", hash(tuple(sorted((k, v) for k, v in values.items() if k != name))))

    monkeypatch.setattr(StageKey, "__init__", forget)
    monkeypatch.setattr(
        StageKey, "__eq__", lambda self, other: isinstance(other, StageKey) and hash(self) == hash(other)
    )
    try:
        assert lies(alone) or name in TOLD_APART
    finally:
        _stage_key.cache_clear()


@dataclass(frozen=True, kw_only=True)
class Tempted(Pipeline):
    """Ranks by a setting of a later stage, which no key of a ranking holds."""

    name: ClassVar[str] = "tempted"
    title: ClassVar[str] = "Tempted"
    summary: ClassVar[str] = "Reads what it must not."
    late: int = setting(1, stage="answer", label="Late", help="Belongs to the answer.", minimum=1, maximum=9, step=1)

    def rank(self, query, bench):
        chunks = chunks_of(self, bench)
        chunk = chunks[(self.late + self.top_k) % len(chunks)]
        return [Hit(1, chunk, 1.0)]


def test_a_variant_that_reads_a_later_setting_reads_its_default():
    """So the ranking is the same whatever the setting is, and the cached one is right for all."""
    place = make_bench()
    first, again = (search(Tempted(late=late, top_k=late), "?", place).value[0].chunk for late in (1, 2))
    assert first == again == chunks_of(Tempted(), place)[(1 + 5) % len(chunks_of(Tempted(), place))]


def test_a_stage_that_reads_a_later_setting_is_an_error():
    key = stage_key(read_variant("hybrid"), "rank")
    with pytest.raises(AttributeError, match="top_k is none that this stage may read"):
        _ = key.top_k
    with pytest.raises(AttributeError, match="feedback_chunks is none"):  # idle without feedback
        _ = stage_key(read_variant("hybrid"), "query").feedback_chunks


def test_a_key_holds_the_settings_of_its_stage_and_of_those_before():
    variant = read_variant("hybrid:vectors_in=chroma")
    stages = {name: texts.stage for name, (_, texts) in settings_of(variant).items()}
    held = set(dict(stage_key(variant, "rank").items()))
    assert held == {name for name, at in stages.items() if at in ("documents", "chunks", "index", "rank")}
    assert "ef_search" not in dict(stage_key(read_variant("hybrid"), "rank").items())  # which does nothing there


def test_variants_that_differ_elsewhere_share_a_part():
    one, other = read_variant("keyword:top_k=3"), read_variant("hybrid:rrf_k=5,vectors=sentences")
    assert stage_key(one, "index", KeywordSettings) == stage_key(other, "index", KeywordSettings)
    assert stage_key(one, "chunks") == stage_key(other, "chunks")
    assert stage_key(one, "rank") != stage_key(other, "rank")


def test_every_stage_is_made_from_stages_that_come_before():
    assert list(INPUTS) == list(get_args(Stage))
    for at, (_, before) in enumerate(INPUTS.items()):
        assert all(each in list(INPUTS)[:at] for each in before)
