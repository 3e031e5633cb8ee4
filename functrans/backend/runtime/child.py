"""Run a compiler as a child that cannot outlive, block or flood this process."""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable, Sequence
from typing import IO

from functrans._lazy import subprocess
from functrans.config import config

__all__ = ["ChildFailed", "run"]

_KEPT_BYTES = 16_384
_TICK = 0.25  # seconds


class ChildFailed(Exception):
    """The command could not be started, ended with an error, or was stopped; `output` is what it said."""

    def __init__(self, reason: str, output: str = "") -> None:
        super().__init__(reason)
        self.output = output


def run(command: Sequence[str], directory: str, timeout: float, tick: Callable[[], None] = lambda: None) -> str:
    """Run `command` in `directory` and return the end of what it wrote; meanwhile call `tick` now and then.

    No shell reads the command.  The child leads a process group of its own; the whole group is killed
    when `timeout` seconds have passed or an exception such as KeyboardInterrupt ends the wait.

    Raises ChildFailed.
    """
    deadline = time.monotonic() + timeout
    # TMPDIR: a compiler that is killed leaves its temporary files where they are removed with `directory`.
    changes = {"TMPDIR": directory, "LC_ALL": "C"}
    if config.user_cache_home() is None:  # zig does not start without a place for its own cache
        changes["ZIG_GLOBAL_CACHE_DIR"] = directory
    environment = config.child_environment(**changes)
    try:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            cwd=directory,
            env=environment,
            process_group=0,
        )
    except (OSError, ValueError) as error:
        raise ChildFailed(f"could not be started: {error}") from error
    over = False
    output = ""
    try:
        output = _drain(process.stdout, deadline, tick)
        status = process.wait(max(deadline - time.monotonic(), 0.0))
        over = True
    except TimeoutError as error:
        raise ChildFailed(f"was stopped after {timeout:g} seconds", str(error)) from None
    except subprocess.TimeoutExpired:  # it closed its output and went on
        raise ChildFailed(f"was stopped after {timeout:g} seconds", output) from None
    finally:
        if not over:
            _kill_group(process.pid)
            process.wait()
        if process.stdout is not None:
            process.stdout.close()
    if status < 0:
        raise ChildFailed(f"was killed by signal {-status}", output)
    if status:
        raise ChildFailed(f"ended with status {status}", output)
    return output


def _drain(pipe: IO[bytes] | None, deadline: float, tick: Callable[[], None]) -> str:
    """Read to the end, keeping the last few kilobytes; TimeoutError, with them, after `deadline`."""
    if pipe is None:
        return ""
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
        chunk = os.read(pipe.fileno(), 65_536)
        if not chunk:
            return _text(kept)
        kept = (kept + chunk)[-_KEPT_BYTES:]


def _text(data: bytes) -> str:
    return data.decode("utf-8", "replace").strip()


def _kill_group(leader: int) -> None:
    try:
        os.killpg(leader, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        return  # all of it has ended
