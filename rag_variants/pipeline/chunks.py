"""Documents → the chunks that can be found."""

from dataclasses import dataclass

from rag_variants.corpus.chunks import split_into_chunks
from rag_variants.corpus.knowledge import KnowledgeBase
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.setting import setting
from rag_variants.pipeline.stage_key import HasSettings, StageKey, stage_key
from rag_variants.types import Chunk

ALL, CURRENT = "all", "current"


@dataclass(frozen=True, kw_only=True)
class CorpusSettings:
    """The settings of the stages `documents` and `chunks`, shared by every pipeline."""

    chunk_size: int = setting(
        600,
        stage="chunks",
        label="Chunk size",
        unit="characters",
        help="Longest piece a document is cut into. Large chunks keep facts with their subject; "
        "small ones bring less noise.",
        minimum=50,
        maximum=4000,
        step=50,
        tries=(200, 600, 1200),
    )
    chunk_overlap: int = setting(
        100,
        stage="chunks",
        label="Chunk overlap",
        unit="characters",
        help="What a chunk repeats of the one before, so that a fact at a border is whole in one of them.",
        minimum=0,
        maximum=1000,
        step=25,
    )
    documents: str = setting(
        ALL,
        stage="documents",
        label="Documents",
        help="`all`, or `current`: leaves out what a newer version supersedes or whose time is over.",
        choices=(ALL, CURRENT),
    )


def reads_current(variant: object) -> bool:
    """Whether a variant leaves out documents that are not current."""
    return isinstance(variant, CorpusSettings) and variant.documents == CURRENT


def searched_documents(of: HasSettings, bench: Bench) -> KnowledgeBase:
    """The documents that a variant may search."""

    def choose(key: StageKey) -> KnowledgeBase:
        return bench.knowledge.current(bench.today) if key.documents == CURRENT else bench.knowledge

    return bench.cached("documents", stage_key(of, "documents"), choose)


def chunks_of(of: HasSettings, bench: Bench) -> tuple[Chunk, ...]:
    """The chunks that a variant may find, in the order of (document, start)."""

    def cut(key: StageKey) -> tuple[Chunk, ...]:
        documents = searched_documents(key, bench).documents
        return tuple(
            chunk for each in documents for chunk in split_into_chunks(each, key.chunk_size, key.chunk_overlap)
        )

    return bench.cached("chunks", stage_key(of, "chunks"), cut)


def searched_cut(variant: HasSettings) -> StageKey:
    """The key of the chunks of the whole base, at the size that is searched."""
    return stage_key(variant, "chunks").having(documents=ALL)


def whole_cut(variant: HasSettings) -> StageKey:
    """The key of the chunks of the whole base, at the size that the answer reads: what an ideal search could find."""
    key = stage_key(variant, "select")
    size = key.get("parent_size") or key.chunk_size
    return stage_key(key, "chunks").having(documents=ALL, chunk_size=size)
