"""The flow of chunks as rows: what the chart draws and the table beneath says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from rag_variants.evaluation.reasons.chunk_flow import ChunkChange, ChunkFlow, Place, SideName
from rag_variants.questions.gold import Mark
from rag_variants.report.flow_words import cut_words, fate_words, mark_words, noteworthy, out_words

_LONGEST = 27  # letters of a document's name beside its point
_GAP = 0.75  # rows between what was handed over and what was not


@dataclass(frozen=True, slots=True)
class FlowPoint:
    """A chunk in the chart: its row from the top, its name, and what stands beneath it."""

    side: SideName
    row: float
    name: str
    note: str
    state: str
    rank: int
    document: str
    became: str


@dataclass(frozen=True, slots=True)
class FlowLine:
    """The same text in both rankings: from A's row to B's; `share` 0…1 is its width."""

    start: float
    end: float
    share: float
    gold: bool
    words: str


@dataclass(frozen=True, slots=True)
class FlowCut:
    """The line below which nothing was handed to the answer."""

    side: SideName
    row: float
    words: str


@dataclass(frozen=True, slots=True)
class FlowRows:
    """Everything that the chart of a flow draws; `rows` is its height in rows."""

    points: tuple[FlowPoint, ...]
    lines: tuple[FlowLine, ...]
    cuts: tuple[FlowCut, ...]
    rows: float


def flow_rows(flow: ChunkFlow, *, whole: bool = False) -> FlowRows:
    """The rows of the chart: what was handed over and what explains it; with `whole` both rankings to their end."""
    kept = list(flow.a + flow.b if whole else noteworthy(flow))
    at = {id(place): row for side in ("a", "b") for place, row in _placed([p for p in kept if p.side == side])}
    shown = [place for place in (*flow.a, *flow.b) if id(place) in at]
    changes = {id(change.place): change for change in flow.changes}
    points = tuple(_point(place, at[id(place)], changes.get(id(place))) for place in shown)
    lines = tuple(
        FlowLine(at[id(link.a)], at[id(link.b)], link.share, bool(link.a.mark.gold and link.b.mark.gold),
                 f"{link.shared} characters in both")
        for link in flow.links if id(link.a) in at and id(link.b) in at
    )  # fmt: skip
    cuts = tuple(_cuts(flow))
    return FlowRows(points, lines, cuts, max([1.0, *(point.row + 1 for point in points)]))


def flow_table(flow: ChunkFlow, *, whole: bool = False) -> list[dict[str, str]]:
    """The flow as a table, for those who do not see the chart: B's chunks by rank, then those that left.

    With `whole`, then every other chunk that was ranked: B's, then those that A alone found.
    """
    rows = [_table_row(change.place, change.before, change.after, fate_words(change)) for change in flow.changes]
    if whole:
        told = {id(change.place) for change in flow.changes}
        told |= {id(flow.counterpart(change.place)) for change in flow.changes}
        for place in (*flow.b, *(place for place in flow.a if flow.counterpart(place) is None)):
            if id(place) not in told:
                other = flow.counterpart(place)
                here, there = place.hit.rank, other.hit.rank if other else None
                before, after = (there, here) if place.side == "b" else (here, None)
                in_b = place if place.side == "b" else other
                rows.append(_table_row(place, before, after, out_words(in_b) if in_b else "not found"))
    return rows


def _table_row(place: Place, before: int | None, after: int | None, became: str) -> dict[str, str]:
    ranks = {"A rank": str(before or "–"), "B rank": str(after or "–")}
    return {"chunk": _span(place), **ranks, "in B": became, "mark": mark_words(place.mark)}


def _placed(places: Sequence[Place]) -> Iterator[tuple[Place, float]]:
    for row, place in enumerate(places):
        yield place, row + (0 if place.handed else _GAP)


def _cuts(flow: ChunkFlow) -> Iterator[FlowCut]:
    sides: tuple[SideName, ...] = ("a", "b")
    for side in sides:
        cut = flow.cut(side)
        if cut:
            yield FlowCut(side, cut.handed - 0.5 + _GAP / 2, cut_words(cut))


def _point(place: Place, row: float, change: ChunkChange | None) -> FlowPoint:
    chunk = place.hit.chunk
    became = fate_words(change) if change else ""
    passed = cut_words(place.passed) if place.passed else ""
    notes = [f"{chunk.start}–{chunk.end}", mark_words(place.mark), passed, _short(change) if place.side == "b" else ""]
    return FlowPoint(
        side=place.side,
        row=row,
        name=f"{place.hit.rank}  {_short_name(chunk.document)}",
        note=" · ".join(note for note in notes if note),
        state=_state(place.mark),
        rank=place.hit.rank,
        document=_span(place),
        became=became,
    )


def _short(change: ChunkChange | None) -> str:
    """A move in B's list as the chart has room for it."""
    if change is None or change.fate == "left":
        return ""
    return "new" if change.fate == "entered" else fate_words(change).split(" (")[0].replace("= same rank", "=")


def _state(mark: Mark) -> str:
    return "gold" if mark.gold else "part" if mark.part else "trap" if mark.trap else "plain"


def _short_name(document: str) -> str:
    name = PurePosixPath(document).name
    half = (_LONGEST - 1) // 2
    return name if len(name) <= _LONGEST else f"{name[:half]}…{name[-half:]}"


def _span(place: Place) -> str:
    chunk = place.hit.chunk
    return f"{chunk.document} {chunk.start}–{chunk.end}"
