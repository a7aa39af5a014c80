"""Key facts, what to avoid, abstention and reference coverage."""

import pytest

from rag_variants.errors import ModelError
from rag_variants.metrics import METRICS
from rag_variants.types import Answer
from tests.scripted import ScriptedEmbeddings, ScriptedJudge, make_subject, score

KEY_FACTS, AVOIDS, ABSTENTION = METRICS["key_facts"], METRICS["avoids"], METRICS["abstention"]
COVERAGE = METRICS["reference_coverage"]


def test_key_facts_is_the_share_found_by_any_alternative():
    keys = (("14 days", "fourteen days"), ("450 EUR", "€450"), ("Ashcombe Bay",))
    made = score(KEY_FACTS, make_subject(answer="Within fourteen days [1], you get €450 back.", answer_keys=keys))

    assert made.value == pytest.approx(2 / 3, abs=1e-9)
    assert [fact["found"] for fact in made.detail["facts"]] == ["14 days", "450 EUR", None]


def test_avoids_names_what_it_found():
    made = score(AVOIDS, make_subject(answer="It takes 30 days.", avoid=("30 days", "certificate")))
    assert (made.value, made.detail["found"]) == (0.0, ["30 days"])

    assert score(AVOIDS, make_subject(answer="It takes 130 days.", avoid=("30 days",))).value == 1.0


@pytest.mark.parametrize(
    ("answerable", "declined", "expected", "reason"),
    [
        (True, False, 1.0, "answered, as it should"),
        (True, True, 0.0, "declined a question that the documents answer"),
        (False, True, 1.0, "declined, as it should"),
        (False, False, 0.0, "answered a question that has no answer in the documents"),
    ],
)
def test_abstention(answerable, declined, expected, reason):
    made = score(ABSTENTION, make_subject(answer=Answer("Text.", declined), answerable=answerable))

    assert (made.value, made.reason) == (expected, reason)
    assert made.detail == {"answerable": answerable, "declined": declined}


def coverage(answer, vectors, reference="Alpha is one. Beta is two."):
    return score(COVERAGE, make_subject(answer=answer, reference=reference, judge=ScriptedJudge(vectors=vectors)))


def test_reference_coverage_is_the_mean_best_similarity():
    made = coverage(
        "Gamma is here. Delta is there [1].",
        {"Alpha is one.": [1, 0], "Beta is two.": [0, 1], "Gamma is here.": [1, 0], "Delta is there.": [3, 4]},
    )

    best_of_alpha, best_of_beta = max(1.0, 3 / 5), max(0.0, 4 / 5)
    assert made.value == pytest.approx((best_of_alpha + best_of_beta) / 2)
    assert [each["closest"] for each in made.detail["sentences"]] == ["Gamma is here.", "Delta is there."]


def test_reference_coverage_is_clipped():
    assert coverage("Gamma is here.", {"Gamma is here.": [-1, 0]}, "Alpha is one.").value == 0.0


def test_reference_coverage_fails_in_a_sentence(monkeypatch):
    def fail(self, text, **_):
        raise ModelError("HTTP 503 from the embeddings.")

    monkeypatch.setattr(ScriptedEmbeddings, "embed_text", fail)

    assert coverage("Gamma is here.", {}).error == "the judge failed: HTTP 503 from the embeddings."
