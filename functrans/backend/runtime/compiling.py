"""Turn C text into a shared library: by a compiler that may have been started before there was a text.

Half of a small compilation goes by before the compiler has read a line, so it is started while the graph is scheduled.
It reads its standard input, and waits there until it is given the text.
"""

from __future__ import annotations

import os
import re
import shlex
import time
from collections.abc import Callable

from functrans.backend.runtime.cache import Cache, digest, end_workspace, make_workspace, workspace
from functrans.backend.runtime.child import Child, ChildFailed, run
from functrans.backend.runtime.flags import cpu_identity, libraries
from functrans.backend.runtime.parted import parted
from functrans.backend.runtime.progress import Progress
from functrans.backend.runtime.scratch import was_full
from functrans.backend.runtime.toolchain import Compiler, write_down, write_text
from functrans.config import config
from functrans.debug import log, warn_once
from functrans.errors import CompileError, refuse_descriptors

__all__ = ["Compiling", "compile_c", "compile_error", "vector_loops"]

_SOURCE, _LIBRARY, _OBJECTS = "entry.c", "entry.so", ("entry.o", "more.o")
# What is included is opened when the compiler is all set up, what it is called with before that.
_INCLUDED = ("-x", "c", "-include", "/dev/stdin", os.devnull)
_FED = _INCLUDED if os.path.isdir("/proc/self/fd") else ("-x", "c", "-")


def _nothing() -> None: ...


class Elsewhere(Exception):
    """A compiler has to be run again, in another place or process."""


class Compiling:
    """A compiler on its way: it has been started where it can wait for its text, and has to be given one or stopped.

    Raises ChildFailed where it cannot be started, NoPlace where there is no place for what it makes, and OSError where
    no descriptors are left.
    """

    def __init__(self, compiler: Compiler, store: Cache) -> None:
        self.compiler, self._store = compiler, store
        self._start, self._made_by = time.perf_counter(), os.getpid()
        self._directory = make_workspace(store)
        self._children: list[Child] = []
        if compiler.takes_pipe:
            self._begin(*_FED, fed=True)

    def library(self, c_text: str, has_maths: bool, meanwhile: Callable[[], None]) -> bytes:
        """The shared library of a text; `meanwhile` is called once, while the compiler works. Nothing else is left.

        Raises CompileError, and `Elsewhere` where another run is to be started: the place for what it makes is full, or
        this process is the child of a fork, whose compiler runs for its parent.
        """
        lines = c_text.count("\n") + 1
        made, texts = self._path(_LIBRARY), self._texts(c_text)
        objects = [self._path(name) for name in _OBJECTS[: len(texts)]]
        needed = libraries(self.compiler.link, c_text, has_maths)
        done = self._command(_OBJECTS[0], _SOURCE)  # what makes the same of the whole text
        timeout = config.compile_timeout
        try:
            with Progress(f"compiling {lines} lines of C") as progress:
                if not self._children:
                    write_text(self._path(_SOURCE), c_text)
                    self._begin(self._path(_SOURCE))
                else:
                    while len(self._children) < len(texts):
                        self._begin(*_FED, fed=True)
                    for child, text in zip(self._children, texts, strict=True):
                        child.give(f'#line 1 "{_SOURCE}"\n{text}'.encode(), timeout)
                self._store.tend()
                write_down()
                meanwhile()
                said = "".join(child.result(timeout, progress.tick) for child in self._children)
                link = [*self.compiler.linker, "-o", made]
                done += ["&&", *link, objects[0], *needed]
                said += run([*link, *objects, *needed], self._directory, timeout, progress.tick)
            with open(made, "rb") as file:
                library = file.read()
        except ChildFailed as failure:
            if self.is_elsewhere or was_full(self._directory, failure.output):
                raise Elsewhere from failure
            raise compile_error(done, failure, c_text, self._store) from None
        except OSError as error:
            if self.is_elsewhere or was_full(self._directory):
                raise Elsewhere from error
            refuse_descriptors(error, "the C compiler")
            nothing = ChildFailed(f"left no library ({error.strerror or error})")
            raise compile_error(done, nothing, c_text, self._store) from error
        finally:
            self.stop()
        if said:
            log(4, f"the compiler said: {said}")
        log(1, f"compiled {lines} lines of C in {(time.perf_counter() - self._start) * 1e3:.0f} ms")
        return library

    def stop(self) -> None:
        """End it, if it runs, and remove what it made."""
        for child in self._children:
            child.stop()
        end_workspace(self._directory, self._made_by)

    @property
    def is_elsewhere(self) -> bool:
        """Whether it was begun by a process that this one is a fork of."""
        return os.getpid() != self._made_by

    def _path(self, name: str) -> str:
        return os.path.join(self._directory, name)

    def _texts(self, c_text: str) -> tuple[str, ...]:
        """The text, in two where this process has two processors for compilers that read pipes."""
        return parted(c_text) if self._children and config.threads > 1 else (c_text,)

    def _command(self, made: str, *source: str) -> list[str]:
        return [*self.compiler.command, *self.compiler.flags, "-c", "-o", self._path(made), *source]

    def _begin(self, *source: str, fed: bool = False) -> None:
        """Start a compiler that makes the next object."""
        try:
            made = _OBJECTS[len(self._children)]
            self._children.append(Child(self._command(made, *source), self._directory, fed=fed))
        except (ChildFailed, OSError):
            end_workspace(self._directory, self._made_by)
            raise


