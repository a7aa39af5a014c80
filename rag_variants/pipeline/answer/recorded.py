"""The answerer that replays: what was once answered to the same question, word for word."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from rag_variants.pipeline.answer.answerer import AnswererKind
from rag_variants.pipeline.answer.recording_lines import RecordedAnswer, RecordingError
from rag_variants.pipeline.answer.recordings import (
    RECORDED_NAME,
    Recording,
    find_recording,
    is_recorded,
    load_recording,
    recording_names,
    recording_stamp,
)
from rag_variants.pipeline.bench import Bench
from rag_variants.pipeline.stage_key import StageKey
from rag_variants.settings import Settings
from rag_variants.types import Answer, Hit


@dataclass(frozen=True)
class RecordedAnswerer:
    """Gives back the answers of a recording. `variant` is the present one, in its written form without its answerer."""

    recording: Recording
    variant: str
    _by_question: Mapping[str, Sequence[RecordedAnswer]] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        found: dict[str, list[RecordedAnswer]] = {}
        for each in self.recording.answers:
            found.setdefault(_squeezed(each.user_input), []).append(each)
        object.__setattr__(self, "_by_question", found)

    def answer(self, question: str, hits: Sequence[Hit]) -> Answer:
        """The answer that fits best: for these chunks, for this variant, for any; of equals the first of the file.

        Raises RecordingError, which says what to do, if no answer was recorded for the question or for what was found.
        """
        kept = self._by_question.get(_squeezed(question), ())
        chunks = tuple(hit.chunk.id for hit in hits)
        for fits in (
            [each for each in kept if each.chunks == chunks],
            [each for each in kept if each.chunks is None and each.variant == self.variant],
            [each for each in kept if each.chunks is None and each.variant is None],
        ):
            if fits:
                return fits[0].answer
        raise RecordingError(self._why_none(kept))

    @property
    def version(self) -> str:
        """The fingerprint of the file."""
        return self.recording.fingerprint

    @property
    def notes(self) -> tuple[str, ...]:
        """What was left out of the file, a sentence a line."""
        return tuple(f"Recording {self.recording.name}, {each.name} left out: {each.reason}"
                     for each in self.recording.skipped)  # fmt: skip

    def _why_none(self, kept: Sequence[RecordedAnswer]) -> str:
        name, left_out = self.recording.name, len(self.recording.skipped)
        hint = f" {left_out} of its lines cannot be read and may hold it." if left_out else ""
        if not kept:
            return (
                f"The recording {name} holds no answer to this question.{hint} Record one, or choose another answerer."
            )
        variants = sorted({each.variant for each in kept if each.variant})
        found = f" It holds answers for {', '.join(variants[:3])}." if variants else ""
        return (
            f"The recording {name} answers this question from other chunks than were found here.{found}{hint} "
            f"Use the settings that it was recorded with, or choose another answerer."
        )


def _open(key: StageKey, written: str, bench: Bench) -> RecordedAnswerer:
    """Raises RecordingError for a name without a file."""
    name = key.answerer.partition(":")[2]
    return RecordedAnswerer(load_recording(find_recording(name, bench.settings.home)), written)


def _squeezed(question: str) -> str:
    return " ".join(question.split())


def _found(settings: Settings) -> tuple[str, ...]:
    found = (f"recorded:{name}" for name in recording_names(settings.home))
    return tuple(spec for spec in found if is_recorded(spec))


RECORDED = AnswererKind(
    "recorded",
    "answers kept in a file, NAME.jsonl, of the sample or in the state folder",
    _open,
    form=f"recorded:NAME (of {RECORDED_NAME})",
    names=lambda name: is_recorded(f"recorded:{name}"),
    found=_found,
    stamp=recording_stamp,
)
