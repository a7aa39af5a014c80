"""A sentence marked in a document → a question with evidence, or what is still missing; no widgets here."""

from collections.abc import Container, Iterator
from dataclasses import dataclass

from rag_variants.types import Document, Evidence, Question

LONGEST_QUOTE = 200
KINDS = (
    "lookup",
    "paraphrase",
    "exact_id",
    "multi_hop",
    "ambiguous",
    "conflict",
    "stale",
    "injection",
    "short",
    "messy",
    "regression",
)


@dataclass(frozen=True, slots=True)
class Draft:
    """What was typed for a new question."""

    document: Document
    id: str
    quote: str
    user_input: str
    reference: str = ""
    key: str = ""
    kind: str = ""

    def question(self) -> Question:
        """The question as it would be read from its line."""
        document = self.document
        tags = {"kind": self.kind.strip(), "language": document.language}
        return Question(
            self.id.strip(),
            self.user_input.strip(),
            self.reference.strip() or None,
            answerable=True,
            evidence=(Evidence(document.path, self.quote, 1, self.key or None),),
            tags=tuple((name, value) for name, value in tags.items() if value),
        )


def find_hints(draft: Draft, taken: Container[str]) -> tuple[str, ...]:
    """What keeps a draft from being a good line, each with what to do; none if it is one."""
    return tuple(_quote_hints(draft)) + tuple(_other_hints(draft, taken))


def _quote_hints(draft: Draft) -> Iterator[str]:
    if not draft.quote.strip():
        yield "Choose a sentence, or paste a quote from the document."
    elif draft.quote not in draft.document.text:
        yield "The quote does not stand in this document word for word. Copy it from the text, with line ends."
    if len(draft.quote) > LONGEST_QUOTE:
        yield f"The quote has {len(draft.quote)} characters. Keep the {LONGEST_QUOTE} or fewer that answer."
    if draft.key and draft.key not in draft.quote:
        yield "The key does not stand in the quote. Copy the words without which the answer would be wrong from it."


def _other_hints(draft: Draft, taken: Container[str]) -> Iterator[str]:
    if not draft.user_input.strip():
        yield "Type the question."
    if not draft.id.strip():
        yield "Give the question an id."
    elif draft.id.strip() in taken:
        yield f"The id {draft.id.strip()[:60]} is taken. Choose another."


def next_id(taken: Container[str]) -> str:
    """The first of new-001, new-002 … that is not taken."""
    number = 1
    while f"new-{number:03}" in taken:
        number += 1
    return f"new-{number:03}"
