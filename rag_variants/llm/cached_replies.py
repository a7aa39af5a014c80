"""Replies kept on disk: paid once, whoever asks again."""

import json
import sqlite3
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, NamedTuple

from rag_variants.llm.completion import Completion
from rag_variants.llm.state_database import StateDatabase
from rag_variants.settings import Settings

_TABLE = """CREATE TABLE IF NOT EXISTS replies (number INTEGER PRIMARY KEY, key BLOB UNIQUE NOT NULL,
text TEXT NOT NULL, prompt_tokens INTEGER, completion_tokens INTEGER, cost_usd REAL, notes TEXT NOT NULL)"""
_READ = "SELECT text, prompt_tokens, completion_tokens, cost_usd, notes FROM replies WHERE key = ?"
_WRITE = "INSERT OR IGNORE INTO replies VALUES (NULL,?,?,?,?,?,?)"
_DROP = "DELETE FROM replies WHERE key = ? AND text = ?"
_OLDEST = "DELETE FROM replies WHERE number IN (SELECT number FROM replies ORDER BY number LIMIT ?)"
_LOOK_EVERY = 256  # writes between two looks at the size


class CachedSize(NamedTuple):
    """How many replies are kept, in how many bytes."""

    replies: int
    bytes: int


class CachedReplies:
    """A database in the state folder, safe against crashes and shared by processes; holds no prompt and no key.

    `folder` is called when there is something to write. Beyond `limit` bytes the oldest replies go. Every method
    raises StateError for a file that cannot be read or written.
    """

    def __init__(self, home: Path, folder: Callable[[], Path], limit: int) -> None:
        self._file = StateDatabase(home / "replies.sqlite", folder, _TABLE, "replies are asked for again")
        self._limit = limit
        self._written = 0

    def read(self, key: bytes) -> Completion | None:
        """The reply of a call, if it is kept."""
        row = self._file.look(lambda database: database.execute(_READ, (key,)).fetchone(), None)
        if row is None:
            return None
        text, prompt, completion, cost, notes = row
        return Completion(text, prompt, completion, cost, tuple(json.loads(notes)))

    def prepare(self) -> None:
        """Opens or makes the file, so that the reply to a call that is sent now is kept the moment it comes."""
        self._file.open()

    def write(self, key: bytes, reply: Completion) -> None:
        """Keeps a reply; when this returns, it outlives the process."""
        notes = json.dumps(reply.notes)
        row = (key, reply.text, reply.prompt_tokens, reply.completion_tokens, reply.cost_usd, notes)
        self._file.do(lambda database: self._write(database, row))

    def drop(self, key: bytes, text: str) -> None:
        """Removes the reply of a call if it is this text."""
        self._file.look(lambda database: database.execute(_DROP, (key, text)).fetchall(), [])

    def size(self) -> CachedSize:
        """What is kept now."""
        return self._file.look(lambda database: CachedSize(_count(database), _bytes(database)), CachedSize(0, 0))

    def empty(self) -> int:
        """Removes all replies; how many there were."""
        return self._file.look(_empty, 0)

    def close(self) -> None:
        """Lets go of the file; it is opened again when needed."""
        self._file.close()

    def _write(self, database: sqlite3.Connection, row: tuple[Any, ...]) -> None:
        database.execute(_WRITE, row)
        self._written += 1
        if self._written % _LOOK_EVERY == 1:
            self._bound(database)

    def _bound(self, database: sqlite3.Connection) -> None:
        held = _bytes(database)
        if held > self._limit:
            share = 1 - 0.9 * self._limit / held  # a tenth below, so that it is not done at every write
            database.execute(_OLDEST, (int(_count(database) * share) + 1,))


def open_cached_replies(settings: Settings) -> CachedReplies:
    """The replies of the settings' state folder; one object per folder in a process."""
    return _opened(settings.home.absolute(), settings.replies_megabytes)


@lru_cache(maxsize=64)
def _opened(home: Path, megabytes: int) -> CachedReplies:
    return CachedReplies(home, Settings(home=home).state_folder, megabytes * 1_000_000)


def _empty(database: sqlite3.Connection) -> int:
    count = _count(database)
    for step in ("DELETE FROM replies", "VACUUM", "PRAGMA wal_checkpoint(TRUNCATE)"):
        database.execute(step).fetchall()
    return count


def _count(database: sqlite3.Connection) -> int:
    return int(database.execute("SELECT count(*) FROM replies").fetchone()[0])


def _bytes(database: sqlite3.Connection) -> int:
    pages, free, size = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size
