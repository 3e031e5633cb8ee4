"""The cache gives back exactly what was put in, or nothing, and never stops a computation."""

from __future__ import annotations

import errno
import hashlib
import os
import subprocess
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from functrans.backend.runtime import cache
from functrans.backend.runtime.cache import Cache, digest, workspace
from functrans.config import config
from functrans.errors import CompileError, FunctransWarning
from tests.backend.runtime.house import House

DATA = b"some compiled code" * 10


def damaged_is_refused(sealed: bytes) -> bool:
    return not cache._whole(sealed, "name")


@given(st.lists(st.text(max_size=4), max_size=4), st.lists(st.text(max_size=4), max_size=4))
def test_digest_tells_any_two_lists_apart(left: list[str], right: list[str]) -> None:
    assert (digest(*left) == digest(*right)) == (left == right)


@given(st.binary(max_size=200))
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=25)
def test_round_trip(house: House, data: bytes) -> None:
    store = cache.current()
    path = store.put("name", data)
    assert store.get("name") == path
    assert store.read("name") == data
    assert sorted(os.listdir(house.cache)) == ["name"]


def test_a_file_that_goes_while_it_is_read(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """Another process clears the cache: what was read is good."""
    store = Cache(str(house.cache))
    store.put("name.plan", b"what it says")
    read = cache._bytes

    def last(path: str) -> bytes:
        data = read(path)
        os.unlink(path)
        return data

    monkeypatch.setattr(cache, "_bytes", last)
    assert store.read("name.plan") == b"what it says"
    assert store.read("name.plan") is None


def test_the_directory_is_private(house: House) -> None:
    store = cache.current()
    path = store.put("name", DATA)
    assert os.stat(house.cache).st_mode & 0o777 == 0o700
    assert os.stat(path).st_mode & 0o077 == 0


def test_unknown_names_are_absent(house: House) -> None:
    assert cache.current().get("name") is None
    assert cache.current().read("name") is None


@given(st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=50)
def test_any_damage_is_seen(house: House, data: st.DataObject) -> None:
    path = Path(cache.current().put("name", DATA))
    whole = path.read_bytes()
    cut = data.draw(st.integers(0, len(whole) - 1), "length that is left")
    bit = data.draw(st.integers(0, 8 * len(whole) - 1), "bit that flips")
    flipped = bytearray(whole)
    flipped[bit // 8] ^= 1 << bit % 8
    assert cache._whole(whole, "name")
    assert damaged_is_refused(whole[:cut])
    assert damaged_is_refused(bytes(flipped))
    assert damaged_is_refused(whole + b"\0")


def test_a_damaged_file_is_removed_with_one_warning(house: House) -> None:
    store = cache.current()
    path = Path(store.put("name", DATA))
    path.write_bytes(path.read_bytes()[:-7])
    with pytest.warns(FunctransWarning, match="is damaged") as caught:
        assert store.get("name") is None
    assert len(caught) == 1 and not path.exists()
    path.write_bytes(b"")
    assert store.get("name") is None  # a second warning would be an error here


# directories that are not to be trusted or not to be had


def open_to_all(path: Path) -> None:
    path.mkdir()
    path.chmod(0o777)


def open_to_the_group(path: Path) -> None:
    path.mkdir()
    path.chmod(0o720)


def a_link(path: Path) -> None:
    (path.parent / "target").mkdir(mode=0o700)
    path.symlink_to(path.parent / "target")


def a_dangling_link(path: Path) -> None:
    path.symlink_to(path.parent / "nowhere")


def a_file(path: Path) -> None:
    path.write_text("")


def below_a_file(path: Path) -> None:
    a_file(path.parent)


REFUSED = {
    open_to_all: "can be written by others",
    open_to_the_group: "can be written by others",
    a_link: "is a symbolic link",
    a_dangling_link: "is a symbolic link",
    a_file: "is not a directory",
    below_a_file: "cannot be made or read",
}


def assert_works_elsewhere(store: Cache, wanted: Path) -> None:
    path = store.put("name", DATA)
    assert store.read("name") == DATA
    assert not path.startswith(str(wanted))
    assert os.stat(os.path.dirname(path)).st_mode & 0o777 == 0o700


@pytest.mark.parametrize("make", REFUSED, ids=lambda make: make.__name__)
def test_a_directory_to_distrust_gives_one_warning_and_a_private_one(
    house: House, tmp_path: Path, make: Callable[[Path], None]
) -> None:
    wanted = tmp_path / "parent" / "cache"
    if make is not below_a_file:
        wanted.parent.mkdir()
    make(wanted)
    config.cache_dir = str(wanted)
    with pytest.warns(FunctransWarning, match=REFUSED[make]) as caught:
        store = cache.current()
    assert len(caught) == 1
    assert_works_elsewhere(store, wanted)
    assert cache.current() is store


def test_a_directory_of_another_user(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    house.cache.mkdir(mode=0o700)
    user = os.getuid()
    monkeypatch.setattr(os, "getuid", lambda: user + 1)
    with pytest.warns(FunctransWarning, match="belongs to another user"):
        assert_works_elsewhere(cache.current(), house.cache)


def test_no_home(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HOME", "XDG_CACHE_HOME", "FUNCTRANS_CACHE_DIR", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    with pytest.warns(FunctransWarning, match="neither XDG_CACHE_HOME nor HOME") as caught:
        store = cache.current()
        assert_works_elsewhere(store, house.cache)
    assert len(caught) == 1


def test_below_the_home(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FUNCTRANS_CACHE_DIR")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setenv("HOME", str(tmp_path / "new home"))
    assert cache.current().directory == str(tmp_path / "new home" / ".cache" / "functrans")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache.current().directory == str(tmp_path / "xdg" / "functrans")


def failing(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, code: int, where: Path) -> None:
    """Make a function fail for paths (or open files) below `where`, as for a user who is not root."""
    real = getattr(module, name)

    def fail(*args: Any, **kwargs: Any) -> Any:
        place = kwargs.get("dir") or args[0]
        if isinstance(place, int):
            place = os.readlink(f"/proc/self/fd/{place}")
        if str(place).startswith(str(where)):
            raise OSError(code, os.strerror(code))
        return real(*args, **kwargs)

    monkeypatch.setattr(module, name, fail)


WRITING = [
    (os, "open", errno.EROFS),
    (os, "open", errno.EACCES),
    (os, "open", errno.ENOSPC),
    (os, "fsync", errno.ENOSPC),
    (os, "fsync", errno.EDQUOT),
    (os, "replace", errno.EIO),
]


@pytest.mark.parametrize(("module", "name", "code"), WRITING)
def test_a_directory_that_cannot_be_written(
    house: House, monkeypatch: pytest.MonkeyPatch, module: Any, name: str, code: int
) -> None:
    cache.current().put("old", DATA)
    house.restart()
    failing(monkeypatch, module, name, code, house.cache)
    store = cache.current()
    with pytest.warns(FunctransWarning, match=os.strerror(code)) as caught:
        assert_works_elsewhere(store, house.cache)
        store.put("other", DATA)
    assert len(caught) == 1
    assert store.get("old") == str(house.cache / "old")  # reading from it goes on
    assert os.listdir(house.cache) == ["old"]  # and no half of a file is left in it


def test_no_directory_at_all(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    store = cache.current()
    failing(monkeypatch, os, "open", errno.ENOSPC, house.cache.parent)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        with pytest.raises(CompileError, match=r"No space left on device.*FUNCTRANS_CACHE_DIR"):
            store.put("name", DATA)
    house.restart()
    failing(monkeypatch, os, "mkdir", errno.ENOSPC, Path("/"))
    with pytest.raises(CompileError, match="no temporary directory can be made"):
        cache.current()


def test_a_vanished_directory(house: House) -> None:
    store = cache.current()
    house.cache.rmdir()
    with pytest.warns(FunctransWarning, match="cannot be written"):
        assert_works_elsewhere(store, house.cache)


def test_leaving_twice_makes_one_directory(house: House) -> None:
    store = cache.current()
    before = store.directory
    with pytest.warns(FunctransWarning):
        store.leave(before, "one thread")
    after = store.directory
    store.leave(before, "another thread")
    assert store.directory == after != before


def test_a_workspace_leaves_nothing(house: House) -> None:
    with pytest.raises(KeyError), workspace(cache.current()) as path:
        Path(path, "deep").mkdir()
        Path(path, "deep", "file").write_text("x")
        raise KeyError
    assert house.left_over() == []


def test_a_workspace_beside_the_cache_if_need_be(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    store = cache.current()
    real = os.mkdir

    def mkdir(path: str, mode: int) -> None:
        if not path.startswith(str(house.cache)):
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        real(path, mode)

    monkeypatch.setattr(os, "mkdir", mkdir)
    with workspace(store) as path:
        assert os.path.dirname(path) == str(house.cache)
    assert os.listdir(house.cache) == []


def test_the_temporary_cache_goes_with_the_process_that_made_it(house: House) -> None:
    program = (
        "import os, warnings\n"
        "warnings.simplefilter('ignore')\n"
        "from functrans.backend.runtime import cache\n"
        "store = cache.current()\n"
        "store.put('name', b'data')\n"
        "child = os.fork()\n"
        "if child == 0:\n    raise SystemExit(0)\n"
        "assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0\n"
        "assert store.read('name') == b'data'\n"
        "print(store.directory)\n"
    )
    environment = {**os.environ, "FUNCTRANS_CACHE_DIR": "/dev/null", "TMPDIR": str(house.temporary)}
    done = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.startswith(str(house.temporary))
    assert house.left_over() == []


# the seal


@given(st.lists(st.binary(max_size=20), min_size=2, max_size=4, unique=True), st.data())
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], max_examples=20, deadline=None)
def test_no_file_is_taken_for_another(house: House, texts: list[bytes], data: st.DataObject) -> None:
    """Files under the names of others, whole as they are, are not given back; the others are."""
    store = cache.current()
    names = [f"file {k}" for k in range(len(texts))]
    paths = [Path(store.put(name, text)) for name, text in zip(names, texts, strict=True)]
    moved = data.draw(st.permutations(range(len(texts))))
    whole = [path.read_bytes() for path in paths]
    for k, path in enumerate(paths):
        path.write_bytes(whole[moved[k]])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for k, name in enumerate(names):
            assert store.read(name) == (texts[k] if moved[k] == k else None)


def test_a_file_of_an_earlier_release_is_made_anew_without_a_word(house: House) -> None:
    path = Path(cache.current().put("name", DATA))
    path.write_bytes(DATA + hashlib.sha256(DATA).digest() + b"FTv1")
    assert cache.current().read("name") is None and not path.exists()


# how much is kept


def named(k: int) -> str:
    return f"{k:064x}.so"


def test_what_was_used_longest_ago_goes(house: House) -> None:
    store = cache.current()
    with config.override(cache_max_size=10_000):
        for k in range(8):
            store.put(named(k), bytes(1000))
        (house.cache / "mine.txt").write_bytes(bytes(100_000))  # of the user: neither counted nor removed
        assert store.get(named(0)) and store.get(named(3))
        for k in range(8, 14):
            store.put(named(k), bytes(1000))
            assert sum(size for _, size in store.files()) <= 10_000
            assert store.get(named(0)) and store.get(named(3))
        left = {k for k in range(14) if (house.cache / named(k)).exists()}
        assert 13 in left and not left & {1, 2, 4}
        store.put(named(99), bytes(50_000))  # larger than all that may be kept: it is in use
        assert [path for path, _ in store.files()] == [str(house.cache / named(99))]
    assert (house.cache / "mine.txt").exists()


def test_what_others_have_put_there_counts(house: House) -> None:
    for k in range(5):
        cache.current().put(named(k), bytes(1000))
    house.restart()
    with config.override(cache_max_size=3_000):
        cache.current().tend()
        assert [Path(path).name for path, _ in cache.current().files()] == [named(3), named(4)]


KILLED = """
import os, signal
from functrans.backend.runtime import cache
from functrans.backend.runtime.cache import make_workspace
store = cache.current()
print(make_workspace(store))
open(os.path.join(make_workspace(store), "entry.c"), "w").write("int")
real = os.replace
os.replace = lambda *_: (print(flush=True), os.kill(os.getpid(), signal.SIGKILL))
store.put("0" * 64 + ".so", b"library")
"""


def test_what_a_killed_process_left_is_swept(house: House) -> None:
    environment = {**os.environ, "TMPDIR": str(house.temporary), "FUNCTRANS_CACHE_DIR": str(house.cache)}
    done = subprocess.run([sys.executable, "-c", KILLED], env=environment, capture_output=True, check=False)
    assert done.returncode == -9, done.stderr
    old = house.temporary / f"functrans-cc-{'0' * 8}-1-{'0' * 16}"  # of another system
    young = house.temporary / f"functrans-cc-{'0' * 8}-1-{'1' * 16}"
    other = house.temporary / "functrans-notes"
    for path in (old, young, other):
        path.mkdir()
        (path / "file").write_text("")
    for path in (old, other):
        os.utime(path, (1, 1))
    (house.cache / f".new-{'0' * 16}").write_text("")
    os.utime(house.cache / f".new-{'0' * 16}", (1, 1))
    (house.cache / f".new-{'1' * 16}").write_text("")
    assert len(house.left_over()) == 5 and len(os.listdir(house.cache)) == 3
    with workspace(cache.current()) as mine:
        cache.current().tend()
        assert set(house.left_over()) == {Path(mine).name, young.name, other.name}
    assert os.listdir(house.cache) == [f".new-{'1' * 16}"]
