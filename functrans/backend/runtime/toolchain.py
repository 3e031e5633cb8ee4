"""Find a C compiler, know it again, and turn C text into a shared library.

In order: ``FUNCTRANS_CC``, ``CC``, cc, gcc, clang, and the compiler of the ``ziglang`` package.  What was
found out about a compiler (its version, the flags it takes) is kept in the cache under its path, time and
size, so that a process that finds all its code there starts no compiler at all.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import NamedTuple

from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime.cache import Cache, digest, workspace
from functrans.backend.runtime.child import ChildFailed, run
from functrans.backend.runtime.flags import (
    FAMILIES,
    TAKES_ALL,
    cpu_identity,
    flag_choices,
    libraries,
    link_flags,
    takes_native,
)
from functrans.backend.runtime.locks import ForkLock
from functrans.backend.runtime.progress import Progress
from functrans.config import config
from functrans.debug import log
from functrans.errors import CompileError, CompilerNotFound, ConfigError

__all__ = [
    "Compiler",
    "CompilerSettingError",
    "compile_c",
    "compile_error",
    "find_compiler",
    "look_aside",
    "vector_loops",
    "write_text",
]

_PROBE_SECONDS = 60.0
_ZIGLANG = "ziglang"
_VERSION = re.compile(r"\bversion \d")  # in what gcc and clang say for -v


class CompilerSettingError(CompilerNotFound, ConfigError):
    """``FUNCTRANS_CC`` is set to something that does not compile C.

    It is both: no compiler, and a setting that makes no sense.  Nothing else is tried, because whoever
    sets the variable wants that compiler and no other.
    """


class Compiler(NamedTuple):
    """A compiler that works: how to call it, and what makes its output differ from another's."""

    command: tuple[str, ...]
    version: str
    stamp: str
    flags: tuple[str, ...]
    link: tuple[str, ...]

    @property
    def identity(self) -> str:
        """Everything about the compiler that the compiled code depends on, as text."""
        return "\n".join((*self.command, self.version, self.stamp, *self.flags, *self.link))


_lock = ForkLock()
_found: dict[tuple[str | None, str | None], Compiler | CompilerNotFound] = {}
_looking: list[threading.Thread] = []


def find_compiler() -> Compiler:
    """The compiler to use under the present settings; looked for once a process.

    Raises
    ------
    CompilerNotFound
        None works; the text lists what was tried.  `CompilerSettingError` if ``FUNCTRANS_CC`` is set.
    """
    wanted = (config.cc, config.system_cc())
    with _lock:
        answer = _found.get(wanted)
        if answer is None:
            answer = _found[wanted] = _search(*wanted)
    if isinstance(answer, CompilerNotFound):
        raise type(answer)(str(answer))  # a new one each time: a traceback belongs to one raise
    return answer


def look_aside() -> None:
    """Look for a compiler on a thread of its own, so that it is known when the function has been traced."""
    if (config.cc, config.system_cc()) in _found or _looking:
        return
    cache_module.current()  # what it warns of belongs to the line that is running here
    thread = threading.Thread(target=_look, name="functrans compiler", daemon=False)
    _looking.append(thread)
    thread.start()


def _look() -> None:
    try:
        with suppress(CompileError, ConfigError, OSError):  # whoever needs a compiler meets it again
            find_compiler()
    finally:
        _looking.clear()


def _search(own: str | None, system: str | None) -> Compiler | CompilerNotFound:
    tried: list[str] = []
    store = cache_module.current()
    for origin, command in _candidates(own, system):
        try:
            return _examine(command, store)
        except ChildFailed as failure:
            said = f": {failure.output.splitlines()[-1]}" if failure.output else ""
            tried.append(f"  {origin} ({shlex.join(command)}) {failure}{said}")
    listing = "\n".join(tried)
    if own is not None:
        return CompilerSettingError(
            f"FUNCTRANS_CC is {own!r}, expected a working C compiler:\n{listing}\n"
            "Correct it, or unset it to have a compiler looked for."
        )
    return CompilerNotFound(
        f"no working C compiler. Tried:\n{listing}\n"
        "Any one of these helps:\n"
        "  - install gcc or clang (Debian, Ubuntu: apt install gcc; Fedora: dnf install gcc; "
        "macOS: xcode-select --install)\n"
        "  - pip install ziglang, a C compiler as a Python package\n"
        "  - set FUNCTRANS_CC to the command of a C compiler"
    )


