"""`rag-variants app` where no server can start: a sentence and exit 2, before anything is started."""

import socket
import subprocess

import pytest

from rag_variants.cli import main


@pytest.fixture(autouse=True)
def _nothing_starts(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise AssertionError("something was started")

    monkeypatch.setattr(subprocess, "Popen", refuse)
    monkeypatch.setattr("os.execv", refuse)


def test_a_port_in_use_is_named_with_another_choice(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert main(["app", "--port", str(port), "--listen", "127.0.0.1"]) == 2
    shown = capsys.readouterr()
    assert f"Nothing can listen at 127.0.0.1, port {port}" in shown.err
    assert "choose another port: rag-variants app --port" in shown.err


@pytest.mark.parametrize("port", [0, -1, 70_000])
def test_a_number_that_is_no_port_is_refused(capsys: pytest.CaptureFixture[str], port: int) -> None:
    assert main(["app", "--port", str(port)]) == 2
    assert f"There is no port {port}." in capsys.readouterr().err
