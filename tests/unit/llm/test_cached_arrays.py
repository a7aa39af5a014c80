"""Arrays on disk: whole or not at all, for every process, within a bound, and nothing is lost with a file."""

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numpy as np
import pytest

from rag_variants.errors import StateError
from rag_variants.llm.cached_arrays import CachedArrays

NUMBERS = {"one": np.arange(1_000, dtype=np.int32), "two": np.array([0.1, 1 / 3]), "none": np.zeros(0, np.uint8)}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "home" / "indexes"


def kept(folder: Path, room: int = 10_000_000) -> CachedArrays:
    def prepare() -> Path:
        folder.parent.mkdir(exist_ok=True)
        return folder.parent

    return CachedArrays(folder, prepare, room)


def same(read, given=NUMBERS) -> bool:
    return read is not None and {name: (array.dtype, array.tolist()) for name, array in read.items()} == {
        name: (array.dtype, array.tolist()) for name, array in given.items()
    }


def test_reading_makes_no_folder(folder):
    assert kept(folder).read("a") is None
    assert not folder.parent.exists()


def test_what_was_written_is_read_again_number_by_number(folder):
    kept(folder).write("a", NUMBERS)
    assert same(kept(folder).read("a"))
    assert kept(folder).read("b") is None
    assert [path.name for path in folder.iterdir()] == ["a.npz"]


def test_every_damaged_byte_is_noticed(folder):
    """A file is read as it was written, or not at all; 400 places, one byte turned over at each."""
    kept(folder).write("a", NUMBERS)
    path = folder / "a.npz"
    whole = path.read_bytes()
    for at in range(0, len(whole), len(whole) // 400):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 0xFF]) + whole[at + 1 :])
        read = kept(folder).read("a")
        # what does not belong to the arrays, such as a time in the archive's list, may differ unnoticed
        assert read is None or same(read)


@pytest.mark.parametrize("content", [b"", b"PK", b"no archive", b"\x93NUMPY\x01\x00"])
def test_other_files_and_halves_are_not_read(folder, content):
    kept(folder).write("a", NUMBERS)
    path = folder / "a.npz"
    path.write_bytes(content)
    assert kept(folder).read("a") is None
    kept(folder).write("a", NUMBERS)
    assert same(kept(folder).read("a"))


def test_a_half_of_a_file_is_not_read(folder):
    kept(folder).write("a", NUMBERS)
    path = folder / "a.npz"
    path.write_bytes(path.read_bytes()[:2_000])
    assert kept(folder).read("a") is None


def test_pickled_objects_are_never_loaded(folder):
    folder.mkdir(parents=True)
    np.savez(folder / "a.npz", evil=np.array([{"a": 1}], dtype=object))
    assert kept(folder).read("a") is None


def test_the_least_recently_used_go_first(folder):
    numbers = {"x": np.zeros(1_000, np.uint8)}
    room = kept(folder, room=3_800)  # a file takes 1,000 bytes and some 270 of the archive: three do not fit
    for age, key in enumerate(["a", "b"]):
        room.write(key, numbers)
        os.utime(folder / f"{key}.npz", ns=(10**18 + age, 10**18 + age))
    assert room.read("a") is not None  # used just now, so that b is the older one
    room = kept(folder, room=3_000)
    room.write("c", numbers)
    assert sorted(path.name for path in folder.iterdir()) == ["a.npz", "c.npz"]


def test_what_is_larger_than_the_room_is_not_kept(folder):
    kept(folder, room=3_000).write("a", NUMBERS)  # 4,000 bytes of numbers in `one` alone
    assert not folder.exists()


def test_a_draft_that_a_crash_left_goes_when_its_turn_comes(folder):
    folder.mkdir(parents=True)
    (folder / "x.part").write_bytes(b"0" * 5_000)
    os.utime(folder / "x.part", ns=(10**18, 10**18))
    kept(folder, room=6_000).write("a", NUMBERS)
    assert [path.name for path in folder.iterdir()] == ["a.npz"]


def test_what_cannot_be_written_stops_nobody(folder, monkeypatch):
    def refuse() -> Path:
        raise StateError("The state folder cannot be written.")

    CachedArrays(folder, refuse).write("a", NUMBERS)
    folder.parent.mkdir()
    folder.write_text("a file in the place of the folder")
    kept(folder).write("a", NUMBERS)
    assert kept(folder).read("a") is None


def test_a_write_that_fails_leaves_no_draft_and_the_file_as_it_was(folder, monkeypatch):
    kept(folder).write("a", NUMBERS)

    def full(file, **arrays):
        file.write(b"half")
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(np, "savez", full)
    kept(folder).write("a", {"one": np.arange(5)})
    assert [path.name for path in folder.iterdir()] == ["a.npz"]
    assert same(kept(folder).read("a"))


def test_writers_and_readers_at_the_same_time_see_whole_files(folder):
    """8 threads write the same key 10 times each while others read: every reading is one of the two contents."""
    other = {"one": np.arange(5)}
    kept(folder).write("a", NUMBERS)

    def write(at: int) -> None:
        kept(folder).write("a", NUMBERS if at % 2 else other)

    with ThreadPoolExecutor(8) as pool:
        written = [pool.submit(write, at) for at in range(80)]
        readings = list(pool.map(lambda _: kept(folder).read("a"), range(80)))
        for each in written:
            each.result()
    assert all(same(read) or same(read, other) for read in readings)
    assert [path.name for path in folder.iterdir()] == ["a.npz"]


def test_two_processes_write_the_same_key(folder):
    program = (
        "import sys, numpy as np; from pathlib import Path; from rag_variants.llm.cached_arrays import CachedArrays\n"
        "home = Path(sys.argv[1]); home.parent.mkdir(exist_ok=True)\n"
        "for _ in range(20): CachedArrays(home, lambda: home).write('a', {'one': np.arange(200_000)})"
    )
    running = [subprocess.Popen([sys.executable, "-c", program, str(folder)]) for _ in range(2)]
    assert [each.wait() for each in running] == [0, 0]
    assert same(kept(folder).read("a"), {"one": np.arange(200_000)})
    assert [path.name for path in folder.iterdir()] == ["a.npz"]