def _candidates(own: str | None, system: str | None) -> Iterator[tuple[str, list[str]]]:
    """Where a compiler may be, in the order of preference, and the command that calls it."""
    if own is not None:
        yield "FUNCTRANS_CC", shlex.split(own)
        return
    if system is not None:
        yield "CC", shlex.split(system)
    for name in ("cc", "gcc", "clang"):
        yield name, [name]
    if importlib.util.find_spec(_ZIGLANG) is not None:
        yield "the ziglang package", [sys.executable, "-m", _ZIGLANG, "cc"]


def _examine(command: list[str], store: Cache) -> Compiler:
    """What is known of the compiler `command`, from the cache or by asking it; ChildFailed if it is none."""
    executable = _which(command[0])
    if executable is None:
        raise ChildFailed("was not found")
    command = [executable, *command[1:]]
    stamp = _stamp(command)
    # The flags that could be chosen are part of the name: a new release of functrans asks again.
    name = digest("compiler", *command, stamp, repr([flag_choices(family) for family in FAMILIES])) + ".cc"
    record = store.read(name)
    if record is None:
        version, family, flags = _ask(command, store)
        store.put(name, "\n".join((version, family, *flags)).encode())
    else:
        version, family, *flags = record.decode().split("\n")
    return Compiler(tuple(command), version, stamp, tuple(flags), link_flags(family))


def _which(word: str) -> str | None:
    """The program that `word` calls.  (shutil's own loads three compression libraries to say so.)"""
    directories = [""] if os.path.dirname(word) else os.get_exec_path()
    for directory in directories:
        path = os.path.abspath(os.path.join(directory, word))
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _stamp(command: list[str]) -> str:
    """Path, time and size of every program in `command`: of gcc as well in ``ccache gcc``."""
    programs = [path for path in map(_which, command) if path is not None]
    package = importlib.util.find_spec(_ZIGLANG) if _ZIGLANG in command else None
    if package is not None and package.origin is not None:  # an upgrade rewrites it, and not python
        programs.append(package.origin)
    parts = []
    for path in programs:
        status = os.stat(path)
        parts.append(f"{os.path.realpath(path)}:{status.st_mtime_ns}:{status.st_size}")
    return " ".join(parts)


def _ask(command: list[str], store: Cache) -> tuple[str, str, list[str]]:
    """Version, family and flags of a compiler, by running it; ChildFailed if it does not work.

    The first question holds all three: one process where the name of the program tells its family.
    """
    timeout = min(config.compile_timeout, _PROBE_SECONDS)
    with workspace(store) as directory:
        probe = os.path.join(directory, "probe.c")
        write_text(probe, "int ft_entry(void) { return 0; }\n")
        guess = _family(command, os.path.basename(os.path.realpath(command[0])))
        best = flag_choices(guess)[0]
        if guess == "gcc" and len(command) == 1:
            version = _known_version(command, directory, timeout)
            if version is not None:
                return version, guess, list(best)
        try:
            said, takes = run([*command, "-v", *best, "-fsyntax-only", probe], directory, timeout), True
        except ChildFailed as failure:
            said, takes = failure.output, False
        version = next((line for line in said.splitlines() if _VERSION.search(line)), "")
        if not version:
            version = (run([*command, "--version"], directory, timeout).splitlines() or ["unknown"])[0]
        family = _family(command, version)
        if takes and family == guess:
            return version, family, list(best)
        *better, portable = flag_choices(family)
        for flags in better:
            try:
                run([*command, *flags, "-fsyntax-only", probe], directory, timeout)
            except ChildFailed:
                log(1, f"{shlex.join(command)} does not take {' '.join(flags)}")
            else:
                return version, family, list(flags)
        run([*command, *portable, "-c", probe, "-o", os.path.join(directory, "probe.o")], directory, timeout)
        return version, family, list(portable)


