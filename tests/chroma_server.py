"""A real Chroma server on this computer, for tests."""

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

PATIENCE = 60.0  # seconds for its first sign of life


@contextmanager
def running_chroma(folder: Path, port: int | None = None) -> Iterator[str]:
    """The address of a server that keeps its data in a folder; it ends with the block."""
    port = port or free_port()
    address = f"http://127.0.0.1:{port}"
    command = [str(Path(sys.executable).with_name("chroma")), "run", "--path", str(folder), "--host", "127.0.0.1"]
    with (folder.parent / f"{folder.name}.log").open("w+") as log:
        server = subprocess.Popen(
            [*command, "--port", str(port)],
            stdout=log,
            stderr=log,
            cwd=folder.parent,
            env={**os.environ, "ANONYMIZED_TELEMETRY": "False"},
        )
        try:
            end = time.monotonic() + PATIENCE
            while not is_alive(address):
                if server.poll() is not None or time.monotonic() > end:
                    log.seek(0)
                    raise AssertionError(f"the Chroma server did not start:\n{log.read()}")
                time.sleep(0.05)  # until the next look
            yield address
        finally:
            server.terminate()
            server.wait()


def free_port() -> int:
    """A port on which nobody listens at the moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def is_alive(address: str) -> bool:
    """Whether a server answers there."""
    try:
        return httpx.get(f"{address}/api/v2/heartbeat", timeout=5, trust_env=False).is_success
    except httpx.TransportError:
        return False
