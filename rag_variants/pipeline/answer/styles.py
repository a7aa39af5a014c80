"""The ways of answering by spec: a line each for screens, and the settings each reads. To add one, add a line here."""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from rag_variants.errors import ModelError, unknown
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec


@dataclass(frozen=True, slots=True)
class Style:
    """A way of answering: what it does in a line, and the settings that it reads."""

    summary: str
    reads: frozenset[str] = frozenset()


STYLES: Mapping[str, Style] = {
    "embedded": Style("quotes the sentences that answer, and declines when none does"),
    "embedded:digest": Style("retells the section that was found first, beside the question: faithful, not relevant"),
    "embedded:inventive": Style(
        "the quotes of `embedded` with planted faults, marked simulated; needs prompt=free and a temperature above 0",
        frozenset({"prompt", "temperature"}),
    ),
}
RECORDED_NAME = "letters A to Z, digits, `.`, `_` and `-`"
# How specs beyond these are written.
BEYOND_FORM = f"recorded:NAME (of {RECORDED_NAME}), {CHAT_FORM}"
_RECORDED = Style("answers kept in a file, NAME.jsonl, of the sample or in the state folder")
_CHAT = Style(
    "a chat model answers from the numbered chunks, told by the prompt; each answer is a call that may cost",
    frozenset({"prompt", "temperature"}),
)
# Never a path: no separator, and no dot at the beginning.
_RECORDED_SPEC = re.compile(r"recorded:[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}")


def is_recorded(spec: str) -> bool:
    """Whether a spec is `recorded:NAME` with a name of RECORDED_NAME, no dot first."""
    return _RECORDED_SPEC.fullmatch(spec) is not None


def is_beyond(spec: str) -> bool:
    """Whether a spec names an answerer that is not in STYLES: a recording or a chat model."""
    return is_recorded(spec) or is_chat_spec(spec)


def recorded_specs() -> tuple[str, ...]:
    """The specs of all recordings on this computer, sorted."""
    from rag_variants.pipeline.answer.recordings import recording_names

    found = (f"recorded:{name}" for name in recording_names())
    return tuple(spec for spec in found if is_recorded(spec))


def style_of(spec: str) -> Style:
    """The style that a spec names. Raises ModelError for an unknown one, listing the known."""
    if is_recorded(spec):
        return _RECORDED
    if is_chat_spec(spec):
        return _CHAT
    if spec not in STYLES:
        raise ModelError(unknown("answerer", spec, (*STYLES, BEYOND_FORM)))
    return STYLES[spec]
