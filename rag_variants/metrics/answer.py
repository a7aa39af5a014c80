"""What the answer holds: the expected facts, nothing forbidden, and a decline exactly where one is due."""

from typing import TYPE_CHECKING, Any

import numpy as np

from rag_variants.metrics.base import Metric, Subject
from rag_variants.metrics.cases import DIGITS, Cases, make_metric, scored, unscored
from rag_variants.metrics.facts import holds
from rag_variants.text.citations import strip_citations
from rag_variants.text.language import as_language
from rag_variants.text.sentences import split_sentences
from rag_variants.types import Answer, Score

if TYPE_CHECKING:
    from rag_variants.judges.ragas_llm import BaseRagasEmbedding


def _answer(subject: Subject) -> Answer:
    return subject.record.answer or Answer("")


def _key_facts(subject: Subject) -> Score:
    """Facts found in the answer ÷ facts expected, 0…1; any alternative of a fact counts."""
    text = _answer(subject).text
    facts = [
        {"alternatives": list(alternatives), "found": next((each for each in alternatives if holds(text, each)), None)}
        for alternatives in subject.record.question.answer_keys
        if alternatives
    ]
    found = sum(1 for fact in facts if fact["found"] is not None)
    return scored(found / len(facts), None, {"facts": facts})


def _avoids(subject: Subject) -> Score:
    """1 if no forbidden string stands in the answer, else 0."""
    answer = _answer(subject)
    found = [each for each in subject.record.question.avoid if holds(answer.text, each)]
    reason = "the answer declined" if answer.declined else None
    return scored(float(not found), reason, {"avoid": list(subject.record.question.avoid), "found": found})


def _abstention(subject: Subject) -> Score:
    """1 if the answer declined and should, or did not and should not; else 0."""
    should, did = not subject.record.question.answerable, _answer(subject).declined
    reason = {
        (True, True): "declined, as it should",
        (True, False): "answered a question that has no answer in the documents",
        (False, True): "declined a question that the documents answer",
        (False, False): "answered, as it should",
    }[should, did]
    return scored(float(should == did), reason, {"answerable": not should, "declined": did})


async def _reference_coverage(subject: Subject) -> Score:
    """Mean over the reference's sentences of the best cosine with a sentence of the answer, clipped to 0…1.

    The embedded encoder's vectors are centred on the knowledge base first. Pearson .48 with people's preference between
    two answers (280 pairs; field notes), as for ragas' answer similarity.
    """
    question = subject.record.question
    language = as_language(question.tag("language"))
    reference = [each.text for each in split_sentences(question.reference or "", language)]
    answer = [each.text for each in split_sentences(strip_citations(_answer(subject).text), language)]
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


ANSWER: tuple[Metric, ...] = (
    make_metric(
        "key_facts",
        ("answer", "Answered it?"),
        (
            "Key facts",
            "The share of expected facts (numbers, dates, names) that stand in the answer, however they are written. "
            "It does not see what else the answer says.",
        ),
        _key_facts,
        Cases(frozenset({"keys", "answer"}), "answer", declined="zero"),
    ),
    make_metric(
        "avoids",
        ("answer", "Answered it?"),
        (
            "Avoids errors",
            "1 if nothing known to be wrong stands in the answer, such as an old version's figure; 0 if it does, "
            "even as a mention. A declined answer avoids everything.",
        ),
        _avoids,
        Cases(frozenset({"avoid", "answer"}), "answer"),
    ),
    make_metric(
        "abstention",
        ("answer", "Answered it?"),
        (
            "Abstention",
            "1 if it declined exactly when the documents hold no answer. Read the two rates: declining everything is "
            "right on all questions without an answer.",
        ),
        _abstention,
        Cases(frozenset({"answerable", "answer"}), "answer", unanswerable=True),
    ),
    make_metric(
        "reference_coverage",
        ("answer", "Answered it?"),
        (
            "Reference coverage",
            "How closely the answer's sentences match each sentence of the reference, by meaning. A changed number "
            "hardly lowers it: read it with key facts.",
        ),
        _reference_coverage,
        Cases(frozenset({"reference", "answer", "embeddings"}), "answer", declined="zero"),
    ),
)
