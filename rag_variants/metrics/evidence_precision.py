"""Evidence share of text: how much of what was retrieved is evidence."""

from rag_variants.metrics.cases import Cases, make_metric, scored
from rag_variants.metrics.metric import Detail, Subject, Worked
from rag_variants.types import Score


def _evidence_precision(subject: Subject) -> Score:
    """Evidence characters (each place once) ÷ characters of the hits (repeats count), 0…1."""
    marked = subject.marked
    characters = sum(chunk.end - chunk.start for chunk in marked.chunks)
    evidence = subject.gold.evidence_characters(marked.chunks)
    detail = {**marked.detail, "evidence_characters": evidence, "characters": characters}
    return scored(evidence / characters if characters else 0.0, None, detail)


def _work_out(detail: Detail) -> Worked:
    evidence, characters = detail["evidence_characters"], detail["characters"]
    formula = "characters of evidence / characters retrieved"
    return Worked(formula, f"{evidence} / {characters}", evidence / characters)


METRIC = make_metric(
    "evidence_precision",
    ("retrieval", "What was read"),
    (
        "Evidence share of text",
        "The share of the retrieved characters that is evidence. Small, as chunks hold more than a quote; comparable "
        "across chunk sizes.",
        "It does not see what is missing.",
    ),
    _evidence_precision,
    Cases(frozenset({"evidence"}), "hits", nothing_retrieved="unscored"),
    translations={
        "pl": (
            "udział dowodów w tekście",
            "Jaka część wyszukanego tekstu to dowody. Mała, bo fragment to więcej niż cytat, ale porównywalna przy "
            "różnych wielkościach fragmentów.",
            "Nie widzi, czego brak.",
        ),
        "zh": (
            "证据占文本比例",
            "检索到的文本里证据占多大比例。数值不高，因为片段总比引文长，但不同片段大小之间可以比较。",
            "它看不到缺了什么。",
        ),
    },
    term="precision by characters",
    mechanical=True,
    work_out=_work_out,
)
