"""The product's own source, read as text: its modules, what each imports, and which modules import each other."""

import ast
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIBRARY, EMBEDDED = "rag_variants", "rag_variants_embedded"


@dataclass(frozen=True)
class Import:
    """A module that is imported, on which line, and whether for type checking alone. Lazy ones count as any other."""

    module: str
    line: int
    typing_only: bool


@dataclass(frozen=True)
class Module:
    """A file: its path below the root, its name when it is imported, and its syntax tree."""

    path: str
    name: str
    tree: ast.Module

    @property
    def lines(self) -> int:
        return (ROOT / self.path).read_text(encoding="utf-8").count("\n")

    @property
    def room(self) -> str:
        return room_of(self.name)


def room_of(name: str) -> str:
    """The first name below a package, a folder or a file; empty for the package's own `__init__`."""
    return name.partition(".")[2].partition(".")[0]


@cache
def modules(*tops: str) -> tuple[Module, ...]:
    """Every Python file of folders or files below the root."""
    found = [each for top in tops for each in ([ROOT / top] if top.endswith(".py") else (ROOT / top).rglob("*.py"))]
    return tuple(_read(path) for path in sorted(found))


def _read(path: Path) -> Module:
    place = path.relative_to(ROOT)
    name = ".".join(place.with_suffix("").parts).removesuffix(".__init__")
    return Module(place.as_posix(), name, ast.parse(path.read_text(encoding="utf-8")))


@cache
def product_names() -> frozenset[str]:
    """The names of all modules of the library and of the package that comes with it."""
    return frozenset(module.name for module in modules(LIBRARY, EMBEDDED))


@cache
def imports(module: Module) -> tuple[Import, ...]:
    """What a module imports. `from package import module` counts as an import of that module."""
    typing_only = {
        id(inner)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.If) and ast.unparse(node.test).endswith("TYPE_CHECKING")
        for inner in ast.walk(node)
    }
    return tuple(
        Import(name, node.lineno, id(node) in typing_only)
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in _names(node)
    )


def _names(node: ast.Import | ast.ImportFrom) -> Iterator[str]:
    if isinstance(node, ast.Import):
        yield from (alias.name for alias in node.names)
        return
    inside = {alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    rooms = [name for name in inside.values() if name in product_names()]
    yield from rooms
    if node.module and len(rooms) < len(inside):
        yield node.module


def rings(graph: Mapping[str, Set[str]]) -> list[list[str]]:
    """The groups of nodes that reach each other, largest first, each in alphabetical order (Tarjan's algorithm)."""
    number: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_nodes: list[str] = []
    found: list[list[str]] = []

    def visit(node: str) -> None:
        number[node] = lowest[node] = len(number)
        open_nodes.append(node)
        for other in sorted(graph.get(node, ())):
            if other not in number:
                visit(other)
                lowest[node] = min(lowest[node], lowest[other])
            elif other in open_nodes:
                lowest[node] = min(lowest[node], number[other])
        if lowest[node] == number[node]:
            at = open_nodes.index(node)
            found.append(sorted(open_nodes[at:]))
            del open_nodes[at:]

    for node in sorted(graph):
        if node not in number:
            visit(node)
    return sorted((ring for ring in found if len(ring) > 1 or ring[0] in graph.get(ring[0], ())), key=lambda r: -len(r))


def shortest_cycle(graph: Mapping[str, Set[str]], node: str) -> list[str]:
    """A shortest way from a node back to itself, both ends named."""
    ways = [[node]]
    seen = set[str]()
    for way in ways:
        for other in sorted(graph.get(way[-1], ())):
            if other == node:
                return [*way, node]
            if other not in seen:
                seen.add(other)
                ways.append([*way, other])
    raise AssertionError(f"{node} is in no cycle")
