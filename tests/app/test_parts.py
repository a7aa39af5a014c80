"""The pure parts of the pages: rows of questions, escaping, flags of the server, jobs."""

import threading
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from rag_variants.errors import ModelError, UserError
from rag_variants.evaluation.comparison import Comparison
from rag_variants.evaluation.plan import Plan
from rag_variants.evaluation.run import Experiment
from rag_variants.evaluation.work import Progress
from rag_variants.llm.calls import Calls
from rag_variants.pipeline import read_variant
from rag_variants.pipeline.variants.hybrid import lone_first_words
from rag_variants.report.charts import DARK, LIGHT, delta_rows
from rag_variants.report.page.deltas import deltas_html
from rag_variants.report.score_words import entry_words
from rag_variants.ui.caches import read_plan
from rag_variants.ui.jobs import Job, _describe
from rag_variants.ui.results import CachedResults, key_of
from rag_variants.ui.rows import count_states, filter_rows, first_filter, question_rows
from rag_variants.ui.server import config_toml, server_options
from rag_variants.ui.text import as_typed
from rag_variants.ui.uploads import is_upload, save_uploads
from rag_variants.ui.work import open_trial

ROOT = Path(__file__).parents[2]


def test_text_is_escaped_for_markdown() -> None:
    assert as_typed("$5 and *b*") == "\\$5 and \\*b\\*"
    assert as_typed("<b>\n# x") == "\\<b\\> \\# x"
    assert ":smile:" not in as_typed("a :smile: b")


def test_the_server_listens_here_alone_and_sends_nothing() -> None:
    flags = server_options(8600)
    options = dict(zip(flags[::2], flags[1::2], strict=True))
    assert options["--server.address"] == "localhost"
    assert options["--server.port"] == "8600"
    assert options["--browser.gatherUsageStats"] == "false"
    assert options["--client.showSidebarNavigation"] == "false"


def test_the_checkout_says_the_same_as_the_flags() -> None:
    text = (ROOT / ".streamlit" / "config.toml").read_text(encoding="utf-8")
    assert text == config_toml(), "write it again with rag_variants.ui.server.config_toml()"
    assert tomllib.loads(text)["server"]["address"] == "localhost"


@pytest.fixture
def plan(base: dict[str, str]) -> Plan:
    return read_plan(base["kb"], base["questions"], base["metrics"])


def job_of(plan: Plan, kept: CachedResults[Comparison], b: str = "keyword:top_k=1") -> Job[Comparison]:
    pair = read_variant("keyword"), read_variant(b)
    return Job(key_of(*pair, plan), open_trial(*pair, plan), kept.keep)


def test_a_job_keeps_a_finished_comparison(plan: Plan) -> None:
    kept = CachedResults[Comparison]()
    job = job_of(plan, kept)
    job.start()
    assert job.wait(60)
    assert job.problem is None
    assert job.result is not None
    assert kept.find(job.key) is job.result
    assert job.snapshot.words == "3 of 3 questions answered and scored"


def test_progress_of_a_sweep_counts_answers_in_threes() -> None:
    words = _describe(Progress("answers", 1448, 19900), 0, 1.0, 1448).words
    assert words == "1,448 of 19,900 questions done, each once per setting"
    paid = Progress("answers", 10, 20, Calls(issued=3))
    assert _describe(paid, 12, 1.0, 0).share == 3 / 12, "calls, where it is known how many there will be"


