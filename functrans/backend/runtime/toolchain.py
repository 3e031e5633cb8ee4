"""Find a C compiler, and know it again.

In order: ``FUNCTRANS_CC``, ``CC``, cc, gcc, clang, and the compiler of the ``ziglang`` package.  What was
found out about a compiler (its version, the flags it takes) is kept in the cache under its path, time and
size, so that a process that finds all its code there starts no compiler at all.

A command may be a wrapper (ccache, distcc, a script), also under the name of a compiler that stands first in PATH.
gcc and clang themselves say who they are; what does not is given files, since it may read what it compiles twice.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from functrans._locks import ForkLock
from functrans._sources import fingerprint
from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime.cache import Cache, digest, end_workspace, make_workspace
from functrans.backend.runtime.child import Child, ChildFailed, run
from functrans.backend.runtime.flags import (
    FAMILIES,
    TAKES_ALL,
    flag_choices,
    link_flags,
    linking,
    takes_native,
)
from functrans.backend.runtime.known import Known, stamp_of
from functrans.backend.runtime.scratch import was_full
from functrans.config import config
from functrans.debug import log, warn_once
from functrans.errors import CompileError, CompilerNotFound, ConfigError, refuse_descriptors

__all__ = [
    "Compiler",
    "CompilerSettingError",
    "find_compiler",
    "probe_in_background",
    "write_down",
    "write_text",
]

_PROBE_SECONDS = 60.0
_ZIGLANG = "ziglang"
_ASKED_FOR = "entry.so"
_NOT_NEEDED = {"--build-id", "--eh-frame-hdr"}  # there are no tables of frames
_GCC = re.compile(r"gcc version (\d+)\.")
_VERSION = re.compile(r"\bversion \d")  # in what gcc and clang say for -v
_BEHIND = "COLLECT_GCC="  # and here gcc says what it was called as


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
    linker: tuple[str, ...]
    link: tuple[str, ...]
    takes_pipe: bool = False
    """Whether it may be given its text by a pipe: it is gcc or clang itself, which read it once."""

    @property
    def identity(self) -> str:
        """Everything about the compiler that the compiled code depends on, as text."""
        return "\n".join((*self.command, self.version, self.stamp, *self.flags, *self.linker, *self.link))

    @property
    def family(self) -> str:
        """Which one it is: "gcc", "clang" or "zig"."""
        return _family(self.command, self.version)


_lock = ForkLock()
_found: dict[tuple[str | None, str | None], Compiler | CompilerNotFound] = {}
_asked: dict[tuple[str, ...], Child] = {}  # compilers that have been asked what they are, and have not been heard
_unwritten: list[tuple[Cache, str, bytes]] = []


def find_compiler() -> Compiler:
    """The compiler to use under the present settings; looked for once a process.

    Raises
    ------
    CompilerNotFound
        None works; the text lists what was tried.  `CompilerSettingError` if ``FUNCTRANS_CC`` is set.
    CompileError
        There is no place for scratch files, or no file descriptor is left, to find out.
    """
    wanted = (config.cc, config.system_cc())
    answer = _found.get(wanted)
    if answer is None:
        with _lock:
            answer = _found.get(wanted)
            if answer is None:
                try:
                    answer = _found[wanted] = _search(*wanted)
                except OSError as error:
                    refuse_descriptors(error, "looking for a C compiler")
                    raise
    if isinstance(answer, CompilerNotFound):
        raise type(answer)(answer.message)  # a new one each time: a traceback belongs to one raise
    return answer


def probe_in_background() -> None:
    """Ask the compiler that is tried first what it is, so that it has answered when the function has been traced."""
    wanted = (config.cc, config.system_cc())
    if wanted in _found:
        return
    command = next(command for _, command in _candidates(*wanted))
    with _lock, suppress(ChildFailed, CompileError, OSError):  # whoever needs a compiler meets it again
        known = wanted in _found or tuple(command) in _asked
        if not known and _answers_at_once(command) and cache_module.current().get(_record(command)) is None:
            question = _question(command)
            if _asked.setdefault(tuple(command), question) is not question:  # asked by a signal handler, just now
                question.stop()
            fingerprint()  # of functrans, while it answers


def write_down() -> None:
    """Keep what was found out about compilers, for other processes; called while a compiler works."""
    while _unwritten:
        with suppress(IndexError):  # another thread has just taken it
            store, name, record = _unwritten.pop()
            try:
                store.put(name, record)
            except CompileError as error:
                log(1, f"what was found out about the compiler is not kept: {error}")


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
    name = _record(command)
    known = _kept(store, name)
    if known is None:
        known = _asked_anew(command, store)
        _unwritten.append((store, name, known.written()))
    called = (_program(command), *command[1:])
    linker = linking(called, known.family, known.direct)
    stamp = " ".join(filter(None, (_stamp(list(called)), known.behind)))
    link = link_flags(known.family, direct=bool(known.direct))
    return Compiler(called, known.version, stamp, known.flags, linker, link, known.takes_pipe)


def _kept(store: Cache, name: str) -> Known | None:
    """What an earlier process found out, if that is so still."""
    record = store.read(name)
    if record is None:
        return None
    try:
        known = Known.read(record)
    except ValueError as error:
        warn_once("compiler record", f"the cached record of a compiler {name} makes no sense ({error}); made anew")
        return None
    return known if known.behind == stamp_of(known.behind.rpartition(":")[0].rpartition(":")[0]) else None


def _record(command: list[str]) -> str:
    """The name in the cache of what is known of a compiler; ChildFailed where there is no such program."""
    called = [_program(command), *command[1:]]
    # The flags that could be chosen are part of the name: a new release of functrans asks again.
    return digest("compiler", *called, _stamp(called), _flags()) + ".cc"


@cache
def _flags() -> str:
    return repr([flag_choices(family) for family in FAMILIES])


def _program(command: list[str]) -> str:
    executable = _which(command[0])
    if executable is None:
        raise ChildFailed("was not found")
    return executable


def _which(word: str) -> str | None:
    """The program that `word` calls.  (shutil's own loads three compression libraries to say so.)"""
    directories = [""] if os.path.dirname(word) else os.get_exec_path()
    for directory in directories:
        try:
            path = os.path.abspath(os.path.join(directory, word))
        except FileNotFoundError:  # the working directory is gone: nothing is relative to it
            continue
        if os.path.isfile(path) and os.access(path, os.X_OK):
            return path
    return None


def _stamp(command: list[str]) -> str:
    """Path, time and size of every program in `command`: of gcc as well in ``ccache gcc``."""
    programs = [path for path in map(_which, command) if path is not None]
    package = importlib.util.find_spec(_ZIGLANG) if _ZIGLANG in command else None
    if package is not None and package.origin is not None:  # an upgrade rewrites it, and not python
        programs.append(package.origin)
    return " ".join(map(stamp_of, programs))


def _asked_anew(command: list[str], store: Cache) -> Known:
    """What a compiler is, found out by running it; ChildFailed if it does not work.

    The first question holds most of it: one process where the name of the program tells its family.
    """
    timeout = min(config.compile_timeout, _PROBE_SECONDS)
    if _answers_at_once(command):
        asked = _asked.pop(tuple(command), None) or _question(command)
        said = asked.result(timeout)
        answer = _answer(said)
        if answer is not None:
            version, direct = answer
            return Known(version, "gcc", flag_choices("gcc")[0], direct, *_who(command, said))
    while True:
        directory, made_by = make_workspace(store), os.getpid()
        try:
            return _tried([_program(command), *command[1:]], directory, timeout)
        except (ChildFailed, OSError) as failure:
            if not was_full(directory, getattr(failure, "output", "")):
                raise
        finally:
            end_workspace(directory, made_by)


def _tried(command: list[str], directory: str, timeout: float) -> Known:
    """The same by trying flags on a small text."""
    probe = os.path.join(directory, "probe.c")
    write_text(probe, "int ft_entry(void) { return 0; }\n")
    guess = _family(command, os.path.basename(os.path.realpath(command[0])))
    best = flag_choices(guess)[0]
    compiled = ("-c", probe, "-o", os.path.join(directory, "probe.o"))
    trial = compiled if guess == "zig" else ("-fsyntax-only", probe)  # zig's syntax check looks for an object in vain
    try:
        said, takes = run([*command, "-v", *best, *trial], directory, timeout), True
    except ChildFailed as failure:
        said, takes = failure.output, False
    who = _who(command, said)
    version = next((line for line in said.splitlines() if _VERSION.search(line)), "")
    if not version:
        version = (run([*command, "--version"], directory, timeout).splitlines() or ["unknown"])[0]
    family = _family(command, version)
    if takes and family == guess:
        return Known(version, family, best, (), *who)
    *better, portable = flag_choices(family)
    for flags in better:
        try:
            run([*command, *flags, *trial], directory, timeout)
        except ChildFailed:
            log(1, f"{shlex.join(command)} does not take {' '.join(flags)}")
        else:
            return Known(version, family, flags, (), *who)
    run([*command, *portable, *compiled], directory, timeout)
    return Known(version, family, portable, (), *who)


def _who(command: list[str], said: str) -> tuple[bool, str]:
    """Whether a command is gcc or clang itself, by what it said, and otherwise the program behind it, if that is told.

    gcc says what it was called as, and clang which program it runs to compile: itself. It is called by its whole path
    here, which a wrapper does not pass on. A script may be anything.
    """
    if _family(command, "") == "zig":  # reads files alone
        return False, ""
    called = _program(command)
    lines = said.splitlines()
    behind = next((line[len(_BEHIND) :] for line in lines if line.startswith(_BEHIND)), "")
    if not behind:
        calls = (shlex.split(line) for line in lines if line.startswith(' "') and "-cc1" in line)
        behind = next((words[0] for words in calls if "-cc1" in words[1:2]), "")
        if behind and os.path.realpath(behind) == os.path.realpath(called):
            behind = called
    itself = behind == called and _is_program(called)
    return itself, "" if behind == called or not os.path.isabs(behind) else stamp_of(behind)


def _answers_at_once(command: list[str]) -> bool:
    """Whether a command is a gcc that can be asked what it would call, which takes two milliseconds, a trial twenty."""
    called = _program(command)
    by_name = len(command) == 1 and _family(command, os.path.basename(os.path.realpath(called))) == "gcc"
    return by_name and takes_native() and _is_program(called)


def _question(command: list[str]) -> Child:
    """The command when it has begun to tell its version, and which programs it would call to make a library."""
    asks = ("-###", "-shared", "-fno-use-linker-plugin", "-nostdlib", "-x", "c", os.devnull, "-o", _ASKED_FOR)
    return Child([_program(command), *asks], config.temporary_directories()[0])


def _answer(said: str) -> tuple[str, tuple[str, ...]] | None:
    """The version of a gcc that takes the best flags for sure and has its compiler proper, and how it calls the linker
    if that is clear; None where it is to be tried.
    """
    lines = said.splitlines()
    version = next((line for line in lines if _VERSION.search(line)), "")
    number = _GCC.match(version)
    proper, links = (_calls(lines, name) for name in ("cc1", "collect2"))
    if number is None or int(number[1]) < TAKES_ALL or not proper or not os.path.isfile(proper[0][0]):
        return None
    places = next((line[14:].split(":") for line in lines if line.startswith("COMPILER_PATH=")), [])
    programs = [_which(os.path.join(place, "ld")) for place in places if place] + [_which("ld")]
    program = next((path for path in programs if path is not None), None)
    if program is None or len(links) != 1 or _ASKED_FOR not in links[0]:
        return version, ()
    made = links[0].index(_ASKED_FOR)
    words = [*links[0][1 : made - 1], *links[0][made + 1 :]]  # without -o and what it makes
    return version, (program, *(w for w in words if not w.endswith(".o") and w not in _NOT_NEEDED))


def _calls(lines: list[str], name: str) -> list[list[str]]:
    """The words of each call of a program, in what a compiler says that it would do."""
    found = (shlex.split(line) for line in lines if line.startswith(" ") and name in line)
    return [words for words in found if os.path.basename(words[0]) == name]


def _is_program(path: str) -> bool:
    """Whether a file is machine code, not a script that may do anything with the flags."""
    with open(path, "rb") as file:
        return file.read(4) == b"\x7fELF"


def _family(command: Sequence[str], version: str) -> str:
    if _ZIGLANG in command or os.path.basename(command[0]) == "zig":
        return "zig"
    return "clang" if "clang" in version.lower() else "gcc"


def write_text(path: str, text: str) -> None:
    """Write a text file in UTF-8, whatever the locale."""
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_asked.clear)  # they answer the parent
