"""Where the reply of a model that thinks aloud begins."""

import re

_BLOCK = re.compile(r"\s*<(think|thinking|thought|reasoning)>.*?</\1>\s*", re.S | re.I)
_OPEN = re.compile(r"\s*<(think|thinking|thought|reasoning)>", re.I)
_CLOSE = re.compile(r".*?</(think|thinking|thought|reasoning)>\s*", re.S | re.I)


def after_thinking(text: str) -> str | None:
    """The text after its thinking blocks; None if one was never closed, so that no reply is known.

    Only blocks at the beginning count, so that an answer may quote the mark. Some servers swallow the opening mark.
    """
    while block := _BLOCK.match(text):
        text = text[block.end() :]
    if _OPEN.match(text):
        return None
    if (close := _CLOSE.match(text)) and "<" + close[1].lower() + ">" not in close[0].lower():
        text = text[close.end() :]
    return text.strip()
