"""How a chat model is written: `openai:MODEL`, or `NAME:MODEL` for an endpoint that the settings name."""

import re

CHAT_FORM = "openai:MODEL or NAME:MODEL"
# What stands before the first `:` of specs that are no chat model.
_OTHERS = frozenset({"embedded", "recorded"})
_NAME = r"[A-Za-z][A-Za-z0-9_-]{0,63}"
# A comma would end the value in the written form of a variant.
_SPEC = re.compile(rf"({_NAME}):[^\s,:][^\s,]{{0,199}}")


def is_chat_spec(spec: str) -> bool:
    """Whether a spec names a chat model by its form. Whether its endpoint exists is seen when it is opened."""
    found = _SPEC.fullmatch(spec)
    return found is not None and found[1].lower() not in _OTHERS


def is_endpoint_name(name: str) -> bool:
    """Whether an endpoint may be called that: a letter, then letters, digits, `-` and `_`, 64 at most."""
    return re.fullmatch(_NAME, name) is not None and name.lower() not in _OTHERS
