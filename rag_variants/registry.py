"""One door for every part that can be added: the product's own and those of installed packages, checked alike."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Generic, TypeVar

from rag_variants.errors import unknown

T = TypeVar("T")
OWN_PACKAGE = "rag-variants"


@dataclass(frozen=True)
class Found(Generic[T]):
    """The parts by name, in their order, and a sentence for each that was left out."""

    parts: Mapping[str, T]
    left_out: tuple[str, ...]


def _no_complaint(_: Any) -> str | None:
    return None


@dataclass(frozen=True)
class Registry(Mapping[str, T]):
    """The parts of one kind by name: those built in, in their order, then entry points of this and other packages.

    `noun` is what one is called ("metric"), `group` the entry points' group, `form` the type it has to be, a subclass
    of it where `classes` is set. `name_of` gives a part's name. No part takes a name that is in use or `reserved`.
    `complaint` may refuse a part for another reason, in words that follow its name ("has no help text").

    A package whose part cannot be used costs that part and no other: `left_out` has a sentence for each.
    """

    noun: str
    group: str
    form: type[Any]
    name_of: Callable[[T], str]
    built_in: tuple[T, ...] = ()
    reserved: frozenset[str] = frozenset()
    complaint: Callable[[T], str | None] = field(default=_no_complaint)
    classes: bool = False

    def __getitem__(self, name: str) -> T:
        return self._found.parts[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._found.parts)

    def __len__(self) -> int:
        return len(self._found.parts)

    __hash__ = object.__hash__
    __eq__ = object.__eq__

    @property
    def left_out(self) -> tuple[str, ...]:
        """A sentence for each part of a package that cannot be used: what is wrong, and what to do."""
        return self._found.left_out

    def unknown(self, name: str, more: Iterable[str] = ()) -> str:
        """A sentence that says a name is unknown, with the known ones; `more` are forms beside the names."""
        return unknown(self.noun, name, (*self, *more))

    @cached_property
    def _found(self) -> Found[T]:
        parts = {self.name_of(part): part for part in self.built_in}
        left_out: list[str] = []
        for entry in sorted(entry_points(group=self.group), key=_order):
            part, trouble = self._load(entry, parts)
            if trouble is None:
                parts[self.name_of(part)] = part
            else:
                origin = f"The {self.noun} {entry.name!r} of {_package(entry) or 'an installed package'}"
                left_out.append(f"{origin} {trouble}, so it is left out. Update or uninstall that package.")
        return Found(MappingProxyType(parts), tuple(left_out))

    def _load(self, entry: EntryPoint, taken: Mapping[str, T]) -> tuple[Any, str | None]:
        """The part of an entry point, and what is wrong with it, if anything."""
        try:
            part = entry.load()
        except (Exception, SystemExit) as error:  # whatever a package does while it is imported, others go on
            return None, f"cannot be loaded ({type(error).__name__}: {error})"
        fits = isinstance(part, type) and issubclass(part, self.form) if self.classes else isinstance(part, self.form)
        if not fits:
            kind = f"{self.form.__module__}.{self.form.__qualname__}"
            return part, f"is no {'subclass of ' if self.classes else ''}{kind}"
        try:
            name = self.name_of(part)
            complaint = self.complaint(part)
        except Exception as error:  # a part may be made of anything
            return part, f"cannot be read ({type(error).__name__}: {error})"
        if not isinstance(name, str) or not name:
            return part, "has no name"
        if name in taken or name in self.reserved:
            return part, f"takes the name {name!r}, which is in use"
        return part, complaint


def _order(entry: EntryPoint) -> tuple[bool, str, str]:
    package = _package(entry)
    return package != OWN_PACKAGE, package, entry.name


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else ""
