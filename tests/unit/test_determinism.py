"""Same inputs, same output, whatever the hash seed, from two fresh indexes."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
MAY_DIFFER = {"created", "seconds", "timing_ms", "effort", "calls", "latency_ms"}


def start(seed: str, home: Path) -> subprocess.Popen[str]:
    command = [sys.executable, "-m", "rag_variants.cli", "compare", "keyword", "hybrid", "--limit", "6", "--json"]
    environment = {**os.environ, "PYTHONHASHSEED": seed, "RAG_VARIANTS_HOME": str(home), "PYTHONUTF8": "1"}
    pipe = subprocess.PIPE
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True, encoding="utf-8", cwd=ROOT, env=environment)


def without_clocks(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: without_clocks(each) for name, each in value.items() if name not in MAY_DIFFER}
    return [without_clocks(each) for each in value] if isinstance(value, list) else value


def test_two_runs_give_the_same_bytes(tmp_path):
    running = [start(seed, tmp_path / seed) for seed in ("1", "4242")]
    ended = [each.communicate(timeout=120) for each in running]
    assert [each.returncode for each in running] == [0, 0], ended
    documents = [json.loads(shown) for shown, _ in ended]
    assert len(documents[0]["rows"]) == 6
    assert documents[0]["metrics"]
    first, second = (json.dumps(without_clocks(each), ensure_ascii=False, indent=1) for each in documents)
    assert first == second
