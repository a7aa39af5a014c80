"""What an answerer may be told: the registered instructions by name, one line each. To add one, add a line here."""

from collections.abc import Mapping

GROUNDED = "grounded"

# Every other prompt than GROUNDED lets an answerer say what the chunks do not.
PROMPTS: Mapping[str, str] = {
    GROUNDED: "answer from the chunks alone, and decline where they hold no answer",
    "free": "answer from whatever you like: the chunks help, nothing has to stand in them",
}
