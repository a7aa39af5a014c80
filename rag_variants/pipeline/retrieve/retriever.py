"""What a retriever is: it finds the chunks of a base that fit what is searched."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.query import Query, RelevantText
from rag_variants.pipeline.ranking import Ranking
from rag_variants.pipeline.setting import setting
from rag_variants.pipeline.stage_key import HasSettings, StageKey, stage_key

Search = Callable[[Query, StageKey, Bench], Ranking]


@dataclass(frozen=True, kw_only=True)
class RankSettings:
    """What every ranking depends on, beside the settings of its variant."""

    candidates: int = setting(
        50,
        stage="rank",
        label="Candidates",
        unit="chunks",
        help="How deep rankings are kept. Fusion sees no deeper than this.",
        minimum=1,
        maximum=500,
        step=1,
        tries=(10, 25, 50, 100),
    )


def no_texts(_: StageKey, __: Bench) -> Mapping[str, Sequence[str]]:
    """Of a retriever that needs no vectors."""
    return {}


@dataclass(frozen=True, slots=True)
class Retriever:
    """A way of searching: its name, a line of help, what its scores are in words, and the class of its settings.

    `search` gives the best `candidates` chunks for a query; `mix` moves a query towards passages, by the share that
    `weight` gives them, with what this search reads of a query (terms, a vector); `texts` are the passages that it
    needs vectors of, by encoder. All three get the key of their stage in place of a variant, with its own settings and
    those of the stages before, and no others: `search` that of the stage `rank`, the others that of `index`.
    """

    name: str
    summary: str
    score_kind: str
    settings: type[Any]
    search: Search
    mix: Callable[[Query, Sequence[RelevantText], float, StageKey, Bench], Query]
    texts: Callable[[StageKey, Bench], Mapping[str, Sequence[str]]] = no_texts

    def ask(self, of: HasSettings, query: Query, bench: Bench) -> Ranking:
        """The best `candidates` chunks for a query; variants that differ in other settings share the list."""
        return self.search(query, stage_key(of, "rank", self.settings, RankSettings), bench)
