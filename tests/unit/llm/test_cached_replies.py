import os
import signal
import sqlite3
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from rag_variants.errors import StateError
from rag_variants.llm.cached_replies import CachedReplies
from rag_variants.llm.completion import Completion

ROOT = Path(__file__).parents[3]


def keep(home: Path, limit: int = 100_000_000) -> CachedReplies:
    return CachedReplies(home, lambda: home, limit)


def key(number: int) -> bytes:
    return number.to_bytes(32, "big")


def test_a_reply_reads_back_whole_for_another_reader(tmp_path):
    reply = Completion("zażółć 退款", 12, None, 0.25, ("the server refused temperature; sent without it",))
    keep(tmp_path).write(key(1), reply)
    assert keep(tmp_path).read(key(1)) == reply
    assert keep(tmp_path).read(key(2)) is None


def test_the_first_reply_stays(tmp_path):
    kept = keep(tmp_path)
    kept.write(key(1), Completion("first", 1, 1, None))
    keep(tmp_path).write(key(1), Completion("second", 1, 1, None))
    assert kept.read(key(1)) == Completion("first", 1, 1, None)


def test_reading_makes_no_file(tmp_path):
    kept = keep(tmp_path)
    assert (kept.read(key(1)), kept.size(), kept.empty()) == (None, (0, 0), 0)
    assert list(tmp_path.iterdir()) == []


def test_emptying_gives_the_space_back(tmp_path):
    kept = keep(tmp_path)
    for number in range(200):
        kept.write(key(number), Completion("x" * 5_000, 1, 1, None))
    full = kept.size()
    assert full.replies == 200
    assert full.bytes > 200 * 5_000
    assert kept.empty() == 200
    assert kept.size().replies == 0
    assert kept.size().bytes < 50_000
    assert sum(file.stat().st_size for file in tmp_path.iterdir()) < 200_000
    kept.write(key(1), Completion("again", 1, 1, None))
    assert keep(tmp_path).read(key(1)) is not None


def test_beyond_the_limit_the_oldest_go(tmp_path):
    kept = keep(tmp_path, limit=1_000_000)
    for number in range(1_000):
        kept.write(key(number), Completion("x" * 4_000, 1, 1, None))
    size = kept.size()
    assert size.bytes < 1_000_000 + 256 * 8_192  # the size is looked at once in 256 writes, a row takes up to two pages
    assert kept.read(key(0)) is None
    assert all(kept.read(key(1_000 - at)) for at in range(1, size.replies))


def test_threads_share_one_store(tmp_path):
    kept = keep(tmp_path)
    begin = threading.Barrier(4)

    def work(at: int) -> None:
        begin.wait()
        for number in range(50):
            kept.write(key(100 * at + number), Completion(str(at), 1, 1, None))

    with ThreadPoolExecutor(4) as pool:
        list(pool.map(work, range(4)))
    assert kept.size().replies == 200


BEGINS = (0, 1_000_000)
WRITER = """
import sys
from pathlib import Path
from rag_variants.llm.completion import Completion
from rag_variants.llm.cached_replies import CachedReplies
home, begin = Path(sys.argv[1]), int(sys.argv[2])
kept = CachedReplies(home, lambda: home, 100_000_000)
for number in range(begin, begin + 100_000):
    kept.write(number.to_bytes(32, "big"), Completion(str(number), 1, 1, None))
    print(number, flush=True)
"""


def test_what_was_written_outlives_kill_minus_nine_beside_another_process(tmp_path):
    command = [sys.executable, "-c", WRITER, str(tmp_path)]
    writers = [
        subprocess.Popen([*command, str(begin)], stdout=subprocess.PIPE, text=True, cwd=ROOT)
        for begin in (0, 1_000_000)
    ]
    for writer in writers:
        assert writer.stdout is not None
        for _ in range(100):
            writer.stdout.readline()
        os.kill(writer.pid, signal.SIGKILL)
    written = [int(line) for writer in writers for line in writer.communicate()[0].split("\n")[:-1]]
    kept = keep(tmp_path)
    for number in [*range(100), *range(1_000_000, 1_000_100), *written]:
        assert kept.read(key(number)) == Completion(str(number), 1, 1, None)


def test_no_database_is_a_sentence(tmp_path):
    (tmp_path / "replies.sqlite").write_text("this is no database, and it is long enough to be taken for one " * 20)
    with pytest.raises(StateError, match=r"replies\.sqlite cannot be used .* remove the file"):
        keep(tmp_path).read(key(1))


def test_no_prompt_and_no_key_is_on_disk(tmp_path):
    keep(tmp_path).write(key(1), Completion("the reply", 1, 1, None))
    with sqlite3.connect(tmp_path / "replies.sqlite") as database:
        names = [row[1] for row in database.execute("PRAGMA table_info(replies)")]
    assert names == ["number", "key", "text", "prompt_tokens", "completion_tokens", "cost_usd", "notes"]
