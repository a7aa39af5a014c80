"""Which column of a file means what; older and other tools' names are understood."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Any

from rag_variants.questions.table import MOST_PLACES, named_places

# What a question is made of, with other names for it. The own name wins where a row fills several.
_NAMES: Mapping[str, tuple[str, ...]] = {
    "id": ("question_id", "qid"),
    "user_input": ("question", "query", "prompt", "input", "user_query", "user_question"),
    "reference": (
        "ground_truth",
        "ground_truths",
        "reference_answer",
        "expected_answer",
        "expected_output",
        "expected",
        "gold_answer",
        "correct_answer",
        "truth",
        "answer_orig",
    ),
    "answerable": ("is_answerable",),
    "evidence": (),
    "answer_keys": ("keys",),
    "avoid": (),
    "traps": (),
    "tags": (),
    "reference_contexts": (
        "ground_truth_contexts",
        "gold_contexts",
        "gold_chunks",
        "golden_chunks",
        "golden_contexts",
        "correct_chunks",
        "context",
    ),
    "reference_context_ids": ("ground_truth_context_ids", "gold_context_ids"),
    "response": ("answer",),
    "retrieved_contexts": ("contexts",),
    "retrieved_context_ids": (),
}
_MEANING = {name: own for own, others in _NAMES.items() for name in (own, *others)}
TAG_COLUMNS = ("kind", "language", "area", "risk", "split")
_TAG_PREFIXES = ("tags.", "tag.")
_NEARLY = 0.8  # difflib's ratio, from which on a name may be a slip of the pen
_UNUSED = {
    "response": "variants answer themselves",
    "retrieved_contexts": "variants retrieve themselves",
    "retrieved_context_ids": "variants retrieve themselves",
}


def meaning(column: str) -> str | None:
    """The own name of a column (`question` → `user_input`, `Tags.kind` → `tags.kind`), or None if it is unknown."""
    name = column.strip().lower().replace(" ", "_").replace("-", "_")
    for prefix in _TAG_PREFIXES:
        if name.startswith(prefix) and len(name) > len(prefix):
            return f"tags.{column.strip()[len(prefix) :]}"
    return f"tags.{name}" if name in TAG_COLUMNS else _MEANING.get(name)


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns of a file by what they mean; the first that is filled counts."""

    sources: Mapping[str, tuple[str, ...]]
    notes: tuple[str, ...]

    def value(self, row: Mapping[str, Any], name: str) -> Any:
        """What a row says, or None where it is silent or blank."""
        return row.get(self.source(row, name))

    def source(self, row: Mapping[str, Any], name: str) -> str:
        """The column that a row says it in, by the name that stands in the file."""
        columns = self.sources.get(name, (name,))
        filled = (column for column in columns if not is_blank(row.get(column)))
        return next(filled, next((column for column in columns if column in row), columns[0]))

    def tags(self) -> dict[str, str]:
        """Columns that are tags, by the tag's name."""
        prefix = _TAG_PREFIXES[0]
        return {name.removeprefix(prefix): each[0] for name, each in self.sources.items() if name.startswith(prefix)}


def is_blank(value: Any) -> bool:
    """Nothing, or text of blanks only. The texts NA and None are data."""
    return value is None or (isinstance(value, str) and not value.strip())


def _unused(columns: Sequence[str]) -> Iterator[str]:
    """The columns that mean nothing, one that is nearly a known name by itself."""
    plain = []
    for column in columns:
        near = get_close_matches(column.strip().lower(), _MEANING, n=1, cutoff=_NEARLY)
        if near:
            yield f"column {column[:60]!r} is not used; if it is meant as {near[0]}, name it so"
        else:
            plain.append(repr(column[:60]))
    if len(plain) > MOST_PLACES:
        yield f"columns {named_places(plain)} are not used"
    else:
        yield from (f"column {each} is not used" for each in plain)


def read_columns(columns: Iterable[str]) -> Columns:
    """What the columns mean, with a note on each that was renamed or is not used."""
    sources: dict[str, list[str]] = {}
    notes: list[str] = []
    unused: list[str] = []
    for column in columns:
        name = meaning(column)
        if name is None:
            unused.append(column)
            continue
        sources.setdefault(name, []).append(column)
        renamed = f"{column} → {name}" if column != name else name
        if name in _UNUSED:
            notes.append(f"{renamed}: read, but not used in a comparison, because {_UNUSED[name]}")
        elif column != name:
            notes.append(renamed)
    if "response" in sources and "reference" not in sources:
        notes.append(f"if {sources['response'][0]} holds the right answers, name it reference")
    notes += _unused(unused)
    for name, each in sources.items():
        each.sort(key=lambda column, name=name: column != name)  # type: ignore[misc]
    return Columns({name: tuple(each) for name, each in sources.items()}, tuple(notes))
