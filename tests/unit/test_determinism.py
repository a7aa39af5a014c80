"""Same inputs, same output: from two fresh processes, indexes and hash seeds."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent.parent
CHANGING = ("created", "seconds", "timing_ms", "effort", "calls")


def test_two_runs_give_the_same_bytes(tmp_path: Path) -> None:
    shown = []
    for seed in ("1", "2"):
        environment = {**os.environ, "PYTHONHASHSEED": seed, "RAG_VARIANTS_HOME": str(tmp_path / seed)}
        command = [sys.executable, "-m", "rag_variants.cli", "compare", "keyword", "hybrid", "--limit", "12"]
        done = subprocess.run(
            [*command, "--json", "--quiet"], env=environment, cwd=ROOT, capture_output=True, check=True, text=True
        )
        shown.append(json.dumps(stable(json.loads(done.stdout)), ensure_ascii=False))
    assert shown[0] == shown[1]


def stable(found: Any) -> Any:
    """The document without what a clock decides, in the order it was written."""
    if isinstance(found, dict):
        return {key: stable(value) for key, value in found.items() if key not in (*CHANGING, "latency_ms")}
    return [stable(value) for value in found] if isinstance(found, list) else found
