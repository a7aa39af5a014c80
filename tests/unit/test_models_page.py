"""What docs/models.md says of endpoints, done: its .env is read, and its commands run against a server."""

import re
import shlex

import pytest

from rag_variants.cli import main
from rag_variants.errors import STOPPING
from rag_variants.llm.endpoint import known_endpoints, make_endpoint
from rag_variants.settings import EndpointSettings, Settings
from tests.house import reply
from tests.stub import Stub
from tests.test_readme import MODELS, blocks, shell_lines

(DOTENV,) = blocks(MODELS, "ini")
COMMANDS = [shlex.split(line)[1:] for line in shell_lines(MODELS)]


@pytest.fixture
def dotenv(house):
    (house.folder / ".env").write_text(DOTENV, encoding="utf-8")
    return house


def test_the_env_file_names_these_endpoints(dotenv):
    known = known_endpoints(Settings())
    opened = {name: make_endpoint(name, given) for name, given in known.items()}
    assert {name: endpoint.url for name, endpoint in opened.items()} == {
        "openai": "https://api.openai.com/v1",
        "azure": "https://your-resource.openai.azure.com/openai/v1",
        "ollama": "http://localhost:11434/v1",
        "vllm": "http://localhost:8000/v1",
        "lmstudio": "http://localhost:1234/v1",
        "gateway": "https://models.example.com/v1",
    }
    assert {name for name, endpoint in opened.items() if endpoint.key} == {"openai", "azure", "gateway"}
    assert (opened["ollama"].concurrency, opened["ollama"].timeout, opened["gateway"].max_tokens) == (2, 600, 2000)


def test_the_table_of_settings_is_that_of_the_code():
    named = set(re.findall(r"^\| `…__([A-Z_]+)` \|", MODELS, re.MULTILINE))
    assert named == {name.upper() for name in EndpointSettings.model_fields}
    for name in ("temperature", "concurrency", "timeout", "attempts"):
        default = f"{EndpointSettings.model_fields[name].default:g}"
        assert re.search(rf"^\| `…__{name.upper()}` \|.*\| {default} \|$", MODELS, re.MULTILINE), name


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_each_command_runs(dotenv, monkeypatch, capsys, command):
    with Stub(reply) as stub:
        monkeypatch.setenv("OPENAI_BASE_URL", stub.url)
        for name in known_endpoints(Settings()):
            monkeypatch.setenv(f"RAG_VARIANTS_ENDPOINTS__{name.upper()}__BASE_URL", stub.url)
        limited = ["--limit", "2", "--quiet"] if command[0] in ("compare", "run") else []
        assert main([*command, *limited]) == 0, capsys.readouterr().err
        assert bool(stub.requests) is ("--forecast" not in command)


def test_every_sentence_of_the_table_is_said_somewhere():
    """The words in its first column stand in messages of the models' code."""
    from tests.test_readme import ROOT

    code = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "rag_variants" / "llm").glob("*.py"))
    code = re.sub(r'"\s*\n\s*f?"', "", code)
    rows = re.findall(r"^\| ([^|`]+) \|[^|]*\| (yes|no) \| ([^|]*) \|$", MODELS.split("| it says")[1], re.MULTILINE)
    assert len(rows) == 14
    for words, _, _ in rows:
        for part in re.split(r", (?=[a-zA-Z])| … |…", words):
            known = part.strip().replace("(HTTP 500)", "(HTTP {status})")
            assert known in code, known
    assert sum(ends == "yes" for _, _, ends in rows) == 6
    assert {"key", "model", "url", "certificate", "credit"} == STOPPING  # url has two rows
