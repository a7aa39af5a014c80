"""Steps on the laboratory's bench, as values."""

from rag_variants.ui.views.laboratory_setups import Item
from rag_variants.ui.views.laboratory_state import Setup, begin


def names(setup):
    return [item.name for item in setup.items]


def test_moving_stops_at_both_ends():
    setup = begin("context_precision")
    assert names(setup) == ["deadline", "gift_cards", "shipping"]

    assert names(setup.moved(2, -1)) == ["deadline", "shipping", "gift_cards"]
    assert names(setup.moved(0, 1)) == ["gift_cards", "deadline", "shipping"]
    assert names(setup.moved(0, -1)) == names(setup)
    assert names(setup.moved(2, 1)) == names(setup)


def test_a_change_is_seen_and_gone_when_it_is_taken_back():
    setup = begin("faithfulness")
    other = setup.with_item(2, Item("refund_2", True))

    assert not setup.changed
    assert other.changed
    assert not other.with_item(2, Item("refund_2")).changed
    assert names(setup.without(1)) == ["deadline", "refund_2"]


def test_own_items_get_names_of_their_own_and_blank_ones_are_none():
    setup = Setup("faithfulness", "silent", ()).with_own(" one\n two ").with_own("three")
    assert [(item.name, item.own, item.verdict) for item in setup.items] == [
        ("own 1", "one two", False),
        ("own 2", "three", False),
    ]
    assert names(setup.without(0).with_own("four")) == ["own 2", "own 1"]
    assert setup.with_own("  ") is setup


def test_room_is_limited():
    setup = begin("faithfulness", "silent")
    for number in range(20):
        setup = setup.with_own(f"claim {number}")
    assert len(setup.items) == 8

    full = begin("answer_relevancy")
    assert full.with_own("a fourth question") is full
