"""Who gives verdicts. To add a judge: one file with its JudgeKind, and an entry point."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

from rag_variants.errors import ModelError, UserError, unknown
from rag_variants.judges.base import Judge, JudgeKind
from rag_variants.judges.measured_agreements import SAMPLE, find_agreement
from rag_variants.llm.calls import OpenChat
from rag_variants.llm.specs import CHAT_FORM, is_chat_spec
from rag_variants.registry import Registry
from rag_variants.settings import packaged

if TYPE_CHECKING:
    from rag_variants.corpus.background import Background
    from rag_variants.llm.vectors import CachedEmbeddings

__all__ = [
    "JUDGES",
    "Judge",
    "JudgeKind",
    "check_judge",
    "known_agreement",
    "known_judges",
    "open_judge",
]


def known_agreement(spec: str, home: Path) -> Mapping[str, Any] | None:
    """How far a judge agreed with the sample's labels when it was measured last, or None if it never was.

    The figures that come with the product, else those measured here, in the state folder `home`.
    """
    path = packaged("sample_kb") / "judge_agreement.json"
    measured = json.loads(path.read_text(encoding="utf-8")) if path.exists() else None
    if measured and measured["judge"] == spec:
        return cast(Mapping[str, Any], measured)
    return find_agreement(home, SAMPLE, spec)


_SPEC = re.compile(r"[a-z][a-z0-9_-]*")


def _complaint(kind: JudgeKind) -> str | None:
    return None if _SPEC.fullmatch(kind.spec) else f"has the spec {kind.spec!r}, which is no word"


# Every judge that has a spec of its own; the embedded one comes by an entry point, as those of other packages do.
JUDGES: Registry[JudgeKind] = Registry(
    "judge", "rag_variants.judges", JudgeKind, lambda kind: kind.spec, complaint=_complaint
)
_CHAT_SUMMARY = "any chat model, asked with ragas' own prompts; each verdict is a call that takes time and may cost"


def known_judges() -> Mapping[str, str]:
    """How judges are written, each with a line of help: every kind, and last the form of a chat model."""
    return {**{kind.spec: kind.summary for kind in JUDGES.values()}, CHAT_FORM: _CHAT_SUMMARY}


def check_judge(spec: str) -> None:
    """Returns if a spec has the form of a judge. Raises ModelError else; an endpoint is looked up when it is opened."""
    if spec not in JUDGES and not is_chat_spec(spec):
        raise ModelError(unknown("judge", spec, known_judges()))


def open_judge(spec: str, embeddings: "CachedEmbeddings", background: "Background", open_chat: OpenChat) -> Judge:
    """The judge of a spec for one knowledge base. Raises ModelError for an unknown one.

    `embeddings` are those that the answer metrics compare with; `background` is what is common in the base under them;
    `open_chat` gives a chat model by spec and temperature, None for its endpoint's.
    """
    check_judge(spec)
    if spec in JUDGES:
        try:
            return JUDGES[spec].open(embeddings, background, open_chat)
        except UserError:
            raise
        except Exception as error:  # a judge may come from any package
            reason = f"{type(error).__name__}: {error}"
            raise ModelError(f"The judge {spec!r} cannot be opened ({reason}). Choose another one.") from error
    from rag_variants.judges.chat import ChatJudge

    return ChatJudge(open_chat(spec, None), embeddings, background.center)
