"""Run a compiler as a child that cannot outlive, block or flood this process.

It is started by ``posix_spawn``: Python's own module for child processes takes longer to import than a compiler to
start.  It is done when the program that was started has ended, whatever that has left running: a server of compilations
may keep its output open for ever.
"""

from __future__ import annotations

import errno
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
_PIPE = 1 << 20  # bytes: the most that a pipe holds, for whom it was not made larger by the system's own user


class ChildFailed(Exception):
    """The command could not be started, ended with an error, or was stopped; `output` is what it said, `late` whether
    it was stopped because its time was over, `killed` whether somebody else did.
    """

    def __init__(self, reason: str, output: str = "", *, late: bool = False, killed: bool = False) -> None:
        super().__init__(reason)
        self.output, self.late, self.killed = output, late, killed


class Child:
    """A command that runs in the working directory of this process; its temporary files lie in `directory`.

    It reads what it is given, where it is to be `fed`, or else nothing. No shell reads the command. It leads a process
    group of its own, which is killed with it, or when it has ended; who starts one asks for its result or stops it.
    Raises ChildFailed where it cannot be started, and OSError where no descriptors are left.
    """

    def __init__(self, command: Sequence[str], directory: str, *, fed: bool = False) -> None:
        # TMPDIR: a compiler that is killed leaves its temporary files where they are removed with `directory`.
        changes = {"TMPDIR": directory, "LC_ALL": "C"}
        if config.user_cache_home() is None:  # zig does not start without a place for its own cache
            changes["ZIG_GLOBAL_CACHE_DIR"] = directory
        self._kept, self._ended, self._status = b"", False, 0
        self._output = self._food = self._life = -1
        self._ends: set[int] = set()  # of pipes, that are open here
        _alive.add(self)
        try:
            self._output, said = self._pipe()
            food, self._food = self._pipe() if fed else (self._opened(os.open(os.devnull, os.O_RDONLY)), -1)
        except OSError:
            self.leave()
            raise
        try:
            self._pid = os.posix_spawn(
                command[0], list(command), config.child_environment(**changes), setpgroup=0,
                file_actions=[(os.POSIX_SPAWN_DUP2, end, k) for k, end in enumerate((food, said, said))],
                setsigdef=[signal.SIGPIPE, signal.SIGXFSZ],  # Python ignores them, and children would
            )  # fmt: skip
        except (OSError, ValueError) as error:
            self._ended = True
            self._close(self._output, self._food)
            if isinstance(error, OSError) and error.errno in (errno.EMFILE, errno.ENFILE):
                raise
            raise ChildFailed(f"could not be started: {error}") from error
        finally:
            self._close(food, said)
        self._life = self._watch()

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
                        if self._has_ended():  # and another holds the other end
                            break
            fed = True
        except TimeoutError:
            raise ChildFailed(f"was stopped after {timeout:g} seconds", self._said(), late=True) from None
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
            self._hear_the_rest()
        except TimeoutError:
            raise ChildFailed(f"was stopped after {timeout:g} seconds", self._said(), late=True) from None
        finally:
            self.stop()
        if status < 0:
            raise ChildFailed(f"was killed by signal {-status}", self._said(), killed=status == -signal.SIGKILL)
        if status:
            raise ChildFailed(f"ended with status {status}", self._said())
        return self._said()

    def stop(self) -> None:
        """Kill it, and all that it started, unless it has ended."""
        if not self._ended:
            self._kill()
            self._has_ended(0)
        self._close(self._output, self._food, self._life)

    def leave(self) -> None:
        """In the child of a fork, which must not keep the pipes of its parent open."""
        self._ended = True
        self._close(*list(self._ends))

    def _kill(self) -> None:
        with suppress(ProcessLookupError, PermissionError):  # all of it has ended
            os.killpg(self._pid, signal.SIGKILL)

    def _watch(self) -> int:
        """A descriptor that tells when it ends; -1 where there is none to be had: not Linux, or none are left."""
        try:
            return self._opened(os.pidfd_open(self._pid))
        except (AttributeError, OSError):
            return -1

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
        """Wait a while for output, or an appetite; False at the end of the output, or of the child; TimeoutError after
        `deadline`.
        """
        left = deadline - time.monotonic()
        if left <= 0.0:  # a child that never stops talking is late too
            raise TimeoutError
        poll = select.poll()
        poll.register(self._output, select.POLLIN | select.POLLHUP)
        if food >= 0:
            poll.register(food, select.POLLOUT)
        if self._life >= 0:
            poll.register(self._life, select.POLLIN)
        ready = {end for end, _ in poll.poll(min(left, _TICK) * 1000.0)}
        if self._output in ready:
            return self._hear() > 0
        return not self._has_ended()

    def _hear(self) -> int:
        chunk = os.read(self._output, 65_536)
        self._kept = (self._kept + chunk)[-_KEPT_BYTES:]
        return len(chunk)

    def _hear_the_rest(self) -> None:
        """What it has said and nobody has read, when it has ended; not what others go on to say."""
        poll, heard = select.poll(), 0
        poll.register(self._output, select.POLLIN | select.POLLHUP)
        while heard < _PIPE and poll.poll(0):
            n = self._hear()
            if n == 0:
                break
            heard += n

    def _said(self) -> str:
        return self._kept.decode("utf-8", "replace").strip()

    def _wait(self, deadline: float) -> int:
        """The status in which it ends, negative for a signal; TimeoutError after `deadline`."""
        while not self._has_ended():
            left = deadline - time.monotonic()
            if left <= 0.0:  # it closed its output and went on
                raise TimeoutError
            self._sleep(min(left, _TICK))
        return self._status

    def _has_ended(self, options: int = os.WNOHANG) -> bool:
        """Whether it has ended. What is left of its group goes with it, at once: nobody else has its number yet."""
        if not self._ended:
            try:
                pid, status = os.waitpid(self._pid, options)
            except ChildProcessError:  # the user ignores SIGCHLD: nobody knows how it ended
                pid, status = self._pid, 0
            if pid:
                self._ended, self._status = True, os.waitstatus_to_exitcode(status)
                self._kill()
        return self._ended

    def _sleep(self, seconds: float) -> None:
        """Until it has ended, for so long at most; without its descriptor, until it is time to look again."""
        if self._life < 0:
            time.sleep(min(_PAUSE, seconds))
            return
        poll = select.poll()
        poll.register(self._life, select.POLLIN)
        poll.poll(seconds * 1000.0)


def run(command: Sequence[str], directory: str, timeout: float, tick: Callable[[], None] = lambda: None) -> str:
    """Run `command` and return the end of what it wrote, see `Child`.

    Raises ChildFailed.
    """
    return Child(command, directory).result(timeout, tick)


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
