"""The selection: everything that decides what a screen shows. It is read from and written to the URL here alone."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import streamlit as st

from rag_variants.errors import UserError
from rag_variants.evaluation.reasons.critical import read_critical
from rag_variants.evaluation.reasons.signal_rules import RULES
from rag_variants.judges import check_judge
from rag_variants.llm import check_encoder
from rag_variants.metrics import DEFAULT_METRICS, all_metrics, choose_metrics
from rag_variants.pipeline import Variant, print_variant, read_variant
from rag_variants.text.language import LANGUAGES

DEFAULT_A, DEFAULT_B = "keyword", "hybrid"
SHOWN = ("regressions", "improvements", "ties", "unscored", "all")
BREAKDOWNS = ("tags", "spread", "critical", "signals")
SIDES = ("a", "b")
STEPS = ("story", "differs", "guess", "reveal", "open", "takeaway")
ROOMS = ("lessons", "laboratory", "presentation")
JUDGED = ("on", "off")


@dataclass(frozen=True)
class Selection:
    """What is chosen on the pages. An empty text means the default: the sample, every question, the first metric …

    `shown` filters the table of questions, so do `tag` (`kind=stale`) and `signal` (a rule's name); `slice` restricts
    the run beforehand. `critical` names the questions that are reported apart; `breakdown` is the open part below.
    `order` holds the names of the ladder's steps (`top_k,variant`), for these two variants alone. `over` is what a
    sweep goes over (`top_k=1..10;chunk_size=200,400`), `decides` the metric that decides it.
    `document` and `side` (whose settings cut the chunks) belong to the Knowledge page; `lesson`, `step`, `language`
    and `room` (the lessons, the laboratory, or a presentation) to the Lessons page; `runs`, the ids of kept runs, to
    the Runs page. `tune` is the variant at hand on the Tune page and `pin` the one it is measured against, B where they
    are None; `judged` says whether judged metrics follow there.
    """

    a: Variant
    b: Variant
    documents: str = ""
    questions: str = ""
    slice: str = ""
    metrics: str = DEFAULT_METRICS
    judge: str = "embedded"
    judge_embeddings: str = "embedded"
    metric: str = ""
    shown: str = ""
    tag: str = ""
    signal: str = ""
    breakdown: str = BREAKDOWNS[0]
    critical: str = ""
    question: str = ""
    order: str = ""
    over: str = ""
    decides: str = ""
    document: str = ""
    side: str = "a"
    lesson: str = ""
    step: str = STEPS[0]
    language: str = "en"
    room: str = ROOMS[0]
    runs: str = ""
    tune: Variant | None = None
    pin: Variant | None = None
    judged: str = JUDGED[0]

    @property
    def tuned(self) -> Variant:
        """The variant that the Tune page's sliders stand at."""
        return self.tune or self.b

    @property
    def pinned(self) -> Variant:
        """The variant that the Tune page measures against."""
        return self.pin or self.b

    def variant(self, side: str) -> Variant:
        """The variant of side `a` or `b`, or the one at hand on the Tune page (`tune`)."""
        return {"a": self.a, "tune": self.tuned}.get(side, self.b)


# Field → name in the URL, in the order in which they are written.
NAMES: Mapping[str, str] = {
    "a": "a",
    "b": "b",
    "documents": "kb",
    "questions": "questions",
    "slice": "slice",
    "metrics": "metrics",
    "judge": "judge",
    "judge_embeddings": "judge_embeddings",
    "metric": "metric",
    "shown": "show",
    "tag": "tag",
    "signal": "signal",
    "breakdown": "by",
    "critical": "critical",
    "question": "q",
    "order": "order",
    "over": "over",
    "decides": "decides",
    "document": "doc",
    "side": "side",
    "lesson": "lesson",
    "step": "step",
    "language": "lang",
    "room": "room",
    "runs": "runs",
    "tune": "tune",
    "pin": "pin",
    "judged": "judged",
}


def read_selection(parameters: Mapping[str, str]) -> tuple[Selection, tuple[str, ...]]:
    """The selection that URL parameters give, and one sentence for each value that cannot be used.

    The default stands in for a bad value; unknown parameters mean nothing.
    """
    selection = Selection(read_variant(DEFAULT_A), read_variant(DEFAULT_B))
    problems = []
    for field, name in NAMES.items():
        text = parameters.get(name, "").strip()
        if not text:
            continue
        try:
            selection = replace(selection, **{field: _read(field, text)})
        except UserError as error:
            problems.append(f"The link's {name}={text[:80]} cannot be used, so the default is shown. {error}")
    return selection, tuple(problems)


def print_selection(selection: Selection) -> dict[str, str]:
    """URL parameters that give the selection again: both variants, and what differs from the defaults."""
    default = Selection(selection.a, selection.b)
    found = {"a": print_variant(selection.a), "b": print_variant(selection.b)}
    for field, name in NAMES.items():
        value = getattr(selection, field)
        if name not in found and value != getattr(default, field):
            found[name] = print_variant(value) if isinstance(value, Variant) else value
    return found


def chosen_runs(selection: Selection) -> tuple[str, ...]:
    """The ids of the kept runs that are chosen, each once."""
    return tuple(dict.fromkeys(each.strip() for each in selection.runs.split(",") if each.strip()))


def select_pair(selection: Selection, pin: Variant, now: Variant, question: str = "") -> Selection:
    """The selection in which the pin is A and the setting at hand B, for links from the Tune page to others."""
    return replace(selection, a=pin, b=now, pin=pin, tune=now, order="", question=question or selection.question)


def current_selection() -> Selection:
    """The selection in this page's URL."""
    return read_selection(link_parameters())[0]


def link_parameters() -> dict[str, str]:
    """The parameters of this page's URL. Of one given twice the last counts; of `over` all do, joined by `;`."""
    found: dict[str, str] = st.query_params.to_dict()
    overs = [each for each in st.query_params.get_all("over") if each.strip()]
    return {**found, "over": ";".join(overs)} if len(overs) > 1 else found


def select(**changes: Any) -> None:
    """Changes the selection in the URL; meant for callbacks, which run before the page is drawn."""
    if changes.keys() & {"a", "b"}:
        changes = {"order": "", **changes}
    st.query_params.from_dict(print_selection(replace(current_selection(), **changes)))


def _read(field: str, text: str) -> Any:
    if field in ("a", "b", "tune", "pin"):
        return read_variant(text)
    if field == "metrics":
        choose_metrics(text)
    if field == "judge":
        check_judge(text)
    if field == "judge_embeddings":
        check_encoder(text)
    if field == "runs" and not text.replace(",", "").isalnum():
        raise UserError("Use the ids of kept runs, joined by commas.")
    if field == "critical":
        read_critical(text, ())
    known: Mapping[str, tuple[str, ...]] = {
        "metric": tuple(all_metrics()),
        "decides": tuple(all_metrics()),
        "shown": SHOWN,
        "signal": tuple(rule.name for rule in RULES),
        "breakdown": BREAKDOWNS,
        "side": SIDES,
        "step": STEPS,
        "language": LANGUAGES,
        "room": ROOMS,
        "judged": JUDGED,
    }
    if field in known and text not in known[field]:
        raise UserError(f"Use one of: {', '.join(known[field])}.")
    return text
