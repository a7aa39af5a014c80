"""Foreign text inside Markdown files."""

import re

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+!|$~&])")


def shown_as_typed(text: str) -> str:
    """The text on one line with everything escaped that Markdown would act on."""
    return _ACTIVE.sub(r"\\\1", " ".join(text.split()))
