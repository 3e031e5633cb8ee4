"""Run a compiler as a child that cannot outlive, block or flood this process.

It is started by ``posix_spawn``: Python's own module for child processes takes longer to import than a compiler to
start.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Sequence

from functrans.config import config

__all__ = ["Child", "ChildFailed", "run"]

_KEPT_BYTES = 16_384
_TICK = 0.25  # seconds
_PAUSE = 1e-4  # seconds, at first: what has closed its output is about to end
_IGNORED = [s for name in ("SIGPIPE", "SIGXFSZ") if (s := getattr(signal, name, None)) is not None]  # by Python


class ChildFailed(Exception):
    """The command could not be started, ended with an error, or was stopped; `output` is what it said."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason)
        self.output = output


class Child:
    """A command that runs in the working directory of this process; its temporary files lie in `directory`.

    No shell reads the command.  The child leads a process group of its own, which `stop` kills.  Raises ChildFailed
    where it cannot be started.
    """

    def __init__(self, command: Sequence[str], directory: str) -> None:
        # TMPDIR: a compiler that is killed leaves its temporary files where they are removed with `directory`.
        changes = {"TMPDIR": directory, "LC_ALL": "C"}
        if config.user_cache_home() is None:  # zig does not start without a place for its own cache
            changes["ZIG_GLOBAL_CACHE_DIR"] = directory
        self._said, said = os.pipe()  # inherited under the numbers below alone
        actions = [
            (os.POSIX_SPAWN_DUP2, said, 1),
            (os.POSIX_SPAWN_DUP2, said, 2),
            (os.POSIX_SPAWN_OPEN, 0, os.devnull, os.O_RDONLY, 0),
        ]
        try:
            self._pid = os.posix_spawn(
                command[0], list(command), config.child_environment(**changes),
                file_actions=actions, setpgroup=0, setsigdef=_IGNORED,
            )  # fmt: skip
        except (OSError, ValueError) as error:
            os.close(self._said)
            raise ChildFailed(f"could not be started: {error}") from error
        finally:
            os.close(said)

    def result(self, timeout: float, tick: Callable[[], None] = lambda: None) -> str:
        """Wait for its end and return the end of what it wrote; meanwhile call `tick` now and then.

        It is stopped when `timeout` seconds have passed or an exception such as KeyboardInterrupt ends the wait.

        Raises ChildFailed.
        """
        deadline = time.monotonic() + timeout
        over = False
        output = ""
        try:
            output = _drain(self._said, deadline, tick)
            status = self._wait(deadline)
            over = True
        except TimeoutError as error:
            raise ChildFailed(f"was stopped after {timeout:g} seconds", str(error) or output) from None
        finally:
            if over:
                os.close(self._said)
            else:
                self.stop()
        if status < 0:
            raise ChildFailed(f"was killed by signal {-status}", output)
        if status:
            raise ChildFailed(f"ended with status {status}", output)
        return output

    def stop(self) -> None:
        """Kill it, and all that it started."""
        try:
            os.killpg(self._pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass  # all of it has ended
        self._reap(0)
        os.close(self._said)

    def _wait(self, deadline: float) -> int:
        """The status in which it ends, negative for a signal; TimeoutError after `deadline`."""
        pause = _PAUSE
        while True:
            status = self._reap(os.WNOHANG)
            if status is not None:
                return status
            if time.monotonic() > deadline:
                raise TimeoutError
            time.sleep(pause)
            pause = min(2 * pause, _TICK)

    def _reap(self, options: int) -> int | None:
        try:
            pid, status = os.waitpid(self._pid, options)
        except ChildProcessError:  # the user ignores SIGCHLD: nobody knows how it ended
            return 0
        return os.waitstatus_to_exitcode(status) if pid else None


def run(command: Sequence[str], directory: str, timeout: float, tick: Callable[[], None] = lambda: None) -> str:
    """Run `command` and return the end of what it wrote, see `Child`.

    Raises ChildFailed.
    """
    return Child(command, directory).result(timeout, tick)


def _drain(pipe: int, deadline: float, tick: Callable[[], None]) -> str:
    """Read to the end, keeping the last few kilobytes; TimeoutError, with them, after `deadline`."""
    poll = select.poll()
    poll.register(pipe, select.POLLIN | select.POLLHUP)
    kept = b""
    while True:
        left = deadline - time.monotonic()
        if left <= 0.0:  # a child that never stops talking is late too
            raise TimeoutError(_text(kept))
        if not poll.poll(min(left, _TICK) * 1000.0):
            tick()
            continue
        chunk = os.read(pipe, 65_536)
        if not chunk:
            return _text(kept)
        kept = (kept + chunk)[-_KEPT_BYTES:]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()
