"""What a person entered for answer relevancy, in place of what a judge read."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class GeneratedQuestion:
    """A question read out of an answer: its cosine −1…1 with the real question, and whether the answer was evasive."""

    similarity: float
    noncommittal: bool = False
