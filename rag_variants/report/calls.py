"""Calls to chat models and what they cost, in words."""

from collections.abc import Sequence

from rag_variants.evaluation.forecast import CallForecast, Need
from rag_variants.evaluation.runs import Run
from rag_variants.llm.calls import Calls
from rag_variants.report.words import money_words

_ASKERS = ("queries", "answers", "judge")


def calls_words(calls: Calls, of: int = 0) -> str:
    """How calls ended: `412 calls made, 38 reused, 2 failed`; `412 of about 1,050 calls made` where that is known."""
    about = f" of about {of:,}" if of else ""
    words = [f"{calls.issued:,}{about} call{'' if (of or calls.issued) == 1 else 's'} made"]
    words += [f"{calls.reused:,} reused"] if calls.reused else []
    words += [f"{calls.failed:,} failed"] if calls.failed else []
    return ", ".join(words)


def cost_lines(runs: Sequence[tuple[str, Run]]) -> list[str]:
    """A line per side and asker that called a chat model: calls, tokens, money. `runs` are (badge, run)."""
    return [
        f"{badge}{' ' if badge else ''}{asker}: {calls_words(calls)}{_taken(calls)}"
        for badge, run in runs
        for asker in _ASKERS
        if (calls := getattr(run.calls, asker))
    ]


def forecast_lines(forecast: CallForecast) -> list[str]:
    """What a run would still take, a line per model, and how many replies are at hand."""
    lines = [f"{spec}: about {need.calls:,} calls{_needed(need)}" for spec, need in forecast.calls.items()]
    lines += [f"{spec}: about {need.calls:,} texts to embed{_needed(need)}" for spec, need in forecast.texts.items()]
    if forecast.kept:
        lines.append(f"{forecast.kept:,} replies are at hand and cost nothing.")
    if forecast.guessed:
        lines.append("The chunks are guessed with the embedded encoder until the other one has embedded them.")
    if forecast.unordered:
        lines.append("The chunks are those of the search until the reranker has ordered them.")
    return lines or ["Nothing is asked of a model elsewhere."]


def _needed(need: Need) -> str:
    written = f", {_about(need.completion_tokens)} written" if need.completion_tokens else ""
    money = "price not known" if need.cost_usd is None else f"about {money_words(need.cost_usd)}"
    return f" · ≈ {_about(need.prompt_tokens)} tokens read{written} · {money}"


def _about(tokens: int) -> str:
    return f"{float(f'{tokens:.2g}'):,.0f}"


def _taken(calls: Calls) -> str:
    if not calls.issued:
        return "; nothing to pay"
    tokens = f"{calls.prompt_tokens:,} tokens read, {calls.completion_tokens:,} written"
    return f"; {tokens}; {money_words(calls.cost_usd)}"
