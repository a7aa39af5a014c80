"""Files that are written whole or not at all."""

from pathlib import Path


def write_whole(path: Path, text: str) -> None:
    """Writes a text as UTF-8, line ends as they are; what was there stays until all is written. Raises OSError."""
    draft = path.with_name(path.name + ".part")
    try:
        draft.write_text(text, encoding="utf-8", newline="")
        draft.replace(path)
    except OSError:
        draft.unlink(missing_ok=True)
        raise
