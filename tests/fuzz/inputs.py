"""What is tried: pieces that files of this kind are made of, whole and broken, and bytes at random."""

from collections.abc import Callable
from typing import Any

from hypothesis import strategies as st

from rag_variants.corpus.decoding import NotTextError
from rag_variants.errors import UserError

ODD = ["", " ", "\x00", "\ufeff", "\u200b", "\ud83d", "\u202e", "𝔘", "ﬁ", "½", "=1+1", "@x", "<b>", "$x$", "[a](b)",
       "|", "'", '"', "\\"]  # fmt: skip
PIECES = [*ODD, "---", "+++", "...", "\n", "\r\n", "\t", ":", ",", ";", "title: A: b", "valid_until: 2026-11-30", "- a",
          "{", "}", "[", "]", "null", "NaN", "Infinity", "-1e999", "1e9999", "true", "&a *a", "!!python/name:os.system",
          "user_input", "id", "reference", "evidence", "tags", "What is it?", "Ile to kosztuje?", "多少钱？", "[1]",
          '{"user_input": "q"}', '{"user_input": "q", "evidence": [{"document": "a.md", "quote": "x"}]}',
          "```", "~~~", "# a", "| a | b |", "|---|---|"]  # fmt: skip
FIELDS = ["id", "user_input", "question", "reference", "evidence", "tags", "answerable", "x"]
ENCODINGS = ["utf-8", "utf-8-sig", "utf-16", "cp1250", "iso8859_2", "gb18030", "big5"]

texts = st.lists(st.one_of(st.sampled_from(PIECES), st.text(max_size=8)), max_size=30).map("".join)
names = st.one_of(st.sampled_from(FIELDS), st.text(max_size=6))
values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), texts),
    lambda each: st.one_of(st.lists(each, max_size=4), st.dictionaries(names, each, max_size=4)),
    max_leaves=12,
)
contents = st.one_of(
    st.binary(max_size=300),
    st.builds(lambda text, encoding: text.encode(encoding, "ignore"), texts, st.sampled_from(ENCODINGS)),
    st.builds(lambda text, at: text.encode("utf-8", "ignore")[:at], texts, st.integers(0, 200)),
)


class Refused(str):
    """The sentence with which something was refused."""


def outcome(read: Callable[..., Any], *arguments: Any) -> Any:
    """What a reader gives, or the sentence with which it refuses; anything else that it raises is a fault."""
    try:
        return read(*arguments)
    except (UserError, NotTextError) as error:
        said = Refused(error)
    assert len(said) > 10 and "Traceback" not in said
    return said
