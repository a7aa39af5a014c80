"""A database in the state folder."""

import sqlite3
import threading
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from rag_variants.errors import StateError

R = TypeVar("R")


class StateDatabase:
    """One table on disk, safe against crashes and shared by processes; opened when first needed, and then kept open.

    `folder` is called before the file is made. `lost` ends the sentence that tells how to mend a file that cannot be
    used: what happens when it is removed. `upgrade` brings the file of an earlier version up to date when it is opened.
    """

    def __init__(
        self,
        path: Path,
        folder: Callable[[], Path],
        table: str,
        lost: str,
        upgrade: Callable[[sqlite3.Connection], None] = lambda database: None,
    ) -> None:
        self._path = path
        self._folder = folder
        self._table = table
        self._lost = lost
        self._upgrade = upgrade
        self._opened: sqlite3.Connection | None = None
        self._guard = threading.RLock()

    def do(self, step: Callable[[sqlite3.Connection], R]) -> R:
        """What the step gives; its writing outlives the process when this returns. One step at a time.

        Raises StateError for a file that cannot be read or written.
        """
        with self._guard:
            try:
                return step(self._database())
            except sqlite3.DatabaseError as error:
                raise StateError(
                    f"{self._path} cannot be used ({error}). Free space, or remove the file; {self._lost}."
                ) from error

    def look(self, step: Callable[[sqlite3.Connection], R], nothing: R) -> R:
        """As `do`, for reading: `nothing`, and no file is made, where there is none yet."""
        with self._guard:
            if self._opened is None and not self._path.exists():
                return nothing
            return self.do(step)

    def open(self) -> None:
        """Opens or makes the file now. Before a call is made: its reply is then kept in a moment, or not paid at all.

        Raises StateError as `do`.
        """
        self.do(lambda database: None)

    def close(self) -> None:
        """Lets go of the file; it is opened again when needed."""
        with self._guard:
            if self._opened is not None:
                self._opened.close()
                self._opened = None

    def _database(self) -> sqlite3.Connection:
        if self._opened is None:
            self._folder()
            database = sqlite3.connect(self._path, timeout=30, isolation_level=None, check_same_thread=False)
            weakref.finalize(self, database.close)
            database.execute("PRAGMA journal_mode=WAL")
            database.execute("PRAGMA synchronous=NORMAL")  # outlives kill -9; a power cut may lose the last seconds
            database.execute(self._table)
            self._upgrade(database)
            self._opened = database
        return self._opened
