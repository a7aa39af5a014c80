"""An answer that came in pieces although nobody asked for a stream."""

import json
from typing import Any


def looks_streamed(content: bytes) -> bool:
    """Whether the body is server-sent events."""
    return content.lstrip().startswith((b"data:", b"event:", b": ", b":\n"))


def join_stream(content: bytes) -> dict[str, Any] | None:
    """The pieces as one body of the usual form; None if the stream ended before its reply did."""
    texts, finish, usage, model = dict[str, str](), None, None, None
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
        usage, model = piece.get("usage") or usage, piece.get("model") or model
        for choice in (piece.get("choices") or [])[:1]:
            for name, part in (choice.get("delta") or choice.get("message") or {}).items():
                texts[name] = texts.get(name, "") + (part if isinstance(part, str) else "")
            finish = choice.get("finish_reason") or finish
    if finish is None:
        return None
    message = {"content": "", **texts}
    return {"choices": [{"message": message, "finish_reason": finish}], "usage": usage, "model": model}
