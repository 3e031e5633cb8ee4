"""The instructions of AVX-512 that generated C calls, in plain C: its texts for that machine run on any other.

``header`` is C that is included before everything else, under ``FLAGS``. As a plugin, ``pytest -p tests.avx512 ...``
runs tests with vectors of 512 bits and registers of masks. By hand. What is written in instructions is left out:
sorting has none, and tiles of products do not compile.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from pathlib import Path

from functrans.backend.codegen import sorted_vectors
from functrans.backend.codegen.vectors import target
from functrans.config import config

FLAGS = tuple(f"-D__AVX512{part}__=1" for part in ("F", "DQ", "VL", "BW"))
WIDE = target.Target(64, masks=True)
_OF_C = {"d64": "double", "s32": "float", "i64": "long long", "i32": "int"}
_NAMES = {"d64": "pd", "s32": "ps", "i64": "q", "i32": "d"}  # of x86
_TESTS = ("a[k] == b[k]", "a[k] < b[k]", "a[k] <= b[k]", "0", "!(a[k] == b[k])", "!(a[k] < b[k])", "!(a[k] <= b[k])")


def vector(kind: str, lanes: int) -> str:
    """The name of a type."""
    return f"em_{kind}x{lanes}"


def function(name: str, result: str, given: str, body: str) -> str:
    """An instruction as a function of that name."""
    own = f"em_{name}"
    head = f"static inline __attribute__((always_inline, unused)) {result} {own}({given})"
    return f"{head} {{ {body} }}\n#define __builtin_ia32_{name} {own}"


def each(v: str, lanes: int, value: str, otherwise: str = "src[k]") -> str:
    """The lanes of a mask get a value, the others another one."""
    return f"{v} r = {{0}}; for (int k = 0; k < {lanes}; k++) r[k] = m >> k & 1 ? {value} : {otherwise}; return r;"


def types() -> Iterator[str]:
    """All vectors."""
    for kind, c in _OF_C.items():
        for size in (8, 16, 32, 64):
            lanes = 8 * size // int(kind[1:])
            yield f"typedef {c} {vector(kind, lanes)} __attribute__((vector_size({size})));"
    for size in (16, 32, 64):
        yield f"typedef char em_b{size} __attribute__((vector_size({size})));"
    yield "typedef long long em_line __attribute__((vector_size(64), may_alias));"


def of_length(kind: str, size: int) -> Iterator[str]:
    """Instructions of vectors of one kind and length."""
    bits, c, p = int(kind[1:]), _OF_C[kind], _NAMES[kind]
    lanes, b = 8 * size // bits, 8 * size
    v, i, mask = vector(kind, lanes), vector(f"i{bits}", lanes), f"unsigned {'char' if lanes <= 8 else 'short'}"
    end = ", int way" if size == 64 else ""
    masked = f"{v} src, {mask} m"
    moves = {"d64": "pd", "s32": "ps", "i64": "di", "i32": "si"}[kind]
    load, store = ("loadu", "storeu") if kind[0] in "ds" else ("loaddqu", "storedqu")
    yield function(f"{load}{moves}{b}_mask", v, f"const {c} *p, {masked}", each(v, lanes, "p[k]"))
    yield function(f"{store}{moves}{b}_mask", "void", f"{c} *p, {v} x, {mask} m",
                   f"for (int k = 0; k < {lanes}; k++) if (m >> k & 1) p[k] = x[k];")  # fmt: skip
    stem = f"blendm{p}_{b}_mask"
    yield function(stem, v, f"{v} a, {v} b, {mask} m", each(v, lanes, "b[k]", "a[k]"))
    tests = " ".join(
        f"if (code == {n}) for (int k = 0; k < {lanes}; k++) r |= (unsigned)({t}) << k;" for n, t in enumerate(_TESTS)
    )
    body = f"unsigned r = 0; {tests} return ({mask})(r & m);"
    yield function(f"cmp{p}{b}_mask", mask, f"{v} a, {v} b, int code, {mask} m{end if kind[0] in 'ds' else ''}", body)
    if kind[0] in "ds":
        short = {16: "", 32: "256", 64: "512"}[size]
        for name, sign in (("max", ">"), ("min", "<")):
            value = each(v, lanes, f"(a[k] {sign} b[k] ? a[k] : b[k])")
            yield function(f"{name}{p}{short}_mask", v, f"{v} a, {v} b, {masked}{end}", value)
        return
    u = vector(f"u{bits}", lanes)
    yield f"typedef unsigned {c} {u} __attribute__((vector_size({size})));"
    unsigned = body.replace("a[k]", f"(({u})a)[k]").replace("b[k]", f"(({u})b)[k]")
    yield function(f"ucmp{p}{b}_mask", mask, f"{i} a, {i} b, int code, {mask} m", unsigned)
    for name, sign in (("max", ">"), ("min", "<")):
        for of, cast in (("s", v), ("u", u)):
            value = each(v, lanes, f"((({cast})a)[k] {sign} (({cast})b)[k] ? a[k] : b[k])")
            yield function(f"p{name}{of}{p}{b}_mask", v, f"{v} a, {v} b, {masked}", value)


def of_reals(kind: str) -> Iterator[str]:
    """Arithmetic of whole vectors of 512 bits."""
    lanes, p = 512 // int(kind[1:]), _NAMES[kind]
    v, f = vector(kind, lanes), "f" if kind == "s32" else ""
    mask, root = f"unsigned {'char' if lanes == 8 else 'short'}", each(v, lanes, f"__builtin_sqrt{f}(x[k])")
    yield function(f"sqrt{p}512_mask", v, f"{v} x, {v} src, {mask} m, int way", root)
    for name, sign in (("vfmadd", ""), ("vfnmadd", "-")):
        value = each(v, lanes, f"__builtin_fma{f}({sign}a[k], b[k], c[k])", "a[k]")
        yield function(f"{name}{p}512_mask", v, f"{v} a, {v} b, {v} c, {mask} m, int way", value)
    ways = {9: "floor", 10: "ceil", 11: "trunc", 12: "rint"}
    value = " : ".join([*(f"way == {n} ? __builtin_{name}{f}(x[k])" for n, name in ways.items()), "0"])
    given = f"{v} x, int way, {v} src, {mask} m, int errors"
    yield function(f"rndscale{p}_mask", v, given, each(v, lanes, f"({value})"))


def of_places() -> Iterator[str]:
    """Reads and writes here and there, and rows that lanes take in turn."""
    for stem, kind, lanes, place in (
        ("div8df", "d64", 8, "i64"),
        ("div16sf", "s32", 8, "i64"),
        ("div8di", "i64", 8, "i64"),
        ("div16si", "i32", 8, "i64"),
    ):
        v, i, c = vector(kind, lanes), vector(place, lanes), _OF_C[kind]
        mask = f"unsigned {'char' if lanes == 8 else 'short'}"
        at = f"(const {c} *)((const char *)p + i[k] * (long long)scale)"
        given = f"{v} src, const void *p, {i} i, {mask} m, int scale"
        yield function(f"gather{stem}", v, given, each(v, lanes, f"*{at}"))
        body = f"for (int k = 0; k < {lanes}; k++) if (m >> k & 1) *({c} *){at} = x[k];"
        yield function(f"scatter{stem}", "void", f"void *p, {mask} m, {i} i, {v} x, int scale", body)
    for stem, kind in (("expanddi", "i64"), ("expanddf", "d64"), ("expandsi", "i32"), ("expandsf", "s32")):
        lanes = 512 // int(kind[1:])
        v, mask = vector(kind, lanes), f"unsigned {'char' if lanes == 8 else 'short'}"
        body = f"int n = 0; for (int k = 0; k < {lanes}; k++) if (m >> k & 1) src[k] = x[n++]; return src;"
        yield function(f"{stem}512_mask", v, f"{v} x, {v} src, {mask} m", body)


def of_conversions() -> Iterator[str]:
    """Numbers of another length, and masks as bytes."""
    for stem, source, kind, number in (
        ("pmovsxdq", "i32", "i64", "x[k]"),
        ("pmovzxdq", "i32", "i64", "(unsigned)x[k]"),
        ("cvtps2pd", "s32", "d64", "x[k]"),
        ("cvtdq2pd", "i32", "d64", "x[k]"),
        ("cvtudq2pd", "i32", "d64", "(unsigned)x[k]"),
        ("pmovqd", "i64", "i32", "(int)x[k]"),
    ):
        v, end = vector(kind, 8), ", int way" if stem == "cvtps2pd" else ""
        given = f"{vector(source, 8)} x, {v} src, unsigned char m{end}"
        yield function(f"{stem}512_mask", v, given, each(v, 8, number))
    bits = "for (int k = 0; k < 16; k++) r |= (unsigned)((a[k] & b[k]) != 0) << k;"
    body = f"unsigned r = 0; {bits} return (unsigned short)(r & m);"
    yield function("ptestmb128", "unsigned short", "em_b16 a, em_b16 b, unsigned short m", body)
    for size, mask in ((16, "short"), (32, "int"), (64, "long long")):
        body = f"em_b{size} r = {{0}}; for (int k = 0; k < {size}; k++) r[k] = -(char)(m >> k & 1); return r;"
        yield function(f"cvtmask2b{8 * size}", f"em_b{size}", f"unsigned {mask} m", body)
    yield function("movntdq512", "void", "em_line *p, em_line x", "*p = x;")


def header() -> str:
    """All of them."""
    parts = [*types()]
    for kind in _OF_C:
        for size in (16, 32, 64):
            parts += of_length(kind, size)
    for kind in ("d64", "s32"):
        parts += of_reals(kind)
    return "\n".join([*parts, *of_places(), *of_conversions(), ""])


def write(folder: Path) -> tuple[str, ...]:
    """The flags of a compiler that includes the header, which is put into a folder."""
    path = folder / "avx512.h"
    path.write_text(header())
    return ("-include", str(path), *FLAGS)


def pytest_configure() -> None:
    """For all tests of a session: the widest vectors, and a compiler that has their instructions."""
    flags = write(Path(tempfile.mkdtemp()))
    sorted_vectors._CONDITIONS[64] = "0"
    target._overridden.append(WIDE)
    config.cc = " ".join([config.cc or "gcc", *flags])
