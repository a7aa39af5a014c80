"""An answer that came in pieces although nobody asked for a stream."""

import json
from typing import Any


def looks_streamed(content: bytes) -> bool:
    """Whether the body is server-sent events."""
    return content.lstrip().startswith((b"data:", b"event:", b": ", b":\n"))


def join_stream(content: bytes) -> dict[str, Any] | None:
    """The pieces as one body of the usual form; None if the stream ended before its reply did."""
    text, finish, usage = "", None, None
    for line in content.decode("utf-8", "replace").splitlines():
        data = line.removeprefix("data:").strip()
        if not line.startswith("data:") or data == "[DONE]":
            continue
        try:
            piece = json.loads(data)
        except ValueError:
            return None
        if not isinstance(piece, dict):
            return None
        usage = piece.get("usage") or usage
        for choice in (piece.get("choices") or [])[:1]:
            text += (choice.get("delta") or choice.get("message") or {}).get("content") or ""
            finish = choice.get("finish_reason") or finish
    if finish is None:
        return None
    return {"choices": [{"message": {"content": text}, "finish_reason": finish}], "usage": usage}
