"""The C of exported functions: constants, kernels under names of their own, and a function that runs each."""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

from functrans import dtypes
from functrans.backend.codegen.prelude import prelude
from functrans.backend.codegen.spelling import element, literal
from functrans.backend.codegen.vectors.target import Target, written_for
from functrans.backend.memory import Array
from functrans.backend.runtime.flags import MISREAD, MODREF
from functrans.backend.standalone import Standalone
from functrans.export.tidy import DEFINED, tidied, without_unused_functions
from functrans.export.values import Routine

REFUSED = 3
"""Returned where a matrix was refused or an iteration did not converge."""
_MACROS = {32: ("__AVX2__", "__FMA__"), 64: ("__AVX512F__", "__AVX512DQ__", "__AVX512VL__", "__FMA__")}
"""What compilers define where there are vectors of so many bytes; narrower ones are everywhere."""
_LINE = 100  # characters of a line of numbers
_MISREAD = [f'"{flag.removeprefix("-f")}"' for flag in MISREAD if flag != MODREF]
_GUARD = f"""\
#if defined(__FAST_MATH__)
#error "compile this file without -ffast-math: its functions need arithmetic as IEEE 754 has it"
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#elif defined(__GNUC__)
#pragma GCC optimize ("wrapv", "fp-contract=off", "no-strict-aliasing", "expensive-optimizations")
#pragma GCC optimize ({", ".join(_MISREAD)})
#if __GNUC__ > 10
#pragma GCC optimize ("{MODREF.removeprefix("-f")}")
#endif
#endif"""


class Unit:
    """The functions of one file. Equal constants are stored once."""

    def __init__(self, prefix: str, target: Target) -> None:
        self.prefix, self.target = prefix, target
        self.functions: list[str] = []
        self._declared: dict[str, None] = {}  # types and tables of steps, which several functions share
        self._constants: dict[tuple[str, bytes], str] = {}
        self._arrays: list[str] = []

    def constant(self, array: Array) -> str:
        """The name of a constant array."""
        key = array.dtype.name, np.ascontiguousarray(array).tobytes()
        if key not in self._constants:
            name = self._constants[key] = f"{self.prefix}_c{len(self._constants)}"
            dtype = dtypes.from_numpy(array.dtype)
            numbers = [literal(dtype, x) for x in array.ravel().tolist()] or ["0"]
            self._arrays.append(f"static const {element(dtype)} {name}[] = {{\n{_lines(numbers)}\n}};")
        return self._constants[key]

    def integers(self, numbers: Sequence[int], kind: str) -> str:
        """The name of a constant array of integers of a C type."""
        key = kind, repr(list(numbers)).encode()
        if key not in self._constants:
            name = self._constants[key] = f"{self.prefix}_c{len(self._constants)}"
            self._arrays.append(f"static const {kind} {name}[] = {{\n{_lines(list(map(str, numbers)) or ['0'])}\n}};")
        return self._constants[key]

    def add(self, routine: Routine, made: Standalone) -> int:
        """Add the function ``NAME_run(in, out, work)`` of a routine; the bytes of memory that it works in."""
        names = {n for text in [*made.parts.functions, *made.parts.custom.values()] for n in DEFINED.findall(text)}
        own = re.compile(rf"\b({'|'.join(sorted(map(re.escape, names), key=len, reverse=True))})\b") if names else None

        def renamed(text: str) -> str:
            return text if own is None else own.sub(rf"{routine.name}_\1", text)

        for text in (*made.parts.custom.values(), *made.parts.functions):
            if DEFINED.search(text):
                self.functions.append(tidied(renamed(text)))
            else:
                self._declared[text] = None
        run, work = self._run(routine, made, "\n".join(map(renamed, made.parts.calls)))
        self.functions.append(run)
        return work

    def _run(self, routine: Routine, made: Standalone, calls: str) -> tuple[str, int]:
        outputs = [v for v in routine.outputs if not v.void]
        inputs = [v for v in routine.inputs if not v.void]
        work = -(-made.arena // 64) * 64
        given: dict[int, int] = {}
        for k, p in enumerate(made.place[: len(outputs)]):
            given.setdefault(p, k)
        where = []
        for p, (size, dtype) in enumerate(made.results):  # what no output is, is a flag
            where.append(f"out[{given[p]}]" if p in given else f"work + {work}")
            work += 0 if p in given else -(-size * dtype.itemsize // 8) * 8
        buffers = [f"(void *)in[{k}]" for k in range(len(inputs))]
        buffers += [f"(void *){self.constant(a)}" for a in made.captured]
        buffers += [*where, *(f"work + {n}" for n in made.offsets)]
        lines = [f"  void *buffers[] = {{{', '.join(buffers)}}};"]
        if made.sizes:
            lines.append(f"  static const long long sizes[] = {{{', '.join(map(str, made.sizes))}}};")
        lines.append(calls)
        for k, p in enumerate(made.place[: len(outputs)]):
            if given[p] != k and outputs[k].size:
                size = outputs[k].size * outputs[k].dtype.itemsize
                lines.append(f"  __builtin_memcpy(out[{k}], out[{given[p]}], {size});")
        for p in dict.fromkeys(made.place[len(outputs) :]):
            flag = f"((const unsigned char *)({where[p]}))"
            lines.append(f"  for (int i = 0; i < {made.results[p][0]}; i++) if ({flag}[i]) return {REFUSED};")
        text = "\n".join(lines)
        unused = [f"  (void){x};" for x in ("in", "out", "work") if not re.search(rf"\b{x}\b", text)]
        sizes = [] if not made.sizes or "sizes[" in calls else ["  (void)sizes;"]
        head = f"static int {routine.name}_run(const void *const *in, void *const *out, char *work) {{"
        return "\n".join([head, *unused, text, *sizes, "  (void)buffers;", "  return 0;", "}"]), work

    def text(self) -> str:
        """Guards, constants, helpers and functions."""
        body = "\n\n".join([*self._declared, *self.functions])
        with written_for(self.target):
            helpers = tidied(prelude(body))
        whole = without_unused_functions(f"{helpers}\n\n{body}")
        return "\n\n".join(t for t in (_GUARD, _vectors(self.target), *self._arrays, whole) if t)


def _vectors(target: Target) -> str:
    """What refuses a compiler that writes for a machine without the vectors of the target."""
    wanted = _MACROS.get(target.bytes, ())
    if not wanted:
        return ""
    missing = " || ".join(f"!defined({macro})" for macro in wanted)
    return f'#if {missing}\n#error "written for one machine: compile this file there, with -march=native"\n#endif'


def ctype_of(dtype: np.dtype[np.generic]) -> str:
    """The C type of numbers in memory."""
    return element(dtypes.from_numpy(dtype))


def _lines(numbers: Sequence[str]) -> str:
    """Numbers with commas, in lines."""
    lines, line = [], ""
    for n in numbers:
        if len(line) + len(n) > _LINE:
            lines.append(line)
            line = ""
        line += f" {n}," if line else f"  {n},"
    return "\n".join([*lines, line]).removesuffix(",")
