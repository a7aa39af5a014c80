"""Files that are written whole or not at all."""

from pathlib import Path


def write_whole(path: Path, content: str | bytes) -> None:
    """Writes bytes, or a text as UTF-8 with its line ends; what was there stays until then. Raises OSError."""
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_bytes(content.encode("utf-8") if isinstance(content, str) else content)
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
