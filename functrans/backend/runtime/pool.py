"""The threads of the domains: one each, started when it is first needed, idle until it is given work."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping
from queue import SimpleQueue

from functrans._locks import ForkLock
from functrans.debug import log

__all__ = ["run_at_once"]

Task = Callable[[], None]


class _Running:
    """A task on its way: done or not, and what it raised."""

    __slots__ = ("done", "error", "task")

    def __init__(self, task: Task) -> None:
        self.task, self.done = task, threading.Event()
        self.error: BaseException | None = None

    def run(self) -> None:
        """Run it; what it raises waits for the one who asked."""
        try:
            self.task()
        except BaseException as error:  # handed over, whatever it is: the asking thread raises it
            self.error = error
        finally:
            self.done.set()


class _Worker(threading.local):
    inside = False  # whether this thread is that of a domain


_here = _Worker()
_lock = ForkLock()
_queues: dict[str, SimpleQueue[_Running]] = {}


def run_at_once(tasks: Mapping[str, Task], host: str) -> None:
    """Run one task on each domain at the same time and return when all are done: a barrier.

    The domain ``host`` is the calling thread. A domain that several callers want serves them in turn; no task waits
    for another, so they never wait for each other in a circle. Called on the thread of a domain the tasks run one
    after the other, there; what is for a domain that no thread can be had for runs on the calling one. After a fork the
    child starts threads of its own.

    Raises what a task raised, the first one in the order of ``tasks``, when all have ended.
    """
    if _here.inside:
        for task in tasks.values():
            task()
        return
    running = {name: _Running(task) for name, task in tasks.items()}
    for name, item in running.items():
        if name != host:
            queue = _queue(name)
            if queue is None:
                item.run()
            else:
                queue.put(item)
    if host in running:
        running[host].run()
    for item in running.values():
        item.done.wait()
    for item in running.values():
        if item.error is not None:
            raise item.error


def _queue(name: str) -> SimpleQueue[_Running] | None:
    """The tasks of a domain, which a thread takes from there; None where no thread can be started."""
    found = _queues.get(name)
    if found is None:
        with _lock:
            found = _queues.get(name)
            if found is None:
                found = SimpleQueue()
                try:
                    threading.Thread(target=_serve, args=(found,), name=f"functrans {name}", daemon=True).start()
                except RuntimeError as error:  # none can be had, or the interpreter ends
                    log(1, f"no thread for {name}: {error}")
                    return None
                _queues[name] = found
    return found


def _serve(queue: SimpleQueue[_Running]) -> None:
    _here.inside = True
    while True:
        queue.get().run()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_queues.clear)
