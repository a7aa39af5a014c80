"""What is searched for a question, and what of it a chat model wrote: values."""

from dataclasses import dataclass

from rag_variants.text.search_terms import shown
from rag_variants.types import Chunk, Expansion


@dataclass(frozen=True, slots=True)
class Query:
    """What is searched in place of a question alone; what is empty is the question's own. Equal searches are equal.

    `wordings` are searched each for itself and fused with the question's ranking. `terms` are (term, weight), the
    weights adding up to the number of the question's terms; `vector` is a unit vector, the bytes of float32. Both were
    mixed from the question and `chunks` (ids), or a passage. `added` are the terms that the question does not have.
    """

    question: str
    wordings: tuple[str, ...] = ()
    terms: tuple[tuple[str, float], ...] = ()
    vector: bytes = b""
    chunks: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RelevantText:
    """A text to be mixed into a query: its share, the language of its stems (None: that of all chunks), its chunk.

    Of a passage without a chunk (one that a model wrote) the text itself is embedded.
    """

    share: float
    text: str
    language: str | None = None
    chunk: Chunk | None = None


@dataclass(frozen=True, slots=True)
class Written:
    """What a chat model wrote for a question: other wordings, or one passage; and what the call took.

    None are tokens and a price that are not known; `seconds` on the wire is None for a kept reply. `stands_in`: a
    forecast stood in for the model, and there are no texts.
    """

    texts: tuple[str, ...]
    cost_usd: float | None = None
    prompt_tokens: int | None = None
    completion_tokens: int | None = None
    seconds: float | None = None
    notes: tuple[str, ...] = ()
    stands_in: bool = False


@dataclass(frozen=True, slots=True)
class Expanded:
    """What is searched for a question, what was written for it, and the milliseconds that it took."""

    query: Query
    written: Written | None = None
    milliseconds: float = 0.0


def shown_expansion(kind: str, expanded: Expanded) -> Expansion:
    """What a record says of an expansion of a kind."""
    query, written = expanded.query, expanded.written
    weights = dict(query.terms)
    terms = tuple((shown(term), weights[term]) for term in query.added)
    if written is None:
        return Expansion(kind, query.wordings, terms, query.chunks)
    return Expansion(
        kind,
        written.texts,
        terms,
        (),
        written.cost_usd,
        written.prompt_tokens,
        written.completion_tokens,
        written.seconds,
        written.notes,
    )
