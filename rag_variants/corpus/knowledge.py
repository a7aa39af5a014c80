"""A knowledge base: documents with one identity."""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import date
from functools import cached_property

from rag_variants.types import Document


@dataclass(frozen=True, slots=True)
class Skipped:
    """A file, row or quote that was left out, and the reason; shown, never silent."""

    name: str
    reason: str


@dataclass(frozen=True, eq=False)
class KnowledgeBase:
    """Documents in the order of their paths. Two bases with equal documents are equal, whatever their names.

    `skipped` are files and references left out, `notes` say what was guessed or ignored in files that were read.
    """

    name: str
    documents: tuple[Document, ...]
    skipped: tuple[Skipped, ...] = ()
    notes: tuple[str, ...] = ()

    @cached_property
    def fingerprint(self) -> str:
        """16 hex digits of everything that can change a result: paths, texts and validity."""
        digest = hashlib.sha256()
        for item in self.documents:
            digest.update(repr(item).encode("utf-8", "surrogatepass"))
        return digest.hexdigest()[:16]

    @cached_property
    def by_path(self) -> Mapping[str, Document]:
        """The documents by their path."""
        return {document.path: document for document in self.documents}

    def current(self, today: date) -> "KnowledgeBase":
        """The base without documents that a newer version supersedes or whose time is over or has not come.

        A version whose time has not come supersedes nothing yet.
        """
        begun = [each for each in self.documents if each.valid_from is None or each.valid_from <= today]
        superseded = {path for document in begun for path in document.supersedes}
        kept = tuple(
            document
            for document in begun
            if document.path not in superseded and (document.valid_until is None or document.valid_until >= today)
        )
        return replace(self, documents=kept)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KnowledgeBase) and other.fingerprint == self.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)
