"""One cell → text, list or flag."""

import sys

import pytest

from rag_variants.questions.cells import parse_json, read_flag, read_list


@pytest.mark.parametrize(
    ("cell", "texts"),
    [
        # H-18, as the case gives them
        ('["Rent is due on the 1st.", "Late fee is 20."]', ("Rent is due on the 1st.", "Late fee is 20.")),
        (r"""['It is the tenant\'s duty.', "He said \"no\"."]""", ("It is the tenant's duty.", 'He said "no".')),
        ("Rent is due on the 1st.", ("Rent is due on the 1st.",)),
        ("[Rent] is due", ("[Rent] is due",)),
        ("", None),
        ("[]", ()),
        # and their kind
        (None, None),
        ("  \n", None),
        ("[ ]", ()),
        (" ['a'] ", ("a",)),
        ("['a', 'b',]", ("a", "b")),
        ("['a'\n 'b']", ("a", "b")),  # as numpy prints; Python alone would join them
        ("['a [b', 'c]']", ("a [b", "c]")),
        ("[12, 007]", ("[12, 007]",)),
        ("[12, 1e5]", ("12", "1e5")),
        ('["a", null]', ("a",)),
        ('[["a"]]', ('[["a"]]',)),
        ('[{"a": 1}]', ('[{"a": 1}]',)),
        ("['a'] and more", ("['a'] and more",)),
        ("[Rent is due]", ("[Rent is due]",)),
        ("['it's']", ("['it's']",)),
        (r"['\d+']", (r"\d+",)),
        ('["half \\ud83d"]', ("half \ufffd",)),
    ],
)
def test_read_list(cell: str | None, texts: tuple[str, ...] | None) -> None:
    assert read_list(cell) == texts


@pytest.mark.parametrize(
    "cell",
    [
        "__import__('os')",
        "[__import__('os').getcwd()]",
        "['a', __import__('os')]",
        "['a' for _ in range(9)]",
        "['a'] + ['b']",
        "['a' * 999999999]",
        "['a', f'{1 + 1}']",
        "['a', b'x']",
        "['a', 'b'",
        "[" * 100_000 + "]",
        "[" * 3_000 + "]" * 3_000,
        "['a'\\]",
        "[\x0c\t'a']]",
    ],
)
def test_text_is_never_run_as_code(cell: str) -> None:
    assert read_list(cell) == (cell,)


def test_numbers_stay_as_typed() -> None:
    assert parse_json('{"id": 12, "x": 1e5, "y": 1.50, "n": null, "t": true, "z": NaN}') == {
        "id": "12",
        "x": "1e5",
        "y": "1.50",
        "n": None,
        "t": True,
        "z": None,
    }
    digits = "9" * (sys.get_int_max_str_digits() + 1)
    assert parse_json(digits) == digits


@pytest.mark.parametrize("text", ["{", "007", "[1,]", "{'a': 1}", "[" * 200_000])
def test_broken_json_has_a_reason(text: str) -> None:
    with pytest.raises(ValueError, match="it is not"):
        parse_json(text)


@pytest.mark.parametrize(
    ("value", "flag"),
    [
        (True, True),
        (None, None),
        ("", None),
        ("TRUE", True),
        ("0", False),
        ("PRAWDA", True),
        ("fałsz", False),
        ("是", True),
    ],
)
def test_flags(value: str | bool | None, flag: bool | None) -> None:
    assert read_flag(value) is flag


def test_what_is_no_flag() -> None:
    with pytest.raises(ValueError, match="'maybe'; write true or false"):
        read_flag("maybe")
