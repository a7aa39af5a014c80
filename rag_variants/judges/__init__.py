"""Who gives verdicts. To add a judge: one file, one line in `open_judge`; from elsewhere an entry point."""

import json
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any

from rag_variants.errors import ModelError, unknown
from rag_variants.models.specs import CHAT_FORM, is_chat_spec
from rag_variants.settings import packaged

if TYPE_CHECKING:
    from rag_variants.judges.base import Judge
    from rag_variants.knowledge.background import Background
    from rag_variants.models.chat import ChatModel
    from rag_variants.models.vectors import KeptEmbeddings

__all__ = ["JUDGES", "check_judge", "known_agreement", "open_judge"]


def known_agreement(spec: str) -> Mapping[str, Any] | None:
    """How far a judge agreed with the sample's labels when it was measured last, or None if it never was."""
    path = packaged("sample_kb") / "judge_agreement.json"
    if not path.exists():
        return None
    measured = json.loads(path.read_text(encoding="utf-8"))
    return measured if measured["judge"] == spec else None


# Judges by spec with one line of help.
JUDGES: Mapping[str, str] = {
    "embedded": "deterministic verdicts from text evidence; on this computer, no key, no network",
    CHAT_FORM: "any chat model, asked with ragas' own prompts; each verdict is a call that takes time and may cost",
}


def check_judge(spec: str) -> None:
    """Returns if a spec has the form of a judge. Raises ModelError else; an endpoint is looked up when it is opened."""
    if spec != "embedded" and not is_chat_spec(spec):
        raise ModelError(unknown("judge", spec, JUDGES))


OpenChat = Callable[[str, float | None], "ChatModel"]


def open_judge(spec: str, embeddings: "KeptEmbeddings", background: "Background", open_chat: OpenChat) -> "Judge":
    """The judge of a spec for one knowledge base. Raises ModelError for an unknown one.

    `embeddings` are those that the answer metrics compare with; `background` is what is common in the base under them;
    `open_chat` gives a chat model by spec and temperature, None for its endpoint's.
    """
    check_judge(spec)
    if spec == "embedded":
        from rag_variants.judges.embedded.judge import EmbeddedJudge
        from rag_variants.judges.embedded.statements import split_statements
        from rag_variants.judges.embedded.support import SupportJudge

        support = SupportJudge(embeddings.embed_passages, background.frequencies, background.center)
        return EmbeddedJudge(support, split_statements, embeddings, background.center)
    from rag_variants.judges.chat import ChatJudge

    return ChatJudge(open_chat(spec, None), embeddings, background.center)
