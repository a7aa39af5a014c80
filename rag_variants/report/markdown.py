"""Foreign text inside Markdown files."""

import re

_ACTIVE = re.compile(r"([\\`*_{}\[\]<>()#+!|$~&])")
_ACTIVE_IN_CELLS = re.compile(r"([\\`*_{}\[\]<>|$~&])")  # a cell begins no line, and a bracket follows no other


def shown_as_typed(text: str) -> str:
    """The text on one line with everything escaped that Markdown would act on."""
    return _ACTIVE.sub(r"\\\1", " ".join(text.split()))


def shown_in_cell(text: str) -> str:
    """The same inside the cell of a table, where signs and round brackets do nothing."""
    return _ACTIVE_IN_CELLS.sub(r"\\\1", " ".join(text.split()))
