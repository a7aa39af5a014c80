"""Code between two fences (``` or ~~~) in Markdown: where it stands, so that nobody takes its lines for Markdown."""

import re

# As CommonMark has it, but for the indentation, which lists add to.
_OPENING = re.compile(r"[ \t]*(?P<fence>`{3,}(?=[^`\n]*$)|~{3,})")


def find_fences(text: str) -> tuple[tuple[int, int], ...]:
    """The spans of fenced code with its fences, in order, without the last line end; an open one ends with the text."""
    found: list[tuple[int, int]] = []
    opened, fence, at = 0, "", 0
    for line in text.splitlines(keepends=True):
        body = line.rstrip()
        if fence:
            mark = body.lstrip()
            if len(mark) >= len(fence) and not mark.strip(fence[0]):
                found.append((opened, at + len(body)))
                fence = ""
        elif match := _OPENING.match(body):
            opened, fence = at, match["fence"]
        at += len(line)
    return (*found, (opened, len(text.rstrip()))) if fence else tuple(found)
