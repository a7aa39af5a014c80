"""How many wrong conditions the tests of the same folder notice: `make mutants`.

A condition is a comparison, an `and`, `or` or `not`, or what an `if`, `while`, conditional expression or comprehension
asks. Each of a seeded sample is made wrong in one way (the other operator, the border moved, the answer inverted), and
`tests/unit/<folder>` runs until a test fails. No file is written: a child loads the mutant in the module's place.
Not mutmut or cosmic-ray: neither can be kept to a sample of conditions, or to the tests of one folder without a
configuration for each, and both load Python and all libraries anew for each mutant, most of the seconds here.
"""

import argparse
import ast
import importlib.abc
import importlib.util
import os
import random
import signal
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from pathlib import Path
from types import CodeType, ModuleType

ROOT = Path(__file__).parent.parent
PLACES = ("pipeline", "metrics", "evaluation", "report/words.py", "questions/gold.py")
# Each with what it becomes: the border moved first, then the answer inverted.
SWAPS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
}
PATIENCE = 300  # seconds for one mutant; one that never ends is noticed too


@dataclass(frozen=True)
class Mutant:
    """A module with one wrong condition."""

    path: Path
    line: int
    before: str
    after: str
    source: str

    @property
    def module(self) -> str:
        """The name under which it is imported."""
        return ".".join(self.path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")

    @property
    def tests(self) -> tuple[str, ...]:
        """The tests of the same folder, those named after the file first."""
        room = self.path.relative_to(ROOT).parts[1].removesuffix(".py")
        folder = ROOT / "tests" / "unit" / room
        named = sorted(folder.rglob(f"test_{self.path.stem}*.py"))
        return tuple(str(each.relative_to(ROOT)) for each in (*named, folder))

    def __str__(self) -> str:
        return f"{self.path.relative_to(ROOT)}:{self.line}  {self.before}  →  {self.after}"


def sites(path: Path) -> Iterator[list[Mutant]]:
    """For each condition of a file, the ways to make it wrong."""
    source = path.read_text(encoding="utf-8")
    tree = ast.parse(source)
    asked = {id(test) for node in ast.walk(tree) for test in _tests(node)}
    for node in ast.walk(tree):
        if isinstance(node, ast.expr) and "TYPE_CHECKING" not in ast.unparse(node):
            wrong = list(_wrong(node, id(node) in asked))
            if wrong:
                yield [_mutant(path, source, node, each) for each in wrong]


def _tests(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        return [node.test]
    return list(node.ifs) if isinstance(node, ast.comprehension) else []


def _wrong(node: ast.expr, asked: bool) -> Iterator[ast.expr]:
    if isinstance(node, ast.Compare):
        for at, each in enumerate(node.ops):
            for other in SWAPS[type(each)]:
                yield ast.Compare(node.left, [*node.ops[:at], other(), *node.ops[at + 1 :]], node.comparators)
    elif isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield node.operand
    elif asked:
        yield ast.UnaryOp(ast.Not(), node)


def _mutant(path: Path, source: str, node: ast.expr, wrong: ast.expr) -> Mutant:
    lines = [line.encode() for line in source.splitlines(keepends=True)]
    assert node.end_lineno is not None
    begin = sum(map(len, lines[: node.lineno - 1])) + node.col_offset
    end = sum(map(len, lines[: node.end_lineno - 1])) + (node.end_col_offset or 0)
    whole = b"".join(lines)
    made = whole[:begin] + f"({ast.unparse(wrong)})".encode() + whole[end:]
    return Mutant(path, node.lineno, ast.unparse(node), ast.unparse(wrong), made.decode())


class _Loader(SourceFileLoader):
    """Loads one module from the mutant's text in place of its file's."""

    def __init__(self, mutant: Mutant) -> None:
        super().__init__(mutant.module, str(mutant.path))
        self._mutant = mutant

    def get_code(self, fullname: str) -> CodeType | None:
        """The mutant, compiled under the file's name."""
        return compile(self._mutant.source, self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    def __init__(self, mutant: Mutant) -> None:
        self._mutant = mutant

    def find_spec(self, name: str, path: Sequence[str] | None, target: ModuleType | None = None) -> ModuleSpec | None:
        """The mutant's module, and no other."""
        if name != self._mutant.module:
            return None
        return importlib.util.spec_from_file_location(name, self._mutant.path, loader=_Loader(self._mutant))


def fails(tries: Sequence[tuple[Sequence[str], Mutant | None]], at_once: int) -> list[bool]:
    """For tests with a mutant in the place of its module, whether one fails or never ends; each in a child process.

    Mutants that no test notices are printed as they are found.
    """
    waiting = list(enumerate(tries))
    running: dict[int, tuple[int, float]] = {}
    found: dict[int, bool] = {}
    while waiting or running:
        while waiting and len(running) < at_once:
            at, (tests, mutant) = waiting.pop(0)
            child = os.fork()
            if child == 0:
                _run(tests, mutant)
            running[child] = (at, time.monotonic() + PATIENCE)
        for child, (at, until) in tuple(running.items()):
            ended, status = os.waitpid(child, os.WNOHANG)
            if not ended and time.monotonic() > until:
                os.kill(child, signal.SIGKILL)
                ended, status = os.waitpid(child, 0)
            if ended:
                del running[child]
                found[at] = status != 0
                if not found[at] and tries[at][1]:
                    print(f"survived  {tries[at][1]}", flush=True)
        time.sleep(0.05)
    return [found[at] for at in range(len(tries))]


def _run(tests: Sequence[str], mutant: Mutant | None) -> None:
    """Ends the process: 0 if every test passes."""
    code = 1
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        if mutant:
            sys.meta_path.insert(0, _Finder(mutant))
        import pytest

        code = int(pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", *tests]))
    finally:
        os._exit(code)


def _load_libraries() -> None:
    """What every child would load anew; none of the product's own modules."""
    import altair
    import numpy
    import openai
    import pandas
    import pydantic
    import pytest
    import ragas.metrics.collections
    import rich

    assert all((altair, numpy, openai, pandas, pydantic, pytest, ragas, rich))
    assert not any(name.startswith("rag_variants") for name in sys.modules)


def choose(places: Sequence[str], size: int, seed: int) -> list[Mutant]:
    """A sample of conditions, each with one way to make it wrong, in the order of their files."""
    roots = [ROOT / "rag_variants" / place for place in places]
    files = [path for root in roots for path in ([root] if root.suffix == ".py" else sorted(root.rglob("*.py")))]
    found = [ways for path in files for ways in sites(path)]
    chance = random.Random(seed)
    chosen = chance.sample(range(len(found)), min(size, len(found)))
    print(f"{len(found)} conditions in {len(files)} files; {len(chosen)} of them are made wrong, seed {seed}.")
    return [chance.choice(found[at]) for at in sorted(chosen)]


def main() -> int:
    """Prints the mutants that no test noticed. 0 if enough were noticed, 1 if not, 2 if the tests fail without any."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("places", nargs="*", default=PLACES, help="folders and files below rag_variants/")
    parser.add_argument("--sample", type=int, default=100, help="how many conditions (default 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--at-once", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--enough", type=float, default=0.9, help="the share to be noticed (default 0.9)")
    given = parser.parse_args()
    os.chdir(ROOT)
    os.environ |= {"RAGAS_DO_NOT_TRACK": "true", "OPENBLAS_NUM_THREADS": "1"}
    mutants = choose(given.places, given.sample, given.seed)
    _load_libraries()
    folders = sorted({mutant.tests[-1] for mutant in mutants})
    broken = [
        folder for folder, bad in zip(folders, fails([([each], None) for each in folders], 1), strict=True) if bad
    ]
    if broken:
        print(f"These fail without a mutant. Mend them first: python -m pytest -n 0 {' '.join(broken)}")
        return 2
    noticed = fails([(mutant.tests, mutant) for mutant in mutants], given.at_once)
    return _print_result(mutants, noticed, given.enough)


def _print_result(mutants: Sequence[Mutant], noticed: Sequence[bool], enough: float) -> int:
    rooms = Counter(mutant.tests[-1] for mutant in mutants)
    killed = Counter(mutant.tests[-1] for mutant, seen in zip(mutants, noticed, strict=True) if seen)
    for room, count in rooms.items():
        print(f"{killed[room]:>4} of {count:>3} noticed by {room}")
    print(f"{sum(noticed):>4} of {len(noticed):>3} noticed ({enough:.0%} are wanted)")
    return 0 if sum(noticed) >= enough * len(noticed) else 1


if __name__ == "__main__":
    sys.exit(main())
