"""Make sample_kb/recorded/smollm2.jsonl: what SmolLM2 says to the questions of lessons. Run by `make recordings`.

Replies that came in an earlier, broken-off try are not asked for again.
"""

import sys
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime

from rag_variants.evaluation.plan import make_plan
from rag_variants.evaluation.recording import recorded_answers
from rag_variants.evaluation.run import Experiment
from rag_variants.lessons.reader import load_lessons
from rag_variants.llm.opening import open_chat
from rag_variants.pipeline.answer.recording_lines import RecordedAnswer
from rag_variants.pipeline.answer.recordings import ENDING, print_recording
from rag_variants.pipeline.bench import open_bench
from rag_variants.pipeline.pipeline import as_pipeline
from rag_variants.pipeline.spec import print_variant
from rag_variants.sample import sample_lessons_file
from rag_variants.settings import Settings, packaged
from rag_variants.whole_files import write_whole
from tools.local_server import MODEL, LocalServer, versions

LESSONS = ("rulers-precision",)
PORT = 18_642  # an address is part of what a kept reply is found by
# Long answers of so small a model go in circles: cut ones are no answers and are left out.
LIMITS = {"max_tokens": 160, "timeout": 900.0, "attempts": 3}


def record(server: LocalServer) -> Iterator[RecordedAnswer]:
    """The answers to the questions of each lesson, from both of its variants, where the model came to an end."""
    settings = Settings(endpoints={"local": server.settings(**LIMITS)})
    plan = make_plan(metrics="effort")
    bench = replace(
        open_bench(plan.knowledge, plan.today),
        open_chat=lambda spec, temperature: open_chat(spec, settings, temperature=temperature),
    )
    created = datetime.now(UTC).date().isoformat()
    for name in LESSONS:
        lesson = load_lessons(sample_lessons_file(), plan.questions).find(name)
        variants = [replace(as_pipeline(each), answerer=f"local:{MODEL}") for each in (lesson.a, lesson.b)]
        experiment = Experiment(variants, plan.restricted(lesson.part), bench)
        done = 0
        for step in experiment.steps():
            if step.done != done:
                done = step.done
                print(f"{name}: {step.step} {done} of {step.of}", file=sys.stderr)
        for run in experiment.runs():
            origin = {**versions(), "prompt": as_pipeline(run.variant).prompt, "lesson": name, "created": created}
            answers = recorded_answers(run, origin)
            print(f"{print_variant(run.variant)}: {len(answers)} of {len(run.rows)} answered", file=sys.stderr)
            yield from answers


def main() -> None:
    """Writes the file and says how many answers it holds."""
    with LocalServer(port=PORT) as server:
        kept = {(each.user_input, each.chunks): each for each in record(server)}
    path = packaged("sample_kb") / "recorded" / f"{MODEL}{ENDING}"
    path.parent.mkdir(exist_ok=True)
    write_whole(path, print_recording(kept.values()))
    print(f"{len(kept)} answers, {path.stat().st_size / 1e3:.1f} kB", file=sys.stderr)


if __name__ == "__main__":
    main()
