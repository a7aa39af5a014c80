"""What an answerer may be told: the registered instructions by name. To add one, add an entry here."""

from collections.abc import Mapping
from dataclasses import dataclass

GROUNDED = "grounded"


@dataclass(frozen=True, slots=True)
class Prompt:
    """An instruction: what it asks for in a line, and its text for a chat model.

    `{declining}` in the text stands for the sentence that declines, in the question's language.
    """

    summary: str
    text: str


_GROUNDED_TEXT = """\
Answer the question from the numbered chunks, and from nothing else: not from what you know, not from guesses.
After every sentence, name the chunks that it rests on by their numbers in square brackets: [1] or [2][3].
Answer in the language of the question, in as few sentences as it needs.
Copy numbers, dates, names and units as the chunks write them. If chunks contradict each other, say so and cite both.
If the chunks do not hold the answer, reply with exactly this sentence and nothing else:
{declining}"""

_FREE_TEXT = """\
Answer the question in its language, in as few sentences as it needs.
The numbered chunks may help; you may also use what you know. After every sentence that rests on chunks, name them by
their numbers in square brackets: [1] or [2][3]."""

# Every other prompt than GROUNDED lets an answerer say what the chunks do not.
PROMPTS: Mapping[str, Prompt] = {
    GROUNDED: Prompt("answer from the chunks alone, and decline where they hold no answer", _GROUNDED_TEXT),
    "free": Prompt("answer from whatever you like: the chunks help, nothing has to stand in them", _FREE_TEXT),
}