def _known_version(command: list[str], directory: str, timeout: float) -> str | None:
    """What a gcc says that takes the best flags for sure, and has its compiler proper; None where that is to be tried.

    It takes two milliseconds, a trial twenty.
    """
    if not _is_program(command[0]):
        return None
    said = run([*command, "-v"], directory, timeout)
    version = next((line for line in said.splitlines() if _VERSION.search(line)), "")
    number = re.match(r"gcc version (\d+)\.", version)
    if number is None or int(number[1]) < TAKES_ALL or not takes_native():
        return None
    proper = run([*command, "-print-prog-name=cc1"], directory, timeout)
    return version if os.path.isabs(proper) and os.path.isfile(proper) else None


def _is_program(path: str) -> bool:
    """Whether a file is machine code, not a script that may do anything with the flags."""
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def _family(command: list[str], version: str) -> str:
    if _ZIGLANG in command or os.path.basename(command[0]) == "zig":
        return "zig"
    return "clang" if "clang" in version.lower() else "gcc"


def write_text(path: str, text: str) -> None:
    """Write a text file in UTF-8, whatever the locale."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


def compile_c(compiler: Compiler, c_text: str, store: Cache) -> bytes:
    """The shared library that `compiler` makes of `c_text`.

    Raises
    ------
    CompileError
        With the command, the end of what the compiler said, and the path of the C file, which is kept.
    """
    start, lines = time.perf_counter(), c_text.count("\n") + 1
    with workspace(store) as directory:
        source, made = os.path.join(directory, "entry.c"), os.path.join(directory, "entry.so")
        command = [*compiler.command, *compiler.flags, "-o", made, source, *libraries(compiler.link, c_text)]
        try:
            write_text(source, c_text)
            with Progress(f"compiling {lines} lines of C") as progress:
                said = run(command, directory, config.compile_timeout, progress.tick)
            with open(made, "rb") as file:
                library = file.read()
        except ChildFailed as failure:
            raise compile_error(command, str(failure), failure.output, c_text, store) from None
        except OSError as error:
            trouble = f"left no library ({error.strerror or error})"
            raise compile_error(command, trouble, "", c_text, store) from error
    if said:
        log(4, f"the compiler said: {said}")
    log(1, f"compiled {lines} lines of C in {(time.perf_counter() - start) * 1e3:.0f} ms")
    return library


def vector_loops(compiler: Compiler, c_text: str, store: Cache) -> dict[int, str] | None:
    """What the compiler says that it made of loops: for the line, counted from 1, of each that became vector code, how
    wide it is. None of a compiler that does not say. It is asked once; the answer is kept in the cache.
    """
    name = digest("vectors", compiler.identity, cpu_identity(), c_text) + ".vec"
    kept = store.read(name)
    if kept is not None:
        return {int(line): width for line, _, width in (row.partition(" ") for row in kept.decode().splitlines())}
    family = _family(list(compiler.command), compiler.version)
    ask, said = _REMARKS["gcc" if family == "gcc" else "clang"]
    with workspace(store) as directory:
        try:
            source = os.path.join(directory, "entry.c")
            write_text(source, c_text)
            command = [*compiler.command, *compiler.flags, ask, "-c", "-o", os.path.join(directory, "entry.o"), source]
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


def compile_error(command: list[str], trouble: str, output: str, c_text: str, store: Cache) -> CompileError:
    """The error for C that did not become a library that loads; the C is kept beside the cache's files."""
    path = os.path.join(store.directory, f"failed-{digest(c_text)[:16]}.c")
    source: str | None = path
    try:
        write_text(path, c_text)
        kept = f"The C is kept in {path}."
    except OSError as error:
        source, kept = None, f"The C could not be kept ({error.strerror or error})."
    shown = shlex.join(path if os.path.basename(word) == "entry.c" else word for word in command)
    tail = "\n".join(output.splitlines()[-20:]) or "(it said nothing)"
    return CompileError(
        f"the C compiler {trouble}.\n{tail}\nCommand: {shown}\n{kept}\n"
        "Try another compiler with FUNCTRANS_CC. If this one compiles other programs, it is a defect of "
        "functrans: please report it with that file.",
        command=command,
        stderr=output,
        source=source,
    )
