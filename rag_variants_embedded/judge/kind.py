"""How the embedded judge is chosen and opened; read at every start, so what is slow to import waits for its use."""

from typing import TYPE_CHECKING

from rag_variants.judges.base import Judge, JudgeKind
from rag_variants.llm.calls import OpenChat

if TYPE_CHECKING:
    from rag_variants.corpus.background import Background
    from rag_variants.llm.vectors import CachedEmbeddings


def _open(embeddings: "CachedEmbeddings", background: "Background", _: OpenChat) -> Judge:
    from rag_variants.text.statements import split_statements
    from rag_variants_embedded.judge.judge import EmbeddedJudge
    from rag_variants_embedded.judge.support import SupportJudge

    support = SupportJudge(embeddings.embed_passages, background.frequencies, background.center)
    return EmbeddedJudge(support, split_statements, embeddings, background.center)


EMBEDDED = JudgeKind(
    "embedded", "deterministic verdicts from text evidence; on this computer, no key, no network", _open
)
