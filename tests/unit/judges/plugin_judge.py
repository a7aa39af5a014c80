"""Judges as another package would bring them."""

from dataclasses import replace
from typing import Any

from rag_variants_embedded.judge.kind import EMBEDDED

EXTRA = replace(EMBEDDED, spec="extra", summary="the embedded judge under another name")
TAKEN = replace(EMBEDDED, summary="another one called embedded")
NO_WORD = replace(EMBEDDED, spec="extra:model")


class Broken:
    """A judge with faults of its own."""

    spec = "extra"
    settings = {"judge": "extra"}
    embeddings = None

    def open(self, record: Any) -> Any:
        raise KeyError("no such client")


class Mute:
    """Replies nothing, or breaks while it replies."""

    reads_data = True

    def __init__(self, broken: bool) -> None:
        self._broken = broken

    async def agenerate(self, prompt: Any, response_model: Any) -> Any:
        if self._broken:
            raise KeyError("no such reply")


class Replying(Broken):
    """Opens a model that cannot reply."""

    def __init__(self, broken: bool) -> None:
        self._broken = broken

    def open(self, record: Any) -> Any:
        return Mute(self._broken)


def _closed(*_: Any) -> Any:
    raise KeyError("key")


OPENS_NOTHING = replace(EXTRA, open=lambda *_: Broken())
REPLIES_NOTHING = replace(EXTRA, open=lambda *_: Replying(False))
BREAKS = replace(EXTRA, open=lambda *_: Replying(True))
CLOSED = replace(EXTRA, open=_closed)
