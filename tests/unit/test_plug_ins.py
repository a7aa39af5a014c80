"""What other packages bring and cannot be used is named by `list` and `check`, and takes nothing down."""

import pytest

from rag_variants.checks import Check
from rag_variants.cli import main
from rag_variants.plug_ins import REGISTRIES, left_out_plug_ins

IDS = [registry.noun for registry in REGISTRIES]


@pytest.fixture
def home(tmp_path, monkeypatch):
    monkeypatch.setenv("RAG_VARIANTS_HOME", str(tmp_path))
    monkeypatch.setattr(
        "rag_variants.checks._check_files", lambda *_: Check("documents and questions", None, "not here")
    )
    monkeypatch.setattr("rag_variants.checks._try_encoder", lambda: "left out here")


def test_nothing_of_the_product_is_left_out():
    assert left_out_plug_ins() == ()
    assert all(len(registry) for registry in REGISTRIES)
    assert len({registry.group for registry in REGISTRIES}) == len({registry.noun for registry in REGISTRIES})


@pytest.mark.parametrize("registry", REGISTRIES, ids=IDS)
@pytest.mark.parametrize(
    ("target", "said"),
    [
        ("rag_variants.absent:PART", "cannot be loaded (ModuleNotFoundError"),
        ("rag_variants.errors:absent", "cannot be loaded (AttributeError"),
        ("tests.unit.metrics.plugin_ends:METRIC", "cannot be loaded (SystemExit: bye)"),
        ("rag_variants.errors:unknown", "is no "),
    ],
)
def test_a_broken_plug_in_is_named_by_list_and_by_check(install, home, capsys, registry, target, said):
    before = list(registry)
    install(registry, extra=target)
    assert list(registry) == before
    [sentence] = left_out_plug_ins()
    assert sentence.startswith(f"The {registry.noun} 'extra' of an installed package {said}")

    assert main(["list"]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert shown.endswith(f"left out {' '.join(sentence.split())}")
    assert main(["check"]) == 2
    assert f"!!  plug-in: {sentence}\n" in capsys.readouterr().out


@pytest.mark.parametrize("registry", REGISTRIES, ids=IDS)
def test_a_plug_in_never_replaces_what_is_built_in(install, registry):
    """The same part once more, under the name that it has."""
    name, part = next(iter(registry.items()))
    modules = {"metric": "rag_variants.metrics.hit_rate:METRIC", "judge": "rag_variants_embedded.judge.kind:EMBEDDED"}
    modules |= {"document loader": "rag_variants.corpus.loaders:MARKDOWN"}
    modules |= {"question importer": "rag_variants.questions.importers:JSON_LINES"}
    if registry.noun not in modules:
        pytest.skip("its own tests say it")
    install(registry, extra=modules[registry.noun])
    assert registry[name] is part
    [sentence] = registry.left_out
    assert f"takes the name {name!r}, which is in use" in sentence


def test_nothing_is_said_where_nothing_is_left_out(home, capsys):
    assert main(["list"]) == 0
    assert "left out" not in capsys.readouterr().out
    assert main(["check"]) == 0
    assert "plug-in" not in capsys.readouterr().out
