"""Which metrics are tested together: fixed families, so that a metric's verdict is one whatever else is measured."""

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from rag_variants.evaluation.statistics.paired import Delta, Verdict, compare_paired
from rag_variants.metrics import all_metrics
from rag_variants.metrics.metric import Family

Deltas = Mapping[str, Mapping[str, float]]  # B − A by metric and question

FAMILIES: tuple[Family, ...] = ("retrieval", "judged", "answer")
"""The families that decide; each is tested at 5 % ÷ 3."""
# What was read is neither better nor worse.
_READ: Mapping[Verdict, Verdict] = {"better": "more", "worse": "less"}


def compare_families(steps: Sequence[Deltas], *, seed: int = 0) -> list[dict[str, Delta]]:
    """The tested deltas of each step by metric, in the order given.

    Metrics of one family are tested together, over all steps (see `compare_paired`); families know nothing of each
    other. Retrieval, judged and answer metrics together give a false verdict in at most 5 % of comparisons. Metrics
    asked for on top of these are a family of their own at the same level, and so are those of what was read, which say
    more or less in place of better or worse.
    """
    families: defaultdict[Family, dict[tuple[int, str], Mapping[str, float]]] = defaultdict(dict)
    for at, deltas in enumerate(steps):
        for name, found in deltas.items():
            families[all_metrics()[name].family][at, name] = found
    tested = dict(each for family, members in families.items() for each in _test_family(family, members, seed))
    return [{name: tested[at, name] for name in deltas} for at, deltas in enumerate(steps)]


def _test_family(
    family: Family, members: Mapping[tuple[int, str], Mapping[str, float]], seed: int
) -> Iterator[tuple[tuple[int, str], Delta]]:
    written = {f"{at:05} {name}": (at, name) for at, name in members}
    found = compare_paired(
        {key: members[member] for key, member in written.items()},
        {key: all_metrics()[name].higher_is_better for key, (_, name) in written.items()},
        span={key: all_metrics()[name].span for key, (_, name) in written.items()},
        seed=seed,
    )
    for key, delta in found.items():
        yield written[key], _as_read(delta) if family == "read" else delta


def _as_read(delta: Delta) -> Delta:
    return replace(delta, verdict=_READ.get(delta.verdict, delta.verdict))


def partly_measured(measured: Collection[str]) -> tuple[str, ...]:
    """A sentence for each deciding family of which a run measures some metrics and leaves others out."""
    sentences = []
    for family in FAMILIES:
        whole = [metric.name for metric in all_metrics().values() if metric.family == family]
        missing = [name for name in whole if name not in measured]
        if 0 < len(missing) < len(whole):
            sentences.append(
                f"{len(whole) - len(missing)} of {len(whole)} {family} metrics measured: tested together with the "
                f"others ({', '.join(missing)}), a verdict may differ."
            )
    return tuple(sentences)
