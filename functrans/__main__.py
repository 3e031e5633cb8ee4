"""The command line: what is installed, what this machine can do, what a function is compiled into."""

from __future__ import annotations

import argparse
import os
import pkgutil
import platform
import re
import stat
import sys
import time
from collections.abc import Callable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import numpy as np

import functrans as ft
from functrans.backend.runtime import cache as cache_module
from functrans.backend.runtime.flags import cpu_identity
from functrans.backend.runtime.launcher import ready
from functrans.backend.runtime.machine import machine, processor
from functrans.backend.runtime.toolchain import find_compiler
from functrans.config import config
from functrans.errors import ArgumentError, CompileError, FunctransError
from functrans.seeing.page import roof
from functrans.seeing.text import size
from functrans.viz.roofline import Roofline

_FEATURES = "sse4_2 avx avx2 fma f16c avx512f avx512dq avx512vl avx512bw avx512_bf16 neon asimd sve sve2".split()


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a sub-command and return its exit status: 0, 1 for what went wrong, 2 for a command that makes no sense."""
    parser = argparse.ArgumentParser("python -m functrans", description=__doc__)
    commands = parser.add_subparsers(metavar="command", required=True)

    def command(name: str, run: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        made = commands.add_parser(name, help=text, description=text)
        made.set_defaults(run=run)
        return made

    command("info", _info, "versions, compiler, processor, threads, cache and settings; compiles and runs one kernel")
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
    given = parser.parse_args(arguments)
    try:
        return int(given.run(given))
    except (FunctransError, OSError) as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr)
        return 1


def _info(given: argparse.Namespace) -> int:
    print(f"functrans {ft.__version__}, Python {platform.python_version()}, {', '.join(_versions())}")
    flags = next((line[6:].split() for line in cpu_identity().splitlines() if line.startswith("flags=")), [])
    known = [f for f in _FEATURES if f in flags]
    print(f"processor: {processor()}{', with ' + ' '.join(known) if known else ''}")
    print(f"threads of a call: {config.threads} at the most")
    store = cache_module.current()
    try:
        found = find_compiler()
    except CompileError as error:
        print(f"compiler: none, the NumPy interpreter answers. {error}")
        print(_of_cache(store))
        return 1
    print(f"compiler: {found.version}\n  {' '.join(found.command)} {' '.join(_plain(found.flags))}")
    print(_of_cache(store))
    print(f"launcher: {'built' if ready() is not None else 'not built (yet); calls go through cffi'}")
    print(f"settings: {config!r}")
    start = time.perf_counter()
    x = np.linspace(0.0, 1.0, 1000).reshape(100, 10)
    right = np.allclose(ft.vmap(lambda row: np.sin(row) / row.sum())(x), np.sin(x) / x.sum(axis=1, keepdims=True))
    print(f"a kernel traced, compiled and run in {(time.perf_counter() - start) * 1e3:.0f} ms: {_verdict(right)}")
    return 0 if right else 1


def _verdict(right: bool) -> str:
    return "right" if right else "WRONG; please report this with all of the above"


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
    return f"cache: {store.directory}, {len(files)} files, {size(sum(n for _, n in files))}, {mode}"


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


def _found(path: str) -> Any:
    """The function that MODULE:FUNCTION names; modules of the working directory are found as Python finds them."""
    if not re.fullmatch(r"[\w.]+:[\w.]+", path):
        raise ArgumentError(f"{path!r} names no function; expected MODULE:FUNCTION, as in pkg.model:step")
    try:
        return pkgutil.resolve_name(path)
    except (ImportError, AttributeError, ValueError) as error:
        raise ArgumentError(f"{path!r} is not to be had: {error}") from error


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
