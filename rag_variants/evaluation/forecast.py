"""What a run would still ask of models elsewhere, before it is run. Nothing is sent."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pydantic import BaseModel

from rag_variants.evaluation.embedding import embed_missing
from rag_variants.evaluation.judging.repeat_work import Repetition
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.work import Progress
from rag_variants.llm.chat import ChatModel, Message, RecallingChat, Reply
from rag_variants.llm.placeholder import make_placeholder
from rag_variants.llm.specs import is_chat_spec
from rag_variants.llm.stored_vectors import Role
from rag_variants.llm.waiting import wait_for
from rag_variants.metrics.lengths import estimate_tokens
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.expand.rewriting import open_rewriter
from rag_variants.pipeline.pipeline import Pipeline
from rag_variants.pipeline.rerank import OFF, is_endpoint_reranker, reranker_kind
from rag_variants.pipeline.stages import search
from rag_variants.pipeline.variant import Variant

# What a reply is taken to be before it is there: between an answer of some sentences and a judge's list with reasons.
REPLY_TOKENS = 150
WRITTEN_TOKENS = 50  # of a text that expands a question: a wording is shorter, a passage longer


@dataclass(frozen=True, slots=True)
class Need:
    """What one model would still be asked. Tokens are estimates, so is the cost in US dollars; None: price unknown."""

    calls: int
    prompt_tokens: int
    completion_tokens: int
    cost_usd: float | None


@dataclass(frozen=True, slots=True)
class CallForecast:
    """Calls needed and texts to embed by model spec, and how many replies are at hand.

    `guessed`: an encoder elsewhere has not embedded everything yet, so the chunks that calls are about were found with
    the embedded one in its place; about as many calls, other ones. `unordered`: a reranker elsewhere has not ordered
    them yet, so they are those of the search.
    """

    calls: Mapping[str, Need]
    texts: Mapping[str, Need]
    kept: int
    guessed: bool
    unordered: bool = False


class Forecast:
    """`Work` that goes through a run with placeholders for the replies that are not kept.

    Calls that depend on a missing reply are counted for a placeholder: one claim, one verdict. Their number is right,
    their tokens are a guess. `times` is how often the judge scores each record, as in `Repetition`.
    """

    def __init__(self, variants: Sequence[Variant], plan: Plan, bench: Bench, times: int = 1) -> None:
        self._variants, self._plan, self._bench, self._times = tuple(variants), plan, bench, times
        self._calls: dict[str, dict[bytes, Need]] = {}
        self._kept: set[bytes] = set()
        self._texts: dict[str, Need] = {}
        self._unordered: set[Variant] = set()
        self.complete = False

    def steps(self) -> Iterator[Progress]:
        """Question by question. Raises UserError for a model that cannot be opened."""
        self._texts = dict(self._texts_needed())
        plan = replace(
            self._plan,
            metrics=tuple(metric for metric in self._plan.metrics if "judge" in metric.needs),
            judge_embeddings="embedded",
            spares_answers=not self._plan.answers,
        )
        bench = self._looking_bench()
        found = [self._standing_in(each) for each in self._variants]
        for variant in found:
            yield from self._count_reranking(variant)
        experiment = Experiment([_searching(each) if each in self._unordered else each for each in found], plan, bench)
        for progress in experiment.steps():
            yield replace(progress, step="forecast", calls=None) if progress.step == "questions" else progress
        if self._times > 1:
            for progress in Repetition(experiment.runs(), plan, bench, self._times).steps():
                yield replace(progress, calls=None)
        self.complete = True

    def result(self) -> CallForecast | None:
        """The forecast; None before all questions were looked through."""
        if not self.complete:
            return None
        calls = {spec: _sum(list(needs.values())) for spec, needs in sorted(self._calls.items()) if needs}
        return CallForecast(calls, self._texts, len(self._kept), bool(self._texts), bool(self._unordered))

    def _texts_needed(self) -> Iterator[tuple[str, Need]]:
        bench = self._bench
        questions = [each.user_input for each in self._plan.questions.questions]
        wanted: dict[str, list[Pipeline]] = {}
        for variant in self._variants:
            if isinstance(variant, Pipeline) and variant.encoder is not None and is_chat_spec(variant.encoder):
                wanted.setdefault(variant.encoder, []).append(variant)
        for spec, variants in wanted.items():
            kept = bench.embeddings(spec)
            passages = [text for each in variants for text in each.texts_by_encoder(bench).get(spec, ())]
            texts: dict[Role, list[str]] = {"passage": passages, "query": list(questions)}
            asking = {(each.expander, each.expansion): each for each in variants}
            to_come = sum(self._add_written(each, questions, texts) for each in asking.values())
            missing = [*kept.missing("passage", texts["passage"]), *kept.missing("query", texts["query"])]
            if missing or to_come:
                tokens = sum(map(estimate_tokens, missing)) + to_come * WRITTEN_TOKENS
                yield spec, Need(len(missing) + to_come, tokens, 0, _cost(bench.open_chat(spec, None), tokens, 0))

    def _add_written(self, variant: Pipeline, questions: Sequence[str], texts: dict[Role, list[str]]) -> int:
        """Adds what is at hand of a chat model's expansions to the texts to embed; how many are still to be written."""
        rewriter = open_rewriter(variant, self._looking_bench())
        if rewriter is None:
            return 0
        replies = [wait_for(rewriter.write(question)) for question in questions]
        texts[rewriter.task.role] += [text for reply in replies for text in reply.texts]
        return rewriter.task.most * sum(reply.stands_in for reply in replies)

    def _looking_bench(self) -> Bench:
        """The bench with models that give cached replies, and placeholders for what would have to be asked for."""
        return replace(self._bench, open_chat=self._open, open_writer=self._open)

    def _count_reranking(self, variant: Variant) -> Iterator[Progress]:
        """Counts the calls that a reranker elsewhere still needs: about the chunks that the search puts first."""
        if not isinstance(variant, Pipeline):
            return
        if not is_endpoint_reranker(variant.reranker):
            kind = reranker_kind(variant.reranker)
            if kind is not None and kind.asks_first:  # a forecast downloads no model
                self._unordered.add(variant)
            return
        yield from embed_missing([variant], self._bench)
        bench = self._looking_bench()  # which has a placeholder for what is still to be written
        model, needed = self._bench.open_rerank(variant.reranker), self._calls.setdefault(variant.reranker, {})
        for question in self._plan.questions.questions:
            first = search(variant, question.user_input, bench).value[: variant.rerank_depth]
            texts = [hit.chunk.text for hit in first]
            key, reply = model.recall(question.user_input, texts)
            if reply is not None or not texts:
                self._kept |= {key} if texts else set()
                continue
            read = sum(map(estimate_tokens, (question.user_input, *texts)))
            needed[key] = Need(1, read, 0, model.cost(read))
            self._unordered.add(variant)

    def _standing_in(self, variant: Variant) -> Variant:
        if not isinstance(variant, Pipeline) or variant.encoder not in self._texts:
            return variant
        return replace(variant, embeddings="embedded")  # type: ignore[call-arg]

    def _open(self, spec: str, temperature: float | None) -> ChatModel:
        chat = self._bench.open_chat(spec, temperature)
        return _Looking(chat, self._calls.setdefault(chat.spec, {}), self._kept)


