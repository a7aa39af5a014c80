"""Feedback weights as the sums they come from, vectors of two numbers."""

import numpy as np
import pytest

from rag_variants.pipeline.mixing import FEEDBACK_TERMS, mix_terms, mix_vectors


def test_weights_are_the_questions_share_and_the_passages_share():
    """Two asked terms; the passage of 4 terms has a twice, b and c once; a quarter of the search is the passage's.

    F: a 2/4, b 1/4, c 1/4. Times |asked| = 2 and the weight 1/4: a ¼, b ⅛, c ⅛. The question keeps ¾ of each 1.
    """
    mixed = mix_terms(("a", "q"), [(1.0, ("a", "b", "a", "c"))], 0.25)

    assert dict(mixed) == pytest.approx({"a": 0.75 + 0.25, "q": 0.75, "b": 0.125, "c": 0.125})
    assert [term for term, _ in mixed] == ["a", "q", "b", "c"]  # the heaviest first, then by the alphabet
    assert sum(weight for _, weight in mixed) == pytest.approx(2)  # as many as the question has terms


def test_passages_count_by_their_share_of_the_scores():
    """F(x) = ¾ · 1/2 + ¼ · 0, F(y) = ¾ · 1/2 + ¼ · 1/1 = 5/8; the sum is 1."""
    mixed = mix_terms(("q",), [(0.75, ("x", "y")), (0.25, ("y",))], 0.5)

    assert dict(mixed) == pytest.approx({"q": 0.5, "x": 0.5 * 3 / 8, "y": 0.5 * 5 / 8})


def test_the_largest_terms_alone_are_kept_and_made_to_add_up():
    """11 terms of the passage, the first twice: of 12 places the kept 10 hold 2 + 9 = 11."""
    terms = [f"t{at:02}" for at in range(FEEDBACK_TERMS + 1)]
    mixed = dict(mix_terms(("q",), [(1.0, ("t00", *terms))], 1.0))

    assert set(mixed) == set(terms[:FEEDBACK_TERMS])  # t10 goes: of equals the last by the alphabet
    assert mixed["t00"] == pytest.approx(2 / 11)
    assert mixed["t01"] == pytest.approx(1 / 11)


def test_a_term_asked_twice_weighs_twice():
    assert dict(mix_terms(("a", "a", "b"), [(1.0, ("c",))], 0.2)) == pytest.approx({"a": 1.6, "b": 0.8, "c": 0.2 * 3})


def test_without_passages_or_terms_in_them_the_question_stays_whole():
    for passages in ([], [(1.0, ())]):
        assert dict(mix_terms(("a", "b"), passages, 0.3)) == {"a": 1.0, "b": 1.0}


def test_a_weight_of_0_changes_nothing():
    assert dict(mix_terms(("a",), [(1.0, ("b",))], 0.0)) == {"a": 1.0}


def test_the_vector_moves_towards_the_mean_of_the_passages():
    """¾ · (1, 0) + ¼ · mean of (0, 1) and (0.6, 0.8) = (0.75 + 0.075, 0.225), made one long."""
    asked, passages = np.float32([1, 0]), [np.float32([0, 1]), np.float32([0.6, 0.8])]
    moved = mix_vectors(asked, passages, 0.25)

    assert moved == pytest.approx(np.array([0.825, 0.225]) / np.hypot(0.825, 0.225), abs=1e-6)
    assert moved.dtype == np.float32


def test_rocchios_beta_is_the_weights_odds():
    """asked + β · mean with β = 0.25 ÷ 0.75 has the direction of 0.75 · asked + 0.25 · mean."""
    asked, passage = np.float32([0.6, 0.8]), np.float32([1, 0])
    plain = asked + (0.25 / 0.75) * passage

    assert mix_vectors(asked, [passage], 0.25) == pytest.approx(plain / np.linalg.norm(plain), abs=1e-6)
