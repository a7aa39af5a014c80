"""Reference coverage: how closely the answer covers each sentence of the reference, by meaning."""

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from rag_variants.metrics.cases import Cases, make_metric, scored, unscored
from rag_variants.metrics.metric import DIGITS, Detail, Subject, Worked
from rag_variants.text.citations import strip_citations
from rag_variants.text.language import as_language
from rag_variants.text.sentences import split_sentences
from rag_variants.types import Answer, Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding


_TERMS = 6  # terms of a sum that are written out


async def _reference_coverage(subject: Subject) -> Score:
    """Mean over the reference's sentences of the best cosine with a sentence of the answer, clipped to 0…1.

    The embedded encoder's vectors are centred on the knowledge base first. Pearson .48 with people's preference between
    two answers (280 pairs; field notes), as for ragas' answer similarity.
    """
    question, given = subject.record.question, subject.record.answer or Answer("")
    language = as_language(question.tag("language"))
    reference = [each.text for each in split_sentences(question.reference or "", language)]
    answer = [each.text for each in split_sentences(strip_citations(given.text), language)]
    if not reference:
        return unscored("the reference answer holds no sentence")
    if not answer:
        return scored(0.0, "the answer holds no sentence")
    if subject.judge is None:
        return unscored("no judge is chosen")
    similarities = await _cosines(subject.judge.embeddings, reference, answer)
    best = similarities.argmax(axis=1)
    shares = np.clip(similarities.max(axis=1), 0.0, 1.0)
    sentences = [
        {"sentence": sentence, "closest": answer[index], "similarity": round(float(share), DIGITS)}
        for sentence, index, share in zip(reference, best, shares, strict=True)
    ]
    return scored(float(shares.mean()), None, {"sentences": sentences})


async def _cosines(embeddings: "BaseRagasEmbedding", rows: list[str], columns: list[str]) -> "np.ndarray[Any, Any]":
    """The cosine of every row text with every column text; 0 for a vector without direction."""
    texts = list(dict.fromkeys(rows + columns))
    vectors = np.asarray(await embeddings.aembed_texts(texts), dtype=np.float64)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    at = {text: index for index, text in enumerate(texts)}
    return np.asarray(vectors[[at[text] for text in rows]] @ vectors[[at[text] for text in columns]].T)


def _work_out(detail: Detail) -> Worked:
    shares = [each["similarity"] for each in detail["sentences"]]
    written = " + ".join(f"{share:.2f}" for share in shares) if len(shares) <= _TERMS else f"{math.fsum(shares):.4f}"
    formula = "sum of each reference sentence's closest similarity in the answer / sentences of the reference"
    return Worked(formula, f"({written}) / {len(shares)}", math.fsum(shares) / len(shares))


METRIC = make_metric(
    "reference_coverage",
    ("answer", "Answered it?"),
    (
        "Reference coverage",
        "How closely the answer's sentences match each sentence of the reference, by meaning.",
        "A changed number hardly lowers it: read it with key facts.",
    ),
    _reference_coverage,
    Cases(frozenset({"reference", "answer", "embeddings"}), "answer", declined="zero"),
    translations={
        "pl": (
            "pokrycie odpowiedzi wzorcowej",
            "Jak blisko znaczeniowo zdania odpowiedzi pasują do zdań odpowiedzi wzorcowej.",
            "Zmieniona liczba prawie nie obniża wyniku: czytaj z kluczowymi faktami.",
        ),
        "zh": (
            "参考答案覆盖度",
            "答案的句子在意思上与参考答案的每一句有多接近。",
            "改一个数字几乎不影响它：要和关键事实一起看。",
        ),
    },
    work_out=_work_out,
)
