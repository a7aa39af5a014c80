"""The laboratory's examples as data: which metric, which texts, which verdicts. Texts are keys of `laboratory.json`."""

from collections.abc import Mapping
from dataclasses import dataclass

from rag_variants.judges.entered import GeneratedQuestion
from rag_variants.metrics.answer_relevancy import QUESTIONS
from rag_variants.metrics.laboratory import movable

MOST_ITEMS = 8


@dataclass(frozen=True, slots=True)
class Item:
    """A claim, chunk, statement or question read out of an answer, with what the judge says of it.

    `name` is the key of its text; `own` is a text that a person typed instead. `verdict` means "evasive" for readings.
    """

    name: str
    verdict: bool = False
    similarity: float = 0.0
    own: str = ""


@dataclass(frozen=True, slots=True)
class Preset:
    """An example as it begins. `shown` maps parts (question, context …) to their texts; `fact` is a key fact."""

    name: str
    shown: Mapping[str, str]
    items: tuple[Item, ...]
    fact: str = ""


def room_for(metric: str) -> int:
    """How many items an example of the metric may have."""
    return QUESTIONS if has_readings(metric) else MOST_ITEMS


def has_readings(metric: str) -> bool:
    """Whether the items of a metric are readings, each with a similarity to move."""
    return "similarity" in movable(metric).moves


def has_order(metric: str) -> bool:
    """Whether the order of a metric's items can be moved."""
    return "order" in movable(metric).moves


def verdicts_of(items: tuple[Item, ...]) -> tuple[bool, ...]:
    """The verdicts in their order."""
    return tuple(item.verdict for item in items)


def readings_of(items: tuple[Item, ...]) -> tuple[GeneratedQuestion, ...]:
    """Questions read out of an answer, as the entered judge takes them."""
    return tuple(GeneratedQuestion(item.similarity, item.verdict) for item in items)


def _yes(*names: str) -> tuple[Item, ...]:
    return tuple(Item(name, True) for name in names)


def _no(*names: str) -> tuple[Item, ...]:
    return tuple(Item(name) for name in names)


def _asked(*similarities: float, names: str, evasive: int = 0) -> tuple[Item, ...]:
    """Readings with their similarities; the first `evasive` of them say that the answer is evasive."""
    pairs = enumerate(zip(names.split(), similarities, strict=True))
    return tuple(Item(name, at < evasive, similarity) for at, (name, similarity) in pairs)


def _returns(answer: str, **shown: str) -> dict[str, str]:
    return {"question": "how_long", **shown, "answer": answer}


_ON_TOPIC = "ask_deadline ask_period ask_when"
_RANKED = {"question": "how_long_who_pays", "reference": "two_parts"}


def _recalled(reference: str, context: str) -> dict[str, str]:
    return {"question": "how_it_works", "reference": reference, "context": context}


PRESETS: Mapping[str, tuple[Preset, ...]] = {
    "faithfulness": (
        Preset(
            "invented",
            _returns("refund_invented", context="policy"),
            (*_yes("deadline", "shipping"), *_no("refund_2")),
        ),
        Preset(
            "current",
            _returns("deadline_and_shipping", context="policy", truth="current"),
            _yes("deadline", "shipping"),
            "deadline",
        ),
        Preset(
            "outdated",
            _returns("old_deadline_and_shipping", context="old_policy", truth="replaced"),
            _yes("deadline_30", "shipping"),
            "deadline",
        ),
        Preset(
            "memory",
            _returns("deadline", context="gift_cards", truth="current"),
            _no("deadline"),
            "deadline",
        ),
        Preset(
            "diluted",
            _returns("wrong_deadline_and_more", context="policy_with_label", truth="current"),
            (*_no("deadline_60"), *_yes("shipping", "label", "policy")),
            "deadline",
        ),
        Preset("silent", _returns("not_found", context="gift_cards"), ()),
    ),
    "answer_relevancy": (
        Preset("right", _returns("deadline", truth="current"), _asked(0.95, 0.9, 0.85, names=_ON_TOPIC), "deadline"),
        Preset(
            "wrong", _returns("wrong_deadline", truth="current"), _asked(0.95, 0.9, 0.85, names=_ON_TOPIC), "deadline"
        ),
        Preset(
            "beside",
            _returns("shipping", truth="current"),
            _asked(0.55, 0.5, 0.6, names="ask_who ask_cost ask_costs"),
            "deadline",
        ),
        Preset(
            "evasive",
            _returns("it_depends"),
            _asked(0.4, 0.35, 0.3, names="ask_depends ask_exact ask_factors", evasive=3),
        ),
        Preset("half_evasive", _returns("usually"), _asked(0.9, 0.85, 0.8, names=_ON_TOPIC, evasive=2)),
        Preset("silent", _returns("it_depends"), ()),
    ),
    "context_precision": (
        Preset("mixed", _RANKED, (*_yes("deadline"), *_no("gift_cards"), *_yes("shipping"))),
        Preset("useful_first", _RANKED, (*_yes("deadline"), *_no("gift_cards"))),
        Preset("noise_first", _RANKED, (*_no("gift_cards"), *_yes("deadline"))),
        Preset("noise_below", _RANKED, (*_yes("deadline"), *_no("gift_cards", "hours", "newsletter", "careers"))),
        Preset("nothing_useful", _RANKED, _no("gift_cards", "hours", "newsletter")),
        Preset("nothing_retrieved", _RANKED, ()),
    ),
    "context_recall": (
        Preset(
            "partial",
            _recalled("three_statements", "two_chunks"),
            (*_yes("deadline", "shipping"), *_no("refund_10")),
        ),
        Preset("noisy", _recalled("three_statements", "five_chunks"), _yes("deadline", "shipping", "refund_10")),
        Preset("modest", _recalled("one_statement", "two_chunks"), _yes("deadline")),
        Preset(
            "nothing_found",
            _recalled("three_statements", "other_chunks"),
            _no("deadline", "shipping", "refund_10"),
        ),
        Preset("no_statements", _recalled("see_above", "two_chunks"), ()),
    ),
}

# Two examples per metric that teach by standing side by side.
CONTRASTS: Mapping[str, tuple[str, str]] = {
    "faithfulness": ("current", "outdated"),
    "answer_relevancy": ("right", "wrong"),
    "context_precision": ("useful_first", "noise_first"),
    "context_recall": ("partial", "modest"),
}

_ENDS = {"edge_empty": (), "edge_none": _no("", ""), "edge_third": _yes("", "")}
# What happens at the edges: a label and the verdicts that go with it.
EDGES: Mapping[str, Mapping[str, tuple[Item, ...]]] = {
    "faithfulness": _ENDS,
    "answer_relevancy": {
        "edge_empty": (),
        "edge_none": (Item("", True, 0.9),) * QUESTIONS,
        "edge_third": (Item("", False, -0.1),) * QUESTIONS,
    },
    "context_precision": {**_ENDS, "edge_third": (*_no("", "", "", ""), *_yes(""))},
    "context_recall": _ENDS,
}


def preset(metric: str, name: str) -> Preset:
    """A preset by name. Raises KeyError for an unknown one."""
    return {each.name: each for each in PRESETS[metric]}[name]
