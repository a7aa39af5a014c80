"""Replies kept on disk: paid once, whoever asks again."""

import json
import sqlite3
import threading
from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import NamedTuple, TypeVar

from rag_variants.errors import StateError
from rag_variants.models.completion import Completion
from rag_variants.settings import Settings

R = TypeVar("R")
_TABLE = """CREATE TABLE IF NOT EXISTS replies (number INTEGER PRIMARY KEY, key BLOB UNIQUE NOT NULL,
text TEXT NOT NULL, prompt_tokens INTEGER, completion_tokens INTEGER, cost_usd REAL, notes TEXT NOT NULL)"""
_READ = "SELECT text, prompt_tokens, completion_tokens, cost_usd, notes FROM replies WHERE key = ?"
_WRITE = "INSERT OR IGNORE INTO replies VALUES (NULL,?,?,?,?,?,?)"
_OLDEST = "DELETE FROM replies WHERE number IN (SELECT number FROM replies ORDER BY number LIMIT ?)"
_LOOK_EVERY = 256  # writes between two looks at the size


class KeptSize(NamedTuple):
    """How many replies are kept, in how many bytes."""

    replies: int
    bytes: int


class KeptReplies:
    """A database in the state folder, safe against crashes and shared by processes; holds no prompt and no key.

    `folder` is called when there is something to write. Beyond `limit` bytes the oldest replies go. Every method
    raises StateError for a file that cannot be read or written.
    """

    def __init__(self, home: Path, folder: Callable[[], Path], limit: int) -> None:
        self._path = home / "replies.sqlite"
        self._folder = folder
        self._limit = limit
        self._opened: sqlite3.Connection | None = None
        self._guard = threading.RLock()
        self._written = 0

    def read(self, key: bytes) -> Completion | None:
        """The reply of a call, if it is kept."""
        with self._guard:
            if self._opened is None and not self._path.exists():
                return None
            row = self._do(lambda database: database.execute(_READ, (key,)).fetchone())
        if row is None:
            return None
        text, prompt, completion, cost, notes = row
        return Completion(text, prompt, completion, cost, tuple(json.loads(notes)))

    def write(self, key: bytes, reply: Completion) -> None:
        """Keeps a reply; when this returns, it outlives the process."""
        notes = json.dumps(reply.notes)
        row = (key, reply.text, reply.prompt_tokens, reply.completion_tokens, reply.cost_usd, notes)
        with self._guard:
            self._do(lambda database: database.execute(_WRITE, row))
            self._written += 1
            if self._written % _LOOK_EVERY == 1:
                self._do(self._bound)

    def size(self) -> KeptSize:
        """What is kept now."""
        with self._guard:
            if self._opened is None and not self._path.exists():
                return KeptSize(0, 0)
            return self._do(lambda database: KeptSize(_count(database), _bytes(database)))

    def empty(self) -> int:
        """Removes all replies; how many there were."""
        with self._guard:
            if self._opened is None and not self._path.exists():
                return 0
            count = self._do(_count)
            self._do(lambda database: database.execute("DELETE FROM replies"))
            self._do(lambda database: database.execute("VACUUM"))
            self._do(lambda database: database.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall())
            return count

    def close(self) -> None:
        """Lets go of the file; it is opened again when needed."""
        with self._guard:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _do(self, step: Callable[[sqlite3.Connection], R]) -> R:
        try:
            return step(self._database())
        except sqlite3.DatabaseError as error:
            raise StateError(
                f"{self._path} cannot be used ({error}). Free space, or remove the file; replies are asked for again."
            ) from error

    def _database(self) -> sqlite3.Connection:
        if self._opened is None:
            self._folder()
            database = sqlite3.connect(self._path, timeout=30, isolation_level=None, check_same_thread=False)
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")  # outlives kill -9; a power cut may lose the last seconds
            database.execute(_TABLE)
            self._opened = database
        return self._opened

    def _bound(self, database: sqlite3.Connection) -> None:
        held = _bytes(database)
        if held > self._limit:
            share = 1 - 0.9 * self._limit / held  # a tenth below, so that it is not done at every write
            database.execute(_OLDEST, (int(_count(database) * share) + 1,))


def open_kept_replies(settings: Settings) -> KeptReplies:
    """The replies of the settings' state folder; one object per folder in a process."""
    return _opened(settings.home.absolute(), settings.replies_megabytes)


@lru_cache(maxsize=64)
def _opened(home: Path, megabytes: int) -> KeptReplies:
    return KeptReplies(home, Settings(home=home).state_folder, megabytes * 1_000_000)


def _count(database: sqlite3.Connection) -> int:
    return int(database.execute("SELECT count(*) FROM replies").fetchone()[0])


def _bytes(database: sqlite3.Connection) -> int:
    pages, free, size = (
        int(database.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("page_count", "freelist_count", "page_size")
    )
    return (pages - free) * size
