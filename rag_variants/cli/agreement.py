"""`rag-variants agreement`."""

import argparse
import json
from pathlib import Path
from typing import Any

from rag_variants.cli.exits import DONE
from rag_variants.cli.printing import show


def add_commands(commands: Any) -> None:
    """Adds `agreement`."""
    parser = commands.add_parser("agreement", help="how far a judge agrees with people's labels")
    parser.add_argument(
        "--labels", type=Path, metavar="FILE", help="labels, one JSON object a line (default: the sample's)"
    )
    parser.add_argument("--judge", default="embedded", metavar="SPEC", help="default: embedded")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.set_defaults(command=_agreement)


def _agreement(options: argparse.Namespace) -> int:
    from rag_variants.evaluation.judging.agreement import measure_agreement
    from rag_variants.evaluation.plan import make_plan
    from rag_variants.judges.measured_agreements import SAMPLE, save_agreement
    from rag_variants.pipeline.bench import open_bench
    from rag_variants.questions.labels import load_labels
    from rag_variants.report.terminal import agreement_view
    from rag_variants.sample import sample_labels_file
    from rag_variants.settings import Settings

    plan = make_plan(metrics="faithfulness", judge=options.judge)
    labels = load_labels(options.labels or sample_labels_file())
    measured = measure_agreement(labels, plan, open_bench(plan.knowledge, plan.today))
    if options.labels is None:
        save_agreement(Settings().state_folder(), SAMPLE, measured)
    if options.json:
        print(json.dumps(measured, ensure_ascii=False, indent=1))
    else:
        show(agreement_view(measured))
    return DONE
