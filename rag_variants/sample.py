"""The knowledge base and questions that come with the product."""

from pathlib import Path

from rag_variants.settings import packaged

SAMPLE_NAME = "sample"
# What a comparison on the sample runs over unless told otherwise. The other questions were planted for the lessons, so
# that a known effect shows: mixed in, they would decide every comparison.
SAMPLE_PART = "set=general"


def sample_folder() -> Path:
    """Where the sample's documents lie."""
    return packaged("sample_kb") / "documents"


def sample_questions_file() -> Path:
    """Where the sample's questions lie."""
    return packaged("sample_kb") / "questions.jsonl"


def sample_labels_file() -> Path:
    """Where the labels for measuring a judge lie."""
    return packaged("sample_kb") / "judge_labels.jsonl"


def sample_lessons_file() -> Path:
    """Where the sample's lessons lie."""
    return packaged("sample_kb") / "lessons.jsonl"
