"""Children: fed, deaf, dead or hungry, in processes that fork, ignore signals or have closed their own input."""

from __future__ import annotations

import os
import shutil
import signal
import sys
import time
from pathlib import Path

import pytest

from functrans.backend.runtime.child import Child, ChildFailed, run
from tests.backend.runtime.house import run_python

pytestmark = pytest.mark.skipif(os.name != "posix", reason="starts programs of Unix")
SH = shutil.which("sh") or ""


def child(script: str, where: Path, *, fed: bool = False) -> Child:
    return Child([SH, "-c", script], str(where), fed=fed)


def open_files() -> int:
    return len(os.listdir("/dev/fd"))


@pytest.mark.parametrize("size", [0, 1, 65_536, 65_537, 3_000_000])
def test_it_gets_all_of_a_text(size: int, tmp_path: Path) -> None:
    before = open_files()
    counts = child("wc -c", tmp_path, fed=True)
    counts.give(b"x" * size, 60)
    assert int(counts.result(60)) == size
    assert open_files() == before


def test_one_that_talks_while_it_is_fed(tmp_path: Path) -> None:
    echo = child("cat", tmp_path, fed=True)
    echo.give(b"spam\n" * 200_000, 60)
    assert set(echo.result(60).splitlines()[1:]) == {"spam"}


@pytest.mark.parametrize("action", [signal.SIG_IGN, signal.SIG_DFL])
def test_one_that_ends_before_it_has_read(tmp_path: Path, action: signal.Handlers) -> None:
    before = signal.signal(signal.SIGPIPE, action)  # by default it would end this process
    try:
        gone = child("echo enough >&2; exit 3", tmp_path, fed=True)
        time.sleep(0.05)
        gone.give(b"x" * 1_000_000, 60)
        with pytest.raises(ChildFailed, match="status 3") as caught:
            gone.result(60)
    finally:
        signal.signal(signal.SIGPIPE, before)
    assert caught.value.output == "enough"
    assert signal.SIGPIPE not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_one_that_does_not_read_is_stopped(tmp_path: Path) -> None:
    before = open_files()
    with pytest.raises(ChildFailed, match=r"was stopped after 0\.2 seconds"):
        child("echo $$; sleep 600", tmp_path, fed=True).give(b"x" * 1_000_000, 0.2)
    assert open_files() == before


def test_stopping_is_for_good_and_can_be_said_again(tmp_path: Path) -> None:
    before = open_files()
    waiting = child("cat", tmp_path, fed=True)
    for _ in range(2):
        waiting.stop()
    assert open_files() == before
    with pytest.raises(ChildProcessError):
        os.waitpid(waiting._pid, 0)


@pytest.mark.parametrize(
    "how", ["sleep 600 & echo done", "sleep 600 & echo done; exit 3", "setsid sleep 30 & echo done"]
)
@pytest.mark.parametrize("watched", [True, False])
def test_its_end_is_the_end_whatever_holds_its_output(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, watched: bool
) -> None:
    """A server of compilations that a wrapper leaves running; also where no descriptor tells of the end."""
    if not watched:
        monkeypatch.delattr(os, "pidfd_open", raising=False)
    before = open_files()
    start = time.monotonic()
    served = child(f"{how}", tmp_path, fed=True)
    served.give(b"x" * 1_000_000, 60)
    if "exit" in how:
        with pytest.raises(ChildFailed, match="status 3") as caught:
            served.result(60)
        assert caught.value.output == "done"
    else:
        assert served.result(60) == "done"
    assert time.monotonic() - start < 20  # of 60, and of 600
    assert open_files() == before


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_what_it_leaves_running_goes_with_it(tmp_path: Path) -> None:
    left = Path("/proc") / child("sleep 600 & echo $!", tmp_path).result(60)
    for _ in range(1000):
        try:
            if (left / "stat").read_text().rpartition(")")[2].split()[0] == "Z":
                break  # nobody has waited for it yet
        except FileNotFoundError:
            break
        time.sleep(0.01)
    else:
        raise AssertionError(f"{left.name} still runs")


def test_signals_are_not_ignored_as_python_ignores_them(tmp_path: Path) -> None:
    with pytest.raises(ChildFailed, match=f"signal {int(signal.SIGPIPE)}$"):
        run([SH, "-c", "kill -PIPE $$"], str(tmp_path), 60)


def test_a_user_who_ignores_children(tmp_path: Path) -> None:
    before = signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    try:
        assert run([SH, "-c", "echo done; exit 3"], str(tmp_path), 60) == "done"  # nobody knows its status
    finally:
        signal.signal(signal.SIGCHLD, before)


def test_a_fork_does_not_keep_it_waiting(tmp_path: Path) -> None:
    """With the other end of the pipe the child of a fork would keep it from seeing the end of its text."""
    counts = child("wc -c", tmp_path, fed=True)
    other = os.fork()
    if other == 0:
        time.sleep(60)
        os._exit(0)
    try:
        counts.give(b"text", 10)
        assert counts.result(10) == "4"
    finally:
        os.kill(other, signal.SIGKILL)
        os.waitpid(other, 0)


@pytest.mark.parametrize("closed", ["0", "1", "0, 1", "0, 1, 2"])
def test_a_process_without_standard_files(tmp_path: Path, closed: str) -> None:
    program = (
        "import os, sys\n"
        "from functrans.backend.runtime.child import Child\n"
        "where = os.dup(1)\n"
        f"for end in ({closed},): os.close(end)\n"
        f"c = Child([{SH!r}, '-c', 'cat; echo and >&2; echo more'], {str(tmp_path)!r}, fed=True)\n"
        "c.give(b'text ', 60)\n"
        "os.write(where, ' '.join(c.result(60).split()).encode())\n"
        "os._exit(0)\n"
    )
    assert run_python(program) == "text and more"


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_it_has_no_files_of_this_process(tmp_path: Path) -> None:
    with open(tmp_path / "mine", "w"):
        listed = run([SH, "-c", "ls -l /proc/$$/fd"], str(tmp_path), 60)
    assert "mine" not in listed and " 0 -> /dev/null" in listed


def test_no_program(tmp_path: Path) -> None:
    before = open_files()
    with pytest.raises(ChildFailed, match="could not be started"):
        Child([str(tmp_path / "none")], str(tmp_path), fed=True)
    assert open_files() == before
