"""One door for every part that can be added: the product's own and those of installed packages, checked alike."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from importlib.metadata import EntryPoint, entry_points
from types import MappingProxyType
from typing import Any, Generic, Protocol, TypeVar

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


def _no_claims(_: Any) -> tuple[str, ...]:
    return ()


@dataclass(frozen=True)
class Registry(Mapping[str, T]):
    """The parts of one kind by name: those built in, in their order, then entry points of this and other packages.

    `noun` is what one is called ("metric"), `group` the entry points' group, `form` the type it has to be, a subclass
    of it where `classes` is set. `name_of` gives a part's name, `claims` what else is its alone, such as the endings of
    files that it reads. No part takes a name or a claim that is in use or `reserved`.
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
    claims: Callable[[T], tuple[str, ...]] = field(default=_no_claims)
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
        taken = {*self.reserved, *parts, *(claim for part in self.built_in for claim in self.claims(part))}
        left_out: list[str] = []
        for entry in sorted(entry_points(group=self.group), key=_order):
            part, trouble = self._load(entry, taken)
            if trouble is None:
                parts[self.name_of(part)] = part
                taken |= {self.name_of(part), *self.claims(part)}
            else:
                origin = f"The {self.noun} {entry.name!r} of {_package(entry) or 'an installed package'}"
                left_out.append(f"{origin} {trouble}, so it is left out. Update or uninstall that package.")
        return Found(MappingProxyType(parts), tuple(left_out))

    def _load(self, entry: EntryPoint, taken: set[str]) -> tuple[Any, str | None]:
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
            claimed = next((claim for claim in self.claims(part) if claim in taken), None)
            complaint = self.complaint(part)
        except Exception as error:  # a part may be made of anything
            return part, f"cannot be read ({type(error).__name__}: {error})"
        if not isinstance(name, str) or not name:
            return part, "has no name"
        if name in taken:
            return part, f"takes the name {name!r}, which is in use"
        return part, complaint or (f"takes {claimed!r}, which is in use" if claimed else None)


class Format(Protocol):
    """A format of files: its name, and the endings of its files in small letters, such as `.md`."""

    @property
    def name(self) -> str:
        """What it is called."""

    @property
    def endings(self) -> tuple[str, ...]:
        """At least one."""


F = TypeVar("F", bound=Format)
_ENDING = re.compile(r"\.[a-z0-9]+")


def _name(part: Format) -> str:
    return part.name


def _endings(part: Format) -> tuple[str, ...]:
    return tuple(part.endings)


def _wrong_ending(part: Format) -> str | None:
    if not part.endings:
        return "reads no ending"
    wrong = next((ending for ending in part.endings if not _ENDING.fullmatch(ending)), None)
    return None if wrong is None else f"reads files ending in {wrong!r}; an ending is written like '.abc'"


@dataclass(frozen=True, eq=False)
class Formats(Registry[F]):
    """Formats of files, each alone with its endings."""

    name_of: Callable[[F], str] = field(default=_name)
    complaint: Callable[[F], str | None] = field(default=_wrong_ending)
    claims: Callable[[F], tuple[str, ...]] = field(default=_endings)

    @property
    def endings(self) -> tuple[str, ...]:
        """Everything that is read, in the order of the formats."""
        return tuple(ending for part in self.values() for ending in part.endings)

    def of(self, ending: str) -> F | None:
        """The format of files with an ending, in whatever case; None if nothing reads them."""
        return next((part for part in self.values() if ending.lower() in part.endings), None)


def left_out_of(registries: Iterable[Registry[Any]]) -> tuple[str, ...]:
    """The sentences of all registries: every part of another package that cannot be used, and why."""
    return tuple(sentence for registry in registries for sentence in registry.left_out)


def _order(entry: EntryPoint) -> tuple[bool, str, str]:
    package = _package(entry)
    return package != OWN_PACKAGE, package, entry.name


def _package(entry: EntryPoint) -> str:
    return entry.dist.name if entry.dist else ""
