"""The command line: what is installed, what this machine can do, what a function is compiled into."""

from __future__ import annotations

import argparse
import inspect
import os
import pkgutil
import platform
import re
import stat
import sys
import time
import warnings
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

import functrans as ft
from functrans import errors
from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime.flags import cpu_identity
from functrans.backend.runtime.launcher import build_in_background, ready
from functrans.backend.runtime.machine import machine, processor
from functrans.backend.runtime.threads import pool
from functrans.backend.runtime.toolchain import find_compiler
from functrans.config import config
from functrans.errors import ArgumentError, FunctransError, text_of
from functrans.reporting.page import roof
from functrans.reporting.text import size
from functrans.viz.roofline import Roofline

_FEATURES = "sse4_2 avx avx2 fma f16c avx512f avx512dq avx512vl avx512bw avx512_bf16 neon asimd sve sve2".split()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command and return its exit status: 0, 1 for what went wrong, 2 for a command that makes no sense."""
    parser = argparse.ArgumentParser("functrans", description=__doc__)
    parser.add_argument("--version", action="version", version=f"functrans {ft.__version__}")
    commands = parser.add_subparsers(metavar="command", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        return made

    command("doctor", _doctor, "checks compiler, cache, launcher, threads and settings, and says what would help")
    command("cache", _cache, "where compiled code is kept, and how much of it there is")
    command("clear-cache", _clear, "remove the compiled code that is kept")
    roofline = command("roofline", _roofline, "what memory and arithmetic of this machine can do, measured once")
    roofline.add_argument("--again", action="store_true", help="measure again")
    roofline.add_argument("--svg", metavar="FILE", help="write the picture there")
    explain = command("explain", _explain, "what a function is compiled into, with times on random arguments")
    explain.add_argument("function", metavar="MODULE:FUNCTION", help="a function that is imported, as pkg.model:step")
    explain.add_argument("shapes", metavar="SHAPE", nargs="*", help="of each argument: 1000,3 float32:1000,3 scalar")
    explain.add_argument("--vmap", action="store_true", help="map over axis 0 of every argument")
    explain.add_argument("--html", metavar="FILE", help="write a page with the graph after every pass beside the C")
    error = command("error", _error, "what a class of errors means, why it is raised, and what to do")
    error.add_argument("name", metavar="CLASS", help="as the message names it: ShapeError")
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except (FunctransError, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1


def _doctor(given: argparse.Namespace) -> int:
    print(f"functrans {ft.__version__}, Python {platform.python_version()}, {', '.join(_versions())}")
    flags = next((line[6:].split() for line in cpu_identity().splitlines() if line.startswith("flags=")), [])
    known = [f for f in _FEATURES if f in flags]
    print(f"processor: {processor()}{', with ' + ' '.join(known) if known else ''}")
    print(f"settings: {config!r}")
    wrong = 0
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # what they say is said here
        for check, name, remedy in _CHECKS:
            try:
                what, trouble = check()
            except (FunctransError, OSError) as error:
                what, trouble = name, text_of(error)
            wrong += bool(trouble)
            print(f"trouble: {what}\n  what: {trouble}\n  help: {remedy}" if trouble else f"good: {what}")
    print(f"{wrong} of {len(_CHECKS)} checks failed" if wrong else "all is well")
    return 1 if wrong else 0


Found = tuple[str, str]
"""What was looked at, and what is wrong with it or nothing."""


def _of_settings() -> Found:
    return "settings", "; ".join(config.put_right())


def _of_cache_directory() -> Found:
    store = cache_module.current()
    return _of_cache(store), store.trouble or store.unusable


def _of_compiler() -> Found:
    found = find_compiler()
    text = f"compiler: {found.version}\n  {' '.join(found.command)} {' '.join(_plain(found.flags))}"
    if not found.takes_pipe and found.family != "zig":
        text += "\n  a wrapper (ccache, distcc, a script): it is given files, and is not started ahead"
    return text, ""


def _of_scratch() -> Found:
    """Directories for temporary files: one that takes files and lets libraries be loaded is enough."""
    places = config.temporary_directories()
    good = [place for place in places if os.path.isdir(place) and os.access(place, os.W_OK) and not _is_noexec(place)]
    trouble = "" if good else f"none of {', '.join(places)} can be written and lets code be loaded"
    return f"scratch files: {', '.join(good) or 'nowhere'}", trouble


def _is_noexec(place: str) -> bool:
    try:
        return bool(os.statvfs(place).f_flag & os.ST_NOEXEC)
    except (OSError, AttributeError):
        return False


def _of_launcher() -> Found:
    if not config.launcher:
        return "launcher: off (FUNCTRANS_LAUNCHER)", ""
    thread = build_in_background() if ready() is None else None
    if thread is not None:
        thread.join()
    return ("launcher: built", "") if ready() is not None else ("launcher: not built", "calls go through cffi")


def _of_threads() -> Found:
    alone = config.threads > 1 and pool() == 0
    trouble = "their code does not compile or load here; calls run in one thread" if alone else ""
    return f"threads of a call: {config.threads} at the most", trouble


def _of_a_kernel() -> Found:
    start = time.perf_counter()
    x = np.linspace(0.0, 1.0, 1000).reshape(100, 10)
    right = np.allclose(ft.vmap(lambda row: np.sin(row) / row.sum())(x), np.sin(x) / x.sum(axis=1, keepdims=True))
    spent = (time.perf_counter() - start) * 1e3
    text = f"a kernel traced, compiled and run in {spent:.0f} ms: {'right' if right else 'WRONG'}"
    return text, "" if right else "its numbers are wrong"


_CHECKS: tuple[tuple[Callable[[], Found], str, str], ...] = (
    (_of_settings, "settings", "correct these variables, or unset them"),
    (
        _of_cache_directory, "cache: none",
        "set FUNCTRANS_CACHE_DIR to a directory that only you can write, with free space, not mounted noexec",
    ),
    (
        _of_compiler, "compiler: none, the NumPy interpreter answers",
        "install gcc or clang, or pip install ziglang, or set FUNCTRANS_CC to the command of a C compiler",
    ),
    (_of_scratch, "scratch files", "set TMPDIR to a directory of yours with free space, not mounted noexec"),
    (
        _of_launcher, "launcher",
        "see the compiler; install the headers of Python (Debian: python3-dev, Fedora: python3-devel)",
    ),
    (_of_threads, "threads of a call", "see settings and compiler"),
    (_of_a_kernel, "a kernel", "see the other checks; if all else is good, please report this with all of the above"),
)  # fmt: skip


def _plain(flags: Sequence[str]) -> list[str]:
    hidden = [f for f in flags if f.startswith("-fno-builtin-")]
    shown = [f for f in flags if f not in hidden]
    return [*shown, f"(and -fno-builtin- for {len(hidden)} functions)"] if hidden else shown


def _versions() -> list[str]:
    found = []
    for name in ("numpy", "scipy", "cffi"):
        try:
            found.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            found.append(f"no {name}")
    return found


def _of_cache(store: cache_module.Cache) -> str:
    files = store.files()
    mode = stat.filemode(os.stat(store.directory).st_mode)
    held = f"{len(files)} files, {size(sum(n for _, n in files))} of at most {size(config.cache_max_size)}"
    return f"cache: {store.directory}, {held}, {mode}"


def _cache(given: argparse.Namespace) -> int:
    print(_of_cache(cache_module.current()))
    return 0


def _clear(given: argparse.Namespace) -> int:
    store = cache_module.current()
    count, total = store.clear()
    print(f"removed {count} files, {size(total)}, of {store.directory}")
    return 0


def _roofline(given: argparse.Namespace) -> int:
    machines = [machine(n, again=given.again) for n in dict.fromkeys((1, config.threads))]
    picture = Roofline(machines[0].name, [roof(m) for m in machines])
    print(picture)
    print("bandwidth by the bytes that are touched, GB/s:")
    for m in machines:
        name = f"{m.threads} thread{'s' * (m.threads != 1)}"
        print(f"  {name}: " + ", ".join(f"{size(b)} {rate / 1e9:.3g}" for b, rate in m.bandwidth))
    if given.svg:
        picture.to_svg(given.svg)
        print(given.svg)
    return 0


def _explain(given: argparse.Namespace) -> int:
    f = _found(given.function)
    found = ft.explain(ft.vmap(f) if given.vmap else f, *map(_array, given.shapes))
    print(found)
    if given.html:
        found.to_html(given.html)
        print(given.html)
    return 0


def _error(given: argparse.Namespace) -> int:
    kinds = {name: kind for name, kind in vars(errors).items() if name in errors.__all__ and isinstance(kind, type)}
    if given.name not in kinds:
        raise ArgumentError(f"{given.name!r} is no class of errors; there are {', '.join(sorted(kinds))}")
    print((inspect.getdoc(kinds[given.name]) or "").replace("``", "`"))
    caught = [kind.__name__ for kind in kinds[given.name].__mro__[1:] if issubclass(kind, Exception)]
    print(f"\nCaught as {', '.join(caught)}.")
    place = f"reference/errors.html#{given.name.lower()}"
    print(f"An example that raises it, and one that does not: {place} of the documentation.")
    return 0


def _found(path: str) -> Any:
    """The function that MODULE:FUNCTION names; modules of the working directory are found as Python finds them."""
    if not re.fullmatch(r"[\w.]+:[\w.]+", path):
        raise ArgumentError(f"{path!r} names no function; expected MODULE:FUNCTION, as in pkg.model:step")
    try:
        return pkgutil.resolve_name(path)
    except (ImportError, AttributeError, ValueError) as error:
        raise ArgumentError(f"{path!r} is not to be had: {text_of(error)}") from error


def _array(text: str) -> Any:
    """Random numbers of the shape and dtype that the text names; integers are 0 to 9."""
    dtype, colon, shape = text.rpartition(":")
    try:
        extents = () if shape in ("", "scalar") else tuple(int(n) for n in shape.split(",") if n)
        kind = np.dtype(dtype if colon else "float64")
        if min(extents, default=0) < 0:
            raise ValueError
    except (ValueError, TypeError) as error:
        raise ArgumentError(f"{text!r} is no shape; expected 1000,3 or float32:1000,3 or scalar") from error
    numbers = np.random.default_rng(0)
    if kind.kind in "iu":
        return numbers.integers(0, 10, extents).astype(kind)
    return np.asarray(numbers.uniform(0.5, 1.5, extents)).astype(kind)


if __name__ == "__main__":
    sys.exit(main())
