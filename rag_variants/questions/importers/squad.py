"""The nesting of SQuAD and its translations: articles of paragraphs, each with its questions → one entry a question."""

from collections.abc import Sequence
from typing import Any

from rag_variants.corpus.knowledge import Skipped
from rag_variants.text.sentences import split_sentences

NOTE = "read as SQuAD: the first answer → reference, the sentence that holds it → evidence with the answer as key"


def is_article(entry: Any) -> bool:
    """Whether an entry is an article with paragraphs."""
    return isinstance(entry, dict) and isinstance(entry.get("paragraphs"), list)


def flatten_articles(articles: Sequence[Any]) -> tuple[list[tuple[str, Any]], list[Skipped]]:
    """The questions of all paragraphs with the place of their article, and what of the nesting is broken."""
    entries: list[tuple[str, Any]] = []
    lost: list[Skipped] = []
    for at, article in enumerate(articles, 1):
        if not is_article(article):
            lost.append(Skipped(f"entry {at}", "it has no list of paragraphs"))
            continue
        for paragraph in article["paragraphs"]:
            asked = paragraph.get("qas") if isinstance(paragraph, dict) else None
            if isinstance(asked, list):
                entries += [(f"entry {at}", _question(each, paragraph.get("context"))) for each in asked]
            else:
                lost.append(Skipped(f"entry {at}", "one of its paragraphs has no list qas"))
    return entries, lost


def _question(asked: Any, paragraph: Any) -> Any:
    """A question as a row; what is no question stays as it is, to be left out by name."""
    if not isinstance(asked, dict):
        return asked
    row: dict[str, Any] = {name: asked[name] for name in ("id", "question") if name in asked}
    if str(asked.get("is_impossible")).lower() == "true":
        return row | {"answerable": False}
    answers = asked["answers"] if isinstance(asked.get("answers"), list) else []
    texts = [each["text"] for each in answers if isinstance(each, dict) and isinstance(each.get("text"), str)]
    if not texts:
        return row
    row |= {"reference": texts[0], "answer_keys": [list(dict.fromkeys(texts))]}
    return row | (_evidence(paragraph, texts[0]) if isinstance(paragraph, str) and paragraph.strip() else {})


def _evidence(paragraph: str, answer: str) -> dict[str, Any]:
    if answer not in paragraph:
        return {"evidence": [{"quote": paragraph}]}
    holding = (each.text for each in split_sentences(paragraph) if answer in each.text)
    return {"evidence": [{"quote": next(holding, paragraph), "key": answer}]}
