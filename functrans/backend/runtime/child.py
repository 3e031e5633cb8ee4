"""Run a compiler as a child that cannot outlive, block or flood this process.

It is started by ``posix_spawn``: Python's own module for child processes takes longer to import than a compiler to
start.
"""

from __future__ import annotations

import os
import select
import signal
import time
import weakref
from collections.abc import Callable, Sequence
from contextlib import suppress

from functrans.config import config

__all__ = ["Child", "ChildFailed", "run"]

_KEPT_BYTES = 16_384
_TICK = 0.25  # seconds
_PAUSE = 1e-3  # seconds: what has closed its output is about to end


class ChildFailed(Exception):
    """The command could not be started, ended with an error, or was stopped; `output` is what it said."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason)
        self.output = output


class Child:
    """A command that runs in the working directory of this process; its temporary files lie in `directory`.

    It reads what it is given, where it is to be `fed`, or else nothing. No shell reads the command. It leads a process
    group of its own, which `stop` kills; who starts one asks for its result or stops it. Raises ChildFailed where it
    cannot be started.
    """

    def __init__(self, command: Sequence[str], directory: str, *, fed: bool = False) -> None:
        # TMPDIR: a compiler that is killed leaves its temporary files where they are removed with `directory`.
        changes = {"TMPDIR": directory, "LC_ALL": "C"}
        if config.user_cache_home() is None:  # zig does not start without a place for its own cache
            changes["ZIG_GLOBAL_CACHE_DIR"] = directory
        self._kept, self._ended = b"", False
        self._ends: set[int] = set()  # of pipes, that are open here
        _alive.add(self)
        self._output, said = self._pipe()
        food, self._food = self._pipe() if fed else (self._opened(os.open(os.devnull, os.O_RDONLY)), -1)
        try:
            self._pid = os.posix_spawn(
                command[0], list(command), config.child_environment(**changes), setpgroup=0,
                file_actions=[(os.POSIX_SPAWN_DUP2, end, k) for k, end in enumerate((food, said, said))],
                setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # Python ignores them, and children would
            )  # fmt: skip
        except (OSError, ValueError) as error:
            self._ended = True
            self._close(self._output, self._food)
            raise ChildFailed(f"could not be started: {error}") from error
        finally:
            self._close(food, said)

    def give(self, text: bytes, timeout: float) -> None:
        """Let it read a text and then the end; where it does not want all of that, `result` tells why.

        Raises ChildFailed when it was stopped as it did not read for `timeout` seconds.
        """
        deadline = time.monotonic() + timeout
        os.set_blocking(self._food, False)
        rest, fed = memoryview(text), False
        try:
            with suppress(BrokenPipeError):  # it has ended, or is about to
                while rest:
                    with suppress(BlockingIOError):
                        rest = rest[_write(self._food, rest) :]
                    if rest:
                        self._listen(deadline, self._food)
            fed = True
        except TimeoutError:
            raise ChildFailed(f"was stopped after {timeout:g} seconds", self._said()) from None
        finally:
            if fed:
                self._close(self._food)
            else:
                self.stop()

    def result(self, timeout: float, tick: Callable[[], None] = lambda: None) -> str:
        """Wait for its end and return the end of what it wrote; meanwhile call `tick` now and then.

        It is stopped when `timeout` seconds have passed or an exception such as KeyboardInterrupt ends the wait.

        Raises ChildFailed.
        """
        deadline = time.monotonic() + timeout
        try:
            while self._listen(deadline):
                tick()
            status = self._wait(deadline)
        except TimeoutError:
            raise ChildFailed(f"was stopped after {timeout:g} seconds", self._said()) from None
        finally:
            self.stop()
        if status < 0:
            raise ChildFailed(f"was killed by signal {-status}", self._said())
        if status:
            raise ChildFailed(f"ended with status {status}", self._said())
        return self._said()

    def stop(self) -> None:
        """Kill it, and all that it started, unless it has ended."""
        if not self._ended:
            with suppress(ProcessLookupError, PermissionError):  # all of it has ended
                os.killpg(self._pid, signal.SIGKILL)
            self._reap(0)
        self._close(self._output, self._food)

    def leave(self) -> None:
        """In the child of a fork, which must not keep the pipes of its parent open."""
        self._ended = True
        self._close(*self._ends)

    def _pipe(self) -> tuple[int, int]:
        read, write = os.pipe()
        return self._opened(read), self._opened(write)

    def _opened(self, end: int) -> int:
        """What has been opened, under another number than those of a child's input and output."""
        if end > 2:
            self._ends.add(end)
            return end
        other = self._opened(os.dup(end))
        os.close(end)
        return other

    def _close(self, *ends: int) -> None:
        for end in ends:
            if end in self._ends:
                self._ends.discard(end)
                os.close(end)

    def _listen(self, deadline: float, food: int = -1) -> bool:
        """Wait a while for output, or an appetite; False at the end of the output, TimeoutError after `deadline`."""
        left = deadline - time.monotonic()
        if left <= 0.0:  # a child that never stops talking is late too
            raise TimeoutError
        poll = select.poll()
        poll.register(self._output, select.POLLIN | select.POLLHUP)
        if food >= 0:
            poll.register(food, select.POLLOUT)
        if any(end == self._output for end, _ in poll.poll(min(left, _TICK) * 1000.0)):
            chunk = os.read(self._output, 65_536)
            self._kept = (self._kept + chunk)[-_KEPT_BYTES:]
            return bool(chunk)
        return True

    def _said(self) -> str:
        return self._kept.decode("utf-8", "replace").strip()

    def _wait(self, deadline: float) -> int:
        """The status in which it ends, negative for a signal; TimeoutError after `deadline`."""
        while True:
            status = self._reap(os.WNOHANG)
            if status is not None:
                return status
            left = deadline - time.monotonic()
            if left <= 0.0:  # it closed its output and went on
                raise TimeoutError
            _sleep(self._pid, min(left, _TICK))

    def _reap(self, options: int) -> int | None:
        """The status in which it has ended, None if it has not."""
        try:
            pid, status = os.waitpid(self._pid, options)
        except ChildProcessError:  # the user ignores SIGCHLD: nobody knows how it ended
            pid, status = self._pid, 0
        self._ended = pid != 0
        return os.waitstatus_to_exitcode(status) if pid else None


def run(command: Sequence[str], directory: str, timeout: float, tick: Callable[[], None] = lambda: None) -> str:
    """Run `command` and return the end of what it wrote, see `Child`.

    Raises ChildFailed.
    """
    return Child(command, directory).result(timeout, tick)


def _sleep(pid: int, seconds: float) -> None:
    """Until a child has ended, for so long at most; without its descriptor, until it is time to look again."""
    try:
        child = os.pidfd_open(pid)
    except (AttributeError, OSError):  # not Linux, or an old one
        time.sleep(min(_PAUSE, seconds))
        return
    try:
        poll = select.poll()
        poll.register(child, select.POLLIN)
        poll.poll(seconds * 1000.0)
    finally:
        os.close(child)


def _write(end: int, text: memoryview) -> int:
    """How much of a text goes into a pipe; BrokenPipeError and no signal where nobody reads any more."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGPIPE])
    try:
        return os.write(end, text)
    except BrokenPipeError:
        if signal.SIGPIPE in signal.sigpending():
            signal.sigwait([signal.SIGPIPE])
        raise
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_alive: weakref.WeakSet[Child] = weakref.WeakSet()


def _leave_all() -> None:
    for child in list(_alive):
        child.leave()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_leave_all)
