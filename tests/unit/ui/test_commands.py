"""A page's work as a command line: quoted, and without what is at its default."""

import argparse
import shlex
from dataclasses import replace

from rag_variants.cli.sweep import add_commands
from rag_variants.evaluation.plan import Plan
from rag_variants.metrics import choose_metrics
from rag_variants.pipeline import read_variant
from rag_variants.ui.commands import sweep_command
from rag_variants.ui.url import Selection
from tests.unit.evaluation.tuning.test_sweep_work import plan

SELECTION = Selection(read_variant("keyword"), read_variant("hybrid"))


def usual() -> Plan:
    return replace(plan(), metrics=tuple(choose_metrics("retrieval,core,answer,effort")))


def test_defaults_are_left_away():
    assert sweep_command(read_variant("keyword:top_k=3"), ["top_k=1..10"], "", usual(), SELECTION) == (
        "rag-variants sweep keyword:top_k=3 --over top_k=1..10"
    )


def test_what_is_chosen_is_said_and_quoted():
    selection = replace(SELECTION, documents="my docs", questions="q$.csv", slice="language=pl|zh", metrics="retrieval")
    chosen = replace(usual(), metrics=tuple(choose_metrics("retrieval,effort")), judge="openai:gpt-x")
    written = sweep_command(read_variant("keyword"), ["top_k=1,2", "b=0..1"], "mrr", chosen, selection)
    assert shlex.split(written)[2:] == [
        "keyword", "--over", "top_k=1,2", "--over", "b=0..1", "--metric", "mrr", "--kb", "my docs", "--questions",
        "q$.csv", "--slice", "language=pl|zh", "--metrics", "retrieval", "--judge", "openai:gpt-x",
    ]  # fmt: skip
    parser = argparse.ArgumentParser()
    add_commands(parser.add_subparsers())
    options = parser.parse_args(shlex.split(written)[1:])
    assert (options.over, options.metric, options.slice) == (["top_k=1,2", "b=0..1"], "mrr", "language=pl|zh")


def test_metrics_that_the_page_measures_count_not_those_of_the_link():
    measured = replace(usual(), metrics=tuple(choose_metrics("mrr,ndcg,effort")))
    assert sweep_command(read_variant("keyword"), ["b=0,1"], "", measured, SELECTION).endswith("--metrics mrr,ndcg")
