"""Agreements of judges that were measured here, kept in the state folder."""

import hashlib
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from rag_variants.errors import StateError
from rag_variants.whole_files import write_whole

SAMPLE = "sample"


def save_agreement(home: Path, labels: str, measured: Mapping[str, Any]) -> None:
    """Keeps the figures of `measured["judge"]` on a set of labels, in place of what was kept. Raises StateError."""
    path = _path(home, labels, measured["judge"])
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_whole(path, json.dumps(measured, ensure_ascii=False, indent=1))
    except OSError as error:
        raise StateError(
            f"The agreement cannot be kept in {path} ({error.strerror}). Free some space, or set RAG_VARIANTS_HOME."
        ) from error


def find_agreement(home: Path, labels: str, spec: str) -> Mapping[str, Any] | None:
    """The figures kept for a judge and a set of labels; None if there are none, or none that can be read."""
    try:
        measured = json.loads(_path(home, labels, spec).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):  # a broken one is measured again
        return None
    known = isinstance(measured, dict) and measured.get("judge") == spec and {"n", "accuracy", "by"} <= measured.keys()
    return measured if known else None


def _path(home: Path, labels: str, spec: str) -> Path:
    name = hashlib.sha256(f"{labels}\0{spec}".encode()).hexdigest()[:16]
    return home / "agreements" / f"{name}.json"
