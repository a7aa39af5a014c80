"""Pairs worth a first look, and those of the lessons. The first change one thing, except where the name says so."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag_variants.lessons.lesson import Lesson
from rag_variants.pipeline import Variant, read_variant


@dataclass(frozen=True, slots=True)
class Preset:
    """A pair of variants, and the slice of questions that it is to be looked at on ("" = the usual ones)."""

    a: Variant
    b: Variant
    slice: str = ""


# Pairs by name; a third text is the slice that they are to be looked at on.
_FIRST_LOOKS: Mapping[str, tuple[str, str] | tuple[str, str, str]] = {
    "Keyword → hybrid": ("keyword", "hybrid"),
    "Keyword → vector": ("keyword", "vector"),
    "Vector → hybrid": ("vector", "hybrid"),
    "Hybrid: 5 → 3 chunks": ("hybrid", "hybrid:top_k=3"),
    "Hybrid: chunks of 600 → 200 characters": ("hybrid", "hybrid:chunk_size=200"),
    "Hybrid: equal votes → coverage vote": ("hybrid", "hybrid:coverage=on"),
    "Keyword: words as typed → stems": ("keyword:tokens=words", "keyword"),
    "Vector: all documents → current ones": ("vector", "vector:documents=current"),
    "Feedback helps: keyword, short chunks, look-ups": (
        "keyword:chunk_size=200",
        "keyword:expansion=feedback,chunk_size=200",
        "kind=lookup",
    ),
    "Feedback hurts: vector, questions with two parts": ("vector", "vector:expansion=feedback", "kind=multi_hop"),
    "Reranking: where it helps (hybrid, questions in other words)": (
        "hybrid",
        "hybrid:reranker=embedded",
        "kind=paraphrase",
    ),
    "Reranking: where it hurts (hybrid, questions that need several documents)": (
        "hybrid",
        "hybrid:reranker=embedded",
        "kind=multi_hop",
    ),
    "Diversity: vector, helps questions that need several places": ("vector", "vector:mmr=0.3", "kind=multi_hop"),
    "Diversity: vector, hurts questions for an identifier": ("vector", "vector:mmr=0.3", "kind=exact_id"),
    "Repeats left out: keyword, helps where chunks overlap by 150 of 200": (
        "keyword:chunk_size=200,chunk_overlap=150",
        "keyword:chunk_size=200,chunk_overlap=150,deduplicate=0.4",
        "kind=injection",
    ),
    "Repeats left out: hybrid, hurts where texts differ in an identifier": (
        "hybrid",
        "hybrid:deduplicate=0.5",
        "kind=exact_id",
    ),
    "Small to big: hybrid, helps questions that need several places": (
        "hybrid",
        "hybrid:chunk_size=200,parent_size=600",
        "kind=multi_hop",
    ),
    "Small to big: hybrid, reads 2.8 times the text of small chunks": (
        "hybrid:chunk_size=200",
        "hybrid:chunk_size=200,parent_size=600",
    ),
    "BM25+ in place of BM25: keyword, helps where chunks are small": (
        "keyword:chunk_size=200",
        "keyword:chunk_size=200,formula=plus",
        "area=products",
    ),
    "BM25L in place of BM25: keyword, hurts questions that need several places": (
        "keyword",
        "keyword:formula=l",
        "kind=multi_hop",
    ),
    "Approximate search: vector, loses nothing at Chroma's defaults": ("vector", "vector:vectors_in=chroma"),
    "Approximate search: vector, loses much with few links and short walks": (
        "vector",
        "vector:vectors_in=chroma,ef_search=10,max_neighbors=4",
    ),
    "Hybrid against itself (no difference)": ("hybrid", "hybrid"),
}


def make_presets(lessons: Iterable[Lesson] = ()) -> dict[str, Preset]:
    """The pairs by the name that the page shows, those of the lessons with their own questions last."""
    found = {name: Preset(read_variant(a), read_variant(b), *part) for name, (a, b, *part) in _FIRST_LOOKS.items()}
    for lesson in lessons:
        name = f"Lesson · {lesson.chapter.say('en')}: {lesson.title.say('en')}"
        found[name] = Preset(lesson.a, lesson.b, str(lesson.part))
    return found
