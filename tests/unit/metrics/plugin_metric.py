"""Metrics as another package would bring them."""

from dataclasses import replace

from rag_variants.metrics import METRICS
from rag_variants.metrics.cases import Cases, make_metric
from rag_variants.metrics.metric import Place, Subject, Words
from rag_variants.types import Score

_KEY_FACTS = METRICS["key_facts"]
_PLAIN = replace(_KEY_FACTS, headline=None, words={"en": Words("Extra fact", "Facts, once more.")})
EXTRA = replace(_PLAIN, name="extra_fact")
TAKEN = replace(_PLAIN, name="mrr")
A_SET = replace(_PLAIN, name="core")
ALL = replace(_PLAIN, name="all")
LEADING = replace(_PLAIN, name="leading", headline=Place("retrieval", 0))
NO_ENGLISH = replace(_PLAIN, name="no_english", words={"pl": Words("nic", "Nic.")})
NO_SET = replace(_PLAIN, name="no_set", set="mine")
NO_GROUP = replace(_PLAIN, name="no_group", group="Liked it?")


def _break(subject: Subject) -> Score:
    raise KeyError("gone")


BREAKING = make_metric("breaking", ("more", "Found it?"), ("Breaking", "Breaks."), _break, Cases())
SHORT = make_metric(
    "short", ("more", "Answered it?"), ("Short", "1 for a short answer."), lambda _: Score(0.5), Cases()
)
NO_SCORE = make_metric("no_score", ("more", "Found it?"), ("No score", "Gives a number."), lambda _: 0.5, Cases())
NO_NUMBER = make_metric(
    "no_number", ("more", "Found it?"), ("No number", "Gives a text."), lambda _: Score("high"), Cases()
)
