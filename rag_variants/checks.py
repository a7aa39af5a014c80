"""Is everything in place? One test of each part that a comparison needs."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

from rag_variants.errors import UserError
from rag_variants.evaluation.plan import make_plan
from rag_variants.llm import resolve_model
from rag_variants.plug_ins import left_out_plug_ins
from rag_variants.questions.check import check_evidence, folded_quotes
from rag_variants.settings import EndpointSettings, Settings


class Check(NamedTuple):
    """One part, what is wrong with it (None: nothing), a remark, and whether something of it was left out."""

    name: str
    problem: str | None
    remark: str
    left_out: bool = False


def run_checks(
    documents: Path | None,
    questions: Path | None,
    models: Sequence[str] = (),
    embeddings: Sequence[str] = (),
    rerankers: Sequence[str] = (),
) -> Iterator[Check]:
    """A check per part: state folder, encoder (one call), documents and questions with their evidence, endpoints.

    Each part of an installed package that cannot be used is a check that failed.

    Each endpoint of the settings is asked once: for a reply of the chat models, vectors of the embedding models and
    scores of the rerankers that are named, else for the list of its models.
    """
    yield _check("state folder", lambda: str(Settings().state_folder()))
    yield _check("kept replies", _count_replies)
    yield _check("embeddings embedded", _try_encoder)
    yield _check_files(documents, questions)
    yield Check("judge embedded", None, "on this computer, no key, no network")
    yield from (Check("plug-in", sentence, "") for sentence in left_out_plug_ins())
    if Settings().chroma_url:
        yield _check("vectors in Chroma", _try_vector_server)
    yield from _try_endpoints(models, embeddings, rerankers)


def _check(name: str, step: Callable[[], str]) -> Check:
    try:
        return Check(name, None, step())
    except UserError as error:
        return Check(name, str(error), "")


def _try_encoder() -> str:
    model = resolve_model("embedded")
    dimensions = model.embed_passages(["One call to the encoder."]).shape[1]
    return f"{model.name} {model.version}, {dimensions} numbers a text"


def _count_replies() -> str:
    from rag_variants.llm.cached_replies import open_cached_replies

    settings = Settings()
    size = open_cached_replies(settings).size()
    return f"{size.replies:,} in {size.bytes / 1e6:,.1f} MB, at most {settings.replies_megabytes:,} MB"


def _try_endpoints(models: Sequence[str], embeddings: Sequence[str], rerankers: Sequence[str]) -> Iterator[Check]:
    from rag_variants.llm.endpoint import known_endpoints
    from rag_variants.llm.trial_call import try_chat, try_embeddings, try_rerank

    settings = Settings()
    for spec in models:
        yield _check(f"model {spec}", partial(try_chat, spec, settings))
    for spec in embeddings:
        yield _check(f"embeddings {spec}", partial(try_embeddings, spec, settings))
    for spec in rerankers:
        yield _check(f"reranker {spec}", partial(try_rerank, spec, settings))
    named = {spec.partition(":")[0].strip().lower() for spec in (*models, *embeddings, *rerankers)}
    for name, given in known_endpoints(settings).items():
        if name not in named:
            yield _check(f"endpoint {name}", partial(_list_models, name, given))


def _list_models(name: str, given: EndpointSettings) -> str:
    from rag_variants.llm.endpoint import make_endpoint
    from rag_variants.llm.trial_call import list_models

    return list_models(make_endpoint(name, given))


def _try_vector_server() -> str:
    from rag_variants.pipeline.retrieve.vector_connection import try_server

    return try_server(Settings())


def _check_files(documents: Path | None, questions: Path | None) -> Check:
    """Documents and questions with what was left out of them, evidence that stands nowhere, and what was guessed."""
    name = "documents and questions"
    try:
        plan = make_plan(documents, questions)
    except UserError as error:
        return Check(name, str(error), "")
    lost = check_evidence(plan.questions.questions, plan.knowledge)
    remarks = [f"{each.name}: {each.reason}" for each in (*plan.knowledge.skipped, *plan.questions.skipped, *lost)]
    folded = folded_quotes(plan.questions.questions, plan.knowledge)
    remarks += [*plan.knowledge.notes, *plan.questions.notes, *([folded] if folded else [])]
    counted = [_counted(len(plan.knowledge.documents), "document"), _counted(len(plan.questions.questions), "question")]
    counted += [plan.left_out] if plan.left_out else []
    counted += [f"{_counted(len(lost), 'reference')} to documents that do not fit them"] if lost else []
    listed = "".join(f"\n      {each}" for each in remarks)
    said = ", ".join(counted) + (f"; {_counted(len(remarks), 'remark')}:{listed}" if remarks else "")
    return Check(name, None, said, bool(plan.left_out or lost))


def _counted(count: int, noun: str) -> str:
    return f"{count} {noun}{'' if count == 1 else 's'}"