def test_a_stopped_job_has_what_was_finished_and_is_not_kept(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    one_done, steps = threading.Event(), Experiment.steps

    def halting(self: Experiment) -> Any:
        for progress in steps(self):
            if progress == Progress("questions", 1, 3):
                one_done.set()
                stopped.wait(30)
            yield progress

    stopped = threading.Event()
    monkeypatch.setattr(Experiment, "steps", halting)
    kept = CachedResults[Comparison]()
    job = job_of(plan, kept)
    job.start()
    assert one_done.wait(30)
    job.stop()
    stopped.set()
    assert job.wait(30)
    assert job.result is not None
    assert len(job.result.pairs) == 1
    assert kept.find(job.key) is None


def test_a_run_that_cannot_go_on_says_why_and_shows_what_was_finished(
    plan: Plan, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = Experiment.steps

    def refused(self: Experiment) -> Any:
        for progress in steps(self):
            yield progress
            if progress.done == 2:
                raise ModelError("The key was refused. Set OPENAI_API_KEY.")

    monkeypatch.setattr(Experiment, "steps", refused)
    job = job_of(plan, CachedResults[Comparison]())
    job.start()
    assert job.wait(30)
    assert job.problem == "The key was refused. Set OPENAI_API_KEY."
    assert job.result is not None
    assert (len(job.result.pairs), job.complete) == (2, False)


def test_a_package_that_fails_becomes_a_sentence(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Experiment, "steps", lambda self: 1 / 0)
    job = job_of(plan, CachedResults[Comparison]())
    job.start()
    assert job.wait(30)
    assert job.problem is not None
    assert "ZeroDivisionError" in job.problem


def test_rows_are_worst_first_and_counted(plan: Plan) -> None:
    job = job_of(plan, CachedResults[Comparison](), "keyword:tokens=words")
    job.start()
    job.wait(60)
    assert job.result is not None
    rows = question_rows(job.result, "hit_rate")
    deltas = [row.delta for row in rows if row.delta is not None]
    assert deltas == sorted(deltas)
    counts = count_states(rows)
    assert counts["all"] == 3 == counts["regressions"] + counts["improvements"] + counts["ties"] + counts["unscored"]
    assert [row.question.id for row in filter_rows(rows, "all", "kind=exact_id")] == ["q2"]
    assert first_filter({"regressions": 0, "improvements": 2}) == "improvements"


def test_the_chart_holds_every_metric_and_no_colour_but_the_sides(plan: Plan) -> None:
    job = job_of(plan, CachedResults[Comparison]())
    job.start()
    job.wait(60)
    assert job.result is not None
    rows = delta_rows(job.result)
    assert [row.heading for row in rows if row.heading] == ["Found it?", "Ranked it?", "What was read"]
    assert len([row for row in rows if row.label]) == len(job.result.metrics)
    for colours in (LIGHT, DARK):
        specification = deltas_html(rows, colours)
        assert specification.count('class="mean"') == len(job.result.metrics)
        assert colours.a in specification
        assert colours.b in specification


@dataclass
class Sent:
    name: str
    content: bytes

    def getvalue(self) -> bytes:
        return self.content


def test_files_sent_are_kept_by_content_and_stay_in_their_folder(tmp_path: Path) -> None:
    files = [Sent("../../etc/a.md", b"one"), Sent("..\\b.md", b"two"), Sent("/c.md", b"three")]
    folder = save_uploads(files)
    assert folder.parent.parent == tmp_path / "home" / "uploads"
    assert sent_to(folder) == {"b.md": b"two", "c.md": b"three", "etc/a.md": b"one"}
    assert folder.name == "b.md, c.md and 1 more"
    assert save_uploads(files[::-1]) == folder
    assert save_uploads(files[:1]) != folder
    assert is_upload(str(folder))


def sent_to(folder: Path) -> dict[str, bytes]:
    files = [each for each in folder.rglob("*") if each.is_file()]
    return {each.relative_to(folder).as_posix(): each.read_bytes() for each in files}


@pytest.mark.parametrize("top", ["handbook", "Zażółć", "手册"])
def test_files_of_one_name_in_a_folder_are_both_kept(top: str) -> None:
    folder = save_uploads([Sent(f"{top}/A/readme.md", b"one"), Sent(f"{top}/B/readme.md", b"two")])
    assert sent_to(folder) == {"A/readme.md": b"one", "B/readme.md": b"two"}
    assert folder.name == top


@pytest.mark.parametrize("other", ["readme.md", "README.md", "./readme.md"])
def test_files_of_one_name_and_no_folder_are_refused_by_name(other: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"2 files share a name, and none was kept: .*readme\.md"):
        save_uploads([Sent("readme.md", b"one"), Sent(other, b"two"), Sent("c.md", b"three")])
    assert not (tmp_path / "home" / "uploads").exists()


def test_verdicts_are_told_with_sentence_and_veto() -> None:
    row = {
        "statement": "It costs 30.",
        "verdict": 0,
        "label": "contradicted",
        "sentence": "It costs\n14.",
        "veto": "30",
    }
    assert entry_words(row) == "contradicted: It costs 30.\n    by “It costs 14.”\n    against it: 30"
    assert entry_words({"alternatives": ["a", "b"], "found": None}) == "alternatives: a, b · found: nothing"


def test_kept_comparisons_are_bounded() -> None:
    kept = CachedResults[Any](limit=2)
    made: list[Any] = [object(), object(), object()]
    for at, each in enumerate(made):
        kept.keep((at,), each)
    assert [kept.find((at,)) for at in range(3)] == [None, made[1], made[2]]


def test_kept_comparisons_count_for_what_they_weigh() -> None:
    """Texts up to 6 letters in all: of 3, 2 and 3 the first goes (3 + 2 + 3 = 8), and the last is kept in any case."""
    kept = CachedResults[str](limit=6, weigh=len)
    for text in ("aaa", "bb", "ccc"):
        kept.keep((text,), text)
    assert [kept.find((text,)) for text in ("aaa", "bb", "ccc")] == [None, "bb", "ccc"]  # 2 + 3 = 5
    kept.keep(("bb",), "bb")  # the same once more weighs nothing more
    assert kept.find(("ccc",)) == "ccc"
    kept.keep(("long",), "d" * 9)
    assert [kept.find((text,)) for text in ("bb", "ccc", "long")] == [None, None, "d" * 9]


@pytest.mark.parametrize(
    ("spec", "words"),
    [
        ("hybrid", "A chunk that only one list has, even at its rank 1, comes after every chunk of both"),
        ("hybrid:rrf_k=5", "only one list has, at its rank 1, comes after those that both have down to rank 6 ("),
        ("hybrid:rrf_k=10,keyword_weight=0.2", "comes after those that both have down to rank 44;"),
        ("hybrid:keyword_weight=0", "A chunk that only the keyword list has gets no vote"),
    ],
)  # fmt: skip
def test_beside_rrf_k_stands_what_it_means_for_a_chunk_of_one_list(spec: str, words: str) -> None:
    assert words in lone_first_words(read_variant(spec))


@dataclass
class Asking:
    """Work of two questions whose calls are all made before the first one ends."""

    seen: list[tuple[str, float]]
    job: Job[str] | None = None
    complete: bool = True

    def steps(self) -> Iterator[Progress]:
        for done, issued in ((0, 0), (0, 3), (1, 9), (2, 12)):
            yield Progress("questions", done, 2, Calls(issued, 1))
            assert self.job is not None
            self.seen.append((self.job.snapshot.words, self.job.snapshot.share))

    def result(self) -> str:
        return "done"


@pytest.mark.parametrize(("calls", "shares"), [(12, [0, 3 / 12, 9 / 12, 1]), (0, [0, 0, 1 / 2, 1])])
def test_progress_is_measured_in_calls_where_their_number_is_known(calls: int, shares: list[float]) -> None:
    work = Asking([])
    work.job = Job(("key",), lambda: work, lambda key, result: None, calls)
    work.job.start()
    assert work.job.wait(30)
    assert [share for _, share in work.seen] == shares
    assert ("3 of about 12 calls made, 1 reused" in work.seen[1][0]) == bool(calls)
