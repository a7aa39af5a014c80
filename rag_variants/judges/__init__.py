"""Who gives verdicts. To add a judge: one file with its JudgeKind, one line here; from elsewhere an entry point."""

import json
import re
from collections.abc import Mapping
from functools import cache
from importlib.metadata import entry_points
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, cast

from rag_variants.errors import ModelError, UserError, unknown
from rag_variants.judges.base import Judge, JudgeKind
from rag_variants.judges.kept_agreements import SAMPLE, find_agreement
from rag_variants.models.calls import OpenChat
from rag_variants.models.specs import CHAT_FORM, is_chat_spec
from rag_variants.settings import Settings, packaged

if TYPE_CHECKING:
    from rag_variants.knowledge.background import Background
    from rag_variants.models.vectors import KeptEmbeddings

__all__ = [
    "BUILT_IN",
    "Judge",
    "JudgeKind",
    "check_judge",
    "judge_kinds",
    "known_agreement",
    "known_judges",
    "open_judge",
]


def known_agreement(spec: str) -> Mapping[str, Any] | None:
    """How far a judge agreed with the sample's labels when it was measured last, or None if it never was.

    The figures that come with the product, else those measured here. Raises ModelError for settings that are broken.
    """
    path = packaged("sample_kb") / "judge_agreement.json"
    measured = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    if measured and measured["judge"] == spec:
        return cast(Mapping[str, Any], measured)
    return find_agreement(Settings().home, SAMPLE, spec)


ENTRY_POINTS = "rag_variants.judges"
_SPEC = re.compile(r"[a-z][a-z0-9_-]*")


def _open_embedded(embeddings: "KeptEmbeddings", background: "Background", _: OpenChat) -> Judge:
    from rag_variants.judges.embedded.judge import EmbeddedJudge
    from rag_variants.judges.embedded.statements import split_statements
    from rag_variants.judges.embedded.support import SupportJudge

    support = SupportJudge(embeddings.embed_passages, background.frequencies, background.center)
    return EmbeddedJudge(support, split_statements, embeddings, background.center)


BUILT_IN: tuple[JudgeKind, ...] = (
    JudgeKind(
        "embedded", "deterministic verdicts from text evidence; on this computer, no key, no network", _open_embedded
    ),
)
_CHAT_SUMMARY = "any chat model, asked with ragas' own prompts; each verdict is a call that takes time and may cost"


@cache
def judge_kinds() -> Mapping[str, JudgeKind]:
    """Every judge that has a spec of its own: the built-in ones, then those of installed packages.

    Raises UserError if an installed package's judge cannot be loaded, is none, or has a spec that is in use or no word.
    """
    found = {kind.spec: kind for kind in BUILT_IN}
    for entry in sorted(entry_points(group=ENTRY_POINTS), key=lambda entry: entry.name):
        origin = f"The judge {entry.name!r} of {entry.dist.name if entry.dist else 'an installed package'}"
        try:
            kind = entry.load()
        except (ImportError, AttributeError) as error:
            raise UserError(f"{origin} cannot be loaded ({error}). Update or uninstall that package.") from error
        if not isinstance(kind, JudgeKind):
            raise UserError(f"{origin} is no rag_variants.judges.JudgeKind. Update or uninstall that package.")
        if kind.spec in found or not _SPEC.fullmatch(kind.spec):
            raise UserError(f"{origin} has the spec {kind.spec!r}, in use or no word. Uninstall that package.")
        found[kind.spec] = kind
    return MappingProxyType(found)


def known_judges() -> Mapping[str, str]:
    """How judges are written, each with a line of help: every kind, and last the form of a chat model."""
    return {**{kind.spec: kind.summary for kind in judge_kinds().values()}, CHAT_FORM: _CHAT_SUMMARY}


def check_judge(spec: str) -> None:
    """Returns if a spec has the form of a judge. Raises ModelError else; an endpoint is looked up when it is opened."""
    if spec not in judge_kinds() and not is_chat_spec(spec):
        raise ModelError(unknown("judge", spec, known_judges()))


def open_judge(spec: str, embeddings: "KeptEmbeddings", background: "Background", open_chat: OpenChat) -> Judge:
    """The judge of a spec for one knowledge base. Raises ModelError for an unknown one.

    `embeddings` are those that the answer metrics compare with; `background` is what is common in the base under them;
    `open_chat` gives a chat model by spec and temperature, None for its endpoint's.
    """
    check_judge(spec)
    if spec in judge_kinds():
        return judge_kinds()[spec].open(embeddings, background, open_chat)
    from rag_variants.judges.chat import ChatJudge

    return ChatJudge(open_chat(spec, None), embeddings, background.center)