def _searching(variant: Variant) -> Variant:
    """The variant without its reranker."""
    return replace(variant, reranker=OFF) if isinstance(variant, Pipeline) else variant


class _Looking:
    """A chat model that gives kept replies, and a placeholder for a reply that would have to be asked for."""

    def __init__(self, chat: ChatModel, needed: dict[bytes, Need], kept: set[bytes]) -> None:
        self._chat, self._needed, self._kept = chat, needed, kept
        self.spec, self.settings = chat.spec, chat.settings

    async def ask(
        self, messages: Sequence[Message], *, schema: type[BaseModel] | None = None, asked: int = 0, repeat: int = 0
    ) -> Reply:
        key, reply = self._recall(messages, schema, asked, repeat)
        if reply is not None:
            self._kept.add(key)
            return reply
        if key not in self._needed:
            read = sum(estimate_tokens(message.content) for message in messages)
            self._needed[key] = Need(1, read, REPLY_TOKENS, _cost(self._chat, read, REPLY_TOKENS))
        words = f"reply {hashlib.sha256(key).hexdigest()[:8]}"  # like real ones, unlike for unlike prompts
        return Reply(words, None if schema is None else make_placeholder(schema, words), stands_in=True)

    def _recall(
        self, messages: Sequence[Message], schema: type[BaseModel] | None, asked: int, repeat: int
    ) -> tuple[bytes, Reply | None]:
        if isinstance(self._chat, RecallingChat):
            return self._chat.recall(messages, schema=schema, asked=asked, repeat=repeat)
        turns = [(each.role, each.content) for each in messages]
        return json.dumps([turns, schema and schema.__name__, asked, repeat]).encode(), None


def _cost(chat: ChatModel, prompt_tokens: int, completion_tokens: int) -> float | None:
    return chat.cost(prompt_tokens, completion_tokens) if isinstance(chat, RecallingChat) else None


def _sum(needs: Sequence[Need]) -> Need:
    costs = [each.cost_usd for each in needs]
    return Need(
        len(needs),
        sum(each.prompt_tokens for each in needs),
        sum(each.completion_tokens for each in needs),
        None if None in costs else sum(cost for cost in costs if cost is not None),
    )