def compile_c(
    compiler: Compiler, c_text: str, store: Cache, *, has_maths: bool = False, begun: Compiling | None = None,
    meanwhile: Callable[[], None] = _nothing,
) -> bytes:  # fmt: skip
    """The shared library that `compiler` makes of `c_text`; see `libraries` for ``has_maths``.

    It is given to the compiler that has ``begun``, if that is this one, and made anew in another place where the first
    turns out to be full.

    Raises
    ------
    CompileError
        With the command, the end of what the compiler said, and the path of the C file, which is kept; `NoPlace` where
        nothing can be written.
    """
    while True:
        if begun is None or begun.compiler != compiler or begun.is_elsewhere:
            try:
                begun = Compiling(compiler, store)
            except ChildFailed as failure:
                command = [*compiler.command, *compiler.flags, _SOURCE]
                raise compile_error(command, failure, c_text, store) from None
            except OSError as error:
                refuse_descriptors(error, "the C compiler")
                raise
        try:
            return begun.library(c_text, has_maths, meanwhile)
        except Elsewhere:
            begun = None


def vector_loops(compiler: Compiler, c_text: str, store: Cache) -> dict[int, str] | None:
    """What the compiler says that it made of loops: for the line, counted from 1, of each that became vector code, how
    wide it is. None of a compiler that does not say. It is asked once; the answer is kept in the cache.
    """
    name = digest("vectors", compiler.identity, cpu_identity(), c_text) + ".vec"
    kept = store.read(name)
    if kept is not None:
        try:
            return {int(line): width for line, _, width in (row.partition(" ") for row in kept.decode().splitlines())}
        except ValueError as error:
            warn_once("vectors", f"the cached list of vector loops {name} makes no sense ({error}); made anew")
    ask, said = _REMARKS["gcc" if compiler.family == "gcc" else "clang"]
    with workspace(store) as directory:
        try:
            source = os.path.join(directory, _SOURCE)
            write_text(source, c_text)
            made = os.path.join(directory, _OBJECTS[0])
            command = [*compiler.command, *compiler.flags, ask, "-c", "-o", made, source]
            output = run(command, directory, config.compile_timeout)
        except (ChildFailed, OSError) as failure:
            log(1, f"the compiler does not tell which loops are vector code: {failure}")
            return None
    found: dict[int, str] = {}
    for line, width in said.findall(output):
        found.setdefault(int(line), width)  # the loop itself; what is left over at its end comes after
    store.put(name, "\n".join(f"{line} {width}" for line, width in found.items()).encode())
    return found


_REMARKS = {
    "gcc": ("-fopt-info-vec-optimized", re.compile(r"c:(\d+):\d+: \w+: +loop vectorized using (\d+ byte) vectors")),
    "clang": ("-Rpass=loop-vectorize", re.compile(r"c:(\d+):\d+: remark: vectorized loop \((.*?)\)")),
}


def compile_error(command: list[str], failure: ChildFailed, c_text: str, store: Cache) -> CompileError:
    """The error for C that did not become a library that loads; the C is kept beside the cache's files."""
    path = os.path.join(store.directory, f"failed-{digest(c_text)[:16]}.c")
    source: str | None = path
    try:
        write_text(path, c_text)
        kept = f"The C is kept in {path}."
    except OSError as error:
        source, kept = None, f"The C could not be kept ({error.strerror or error})."
    names = {_SOURCE: path, _LIBRARY: _LIBRARY} | {made: made for made in _OBJECTS}
    command = [names.get(os.path.basename(word), word) for word in command]
    shown = shlex.join(command).replace(shlex.quote("&&"), "&&")
    tail = "\n".join(failure.output.splitlines()[-20:]) or "(it said nothing)"
    return CompileError(
        f"the C compiler {failure}.\n{tail}\nCommand: {shown}\n{kept}\n{_remedy(failure, c_text)}",
        command=command,
        stderr=failure.output,
        source=source,
    )


def _remedy(failure: ChildFailed, c_text: str) -> str:
    """What to do about a compiler that failed."""
    lines = c_text.count("\n") + 1
    if failure.late:
        return (
            f"It had {config.compile_timeout:g} seconds for {lines} lines of C, and was not done. Set "
            "FUNCTRANS_COMPILE_TIMEOUT (or ft.config.compile_timeout) to more seconds, once: what is compiled is kept."
            f"\n{_SHORTER}"
        )
    if failure.killed or _KILLED in failure.output:
        return (
            f"It was killed from outside, as systems do when memory runs out; it had {lines} lines of C. Free some "
            f"memory, or raise the limit that this process runs under.\n{_SHORTER}"
        )
    return (
        "Try another compiler with FUNCTRANS_CC. If this one compiles other programs, it is a defect of functrans: "
        "please report it with that file."
    )


_KILLED = "Killed signal terminated program"  # as gcc tells of its compiler proper
_SHORTER = (
    "Shorter code compiles sooner. A loop in Python is written out, step by step: let ft.vmap or operations on "
    "whole arrays stand for it, or ft.jit one step and loop outside. ft.spjacobian(..., method='compressed') writes "
    "less than method='direct'. ft.explain(f, *args) and ft.jit(f).lower(*args).c_source show what is long."
)
