"""Everything that decides a result's numbers, as a key: results are shared by whoever asks for the same."""

from collections.abc import Hashable, Sequence

from rag_variants.evaluation.plan import Plan
from rag_variants.llm.endpoint import deciding_parts
from rag_variants.llm.specs import is_chat_spec
from rag_variants.pipeline.variant import Variant
from rag_variants.settings import Settings

Key = tuple[Hashable, ...]


def comparison_key(a: Variant, b: Variant, plan: Plan, settings: Settings) -> Key:
    """Of a comparison. Two endpoints of one name are told apart by what the settings say of them, without its key."""
    names = tuple(metric.name for metric in plan.metrics)
    sources = (plan.knowledge.fingerprint, plan.questions.fingerprint, plan.knowledge.name, plan.questions.name)
    files = tuple(each.stamp(settings.home) for each in (a, b))
    judge = (plan.judge, plan.judge_embeddings)
    asked = meant_by(asked_models((a, b), *judge), settings)
    return (a, b, *files, *sources, names, *judge, plan.seed, plan.today, plan.slice, *asked)


def tuned_key(variant: Variant, plan: Plan, settings: Settings) -> Key:
    """Of a variant's retrieval over a plan's questions."""
    sources = (plan.knowledge.fingerprint, plan.questions.fingerprint)
    return ("tuned", variant, *sources, plan.today, *meant_by(variant.ranking_models, settings))


def judge_key(plan: Plan, settings: Settings) -> Key:
    """Of a plan's judge: what it is built on, and which endpoint it means."""
    specs = tuple(spec for spec in (plan.judge, plan.judge_embeddings) if is_chat_spec(spec))
    return (plan.knowledge.fingerprint, plan.judge, plan.judge_embeddings, *meant_by(specs, settings))


def asked_models(variants: Sequence[Variant], *judges: str) -> tuple[str, ...]:
    """The specs of endpoints' models that variants and judges ask, once each."""
    answering = [spec for each in variants for spec in each.answering_models]
    ranking = [spec for each in variants for spec in each.ranking_models]
    return tuple(dict.fromkeys((*answering, *filter(is_chat_spec, judges), *ranking)))


def meant_by(specs: Sequence[str], settings: Settings) -> Key:
    """Which endpoint each spec means under these settings, without its key."""
    return tuple(deciding_parts(spec, settings) for spec in specs)
