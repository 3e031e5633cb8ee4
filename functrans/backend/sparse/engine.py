"""The C that factors and solves: loops for all patterns, or written out for one that there is enough work for."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Sequence
from functools import cache

import numpy as np
from numpy.typing import NDArray

from functrans._recent import keep, recall
from functrans.backend.codegen.matrices import NUMBERS, Lanes
from functrans.backend.codegen.prelude import prelude
from functrans.backend.policy import FAR_BYTES, LINE_BYTES, share
from functrans.backend.runtime.address import Address
from functrans.backend.runtime.library import Entry
from functrans.backend.runtime.native import native
from functrans.backend.sparse import blocks, straight
from functrans.backend.sparse.native import text_of
from functrans.backend.sparse.programs import kernel as programmed
from functrans.backend.sparse.programs import programs
from functrans.backend.sparse.shapes import chosen, kernel
from functrans.config import config
from functrans.ops.sparse_pattern import Symbolic

__all__ = ["LANES", "WORK", "engine", "form", "is_narrow", "progress"]

LANES = 8
"""Systems side by side at the most: in vectors of 512 bits; in shorter ones half as many."""
WORK = 20_000_000
"""Products that are done by loops before code for one pattern is written: a tenth of what compiling it takes."""
_KEPT = 64
_ALONE = "sparse_alone(&s, &j, work);"
_WIDEST = "#ifdef __AVX512F__\n{}\n#else\n{}\n#endif"
_systems: OrderedDict[tuple[str, str], NDArray[np.int64]] = OrderedDict()  # left until code for a pattern is written
_addresses: OrderedDict[tuple[str, str], Address] = OrderedDict()
_entries: OrderedDict[tuple[str, str], Entry] = OrderedDict()  # by compiler too


def engine(s: Symbolic, systems: int) -> Entry | None:
    """The entry point of numeric.c for one more call with so many systems; None where there is no compiler.

    All forms do the same operations in the same order: which one runs is not to be seen in a result.
    """
    alone = systems == 1
    if _is_written_out(s, alone):
        left = _left(s, alone)
        left[0] -= systems
        written = _kept(_name(s, alone), lambda: _written_out(s, alone)) if left[0] <= 0 else None
        if written is not None:
            _point(s, alone, written)
            return written
    return _alone() if alone and programs(s) else _loops(blocks.Blocks.of(s).places is None)


def progress(s: Symbolic, systems: int, entry: Entry) -> tuple[Address, NDArray[np.int64]]:
    """For code that calls so many systems again and again: where the entry point stands, which by now is this one, and
    after how many systems there is a better one to be looked for, never if that is 0.
    """
    alone = systems == 1
    address = keep(_addresses, (config.cc or "", _name(s, alone)), Address.of(entry), _KEPT)
    return address, _left(s, alone) if _is_written_out(s, alone) else np.zeros(1, np.int64)


def _left(s: Symbolic, alone: bool) -> NDArray[np.int64]:
    """Systems until code is written: more of those that are alone, whose code saves a third of the time, not half."""
    systems = -(-WORK * (LANES if alone else 1) // max(s.products, 1))
    return keep(_systems, (config.cc or "", _name(s, alone)), np.array([systems]), _KEPT)


def _point(s: Symbolic, alone: bool, entry: Entry) -> None:
    """Let those who call the code of a pattern call this."""
    address = recall(_addresses, (config.cc or "", _name(s, alone)))
    if address is not None:
        address.point(entry)


def _is_written_out(s: Symbolic, alone: bool) -> bool:
    """Whether code for one pattern is worth it: of few products, and no longer than caches hold factors; of few
    products for each shape of a row, whatever the caches hold. For one system alone code of a second of the compiler.
    """
    if alone:
        return bool(programs(s)) and (s.products <= straight.QUICK or chosen(s, alone) is not None)
    return chosen(s, alone) is not None or (s.products <= straight.MOST and not is_narrow(s))


def _name(s: Symbolic, alone: bool) -> str:
    """Of the code for one pattern."""
    return f"{s.key} {'alone' if alone else _abreast(s)}"


def _abreast(s: Symbolic) -> int:
    return LANES // 2 if is_narrow(s) else LANES


def _written_out(s: Symbolic, alone: bool) -> str:
    """The text for one pattern."""
    shapes = chosen(s, alone)
    if alone:
        return _text_alone(straight.factorization(s) if shapes is None else kernel(s, shapes))
    return _text(straight.kernel(s) if shapes is None else kernel(s, shapes) + text_of("finish.c"), [_abreast(s)])


def is_narrow(s: Symbolic) -> bool:
    """Whether matrices and factors of eight systems are more than the caches hold: four take half of the memory."""
    return LINE_BYTES * (s.nnz + s.fill) > share(FAR_BYTES, 2)


def _kept(name: str, text: Callable[[], str]) -> Entry | None:
    """The entry point of a text, which is made the first time."""
    key = config.cc or "", name
    entry = recall(_entries, key)
    if entry is None:
        entry = native(text(), "sparse linear algebra")
        if entry is not None:
            keep(_entries, key, entry, _KEPT)
    return entry


def _loops(searched: bool) -> Entry | None:
    factor = blocks.kernel(text_of("factor.c"), searched) + text_of("finish.c")
    return _kept(repr(searched), lambda: _text(factor, [LANES, LANES // 2, 1]))


def _alone() -> Entry | None:
    """One system by programs."""
    return _kept("alone", lambda: _text_alone(""))


def _text_alone(written: str) -> str:
    """One system by programs, but for a factorization that is written out."""
    systems = Lanes().text(programmed(written) + text_of("systems.c") + text_of("inverse.c"))
    return _around("\n".join([NUMBERS, systems, text_of("alone.c")]), _ALONE)


@cache
def _lanes_of(count: int) -> str:
    """lanes.c for so many systems."""
    lines = [f"*(const P *)(line[{k}] + p)" for k in range(count)], [f"from[p + {k}]" for k in range(count)]
    text = text_of("lanes.c").replace("/* TRANSPOSE */", _transposition(count))
    text = text.replace("READ", ", ".join(lines[0])).replace("GIVEN", ", ".join(lines[1]))
    return (
        text.replace("COUNT", str(count))
        .replace("(const P *)", f"(const ft_f64x{count}p *)")
        .replace("(P *)", f"(ft_f64x{count}p *)")
    )


def _transposition(count: int) -> str:
    """A block with its rows for its columns: in pairs, in fours, in halves."""
    rows = [f"r{k}" for k in range(count)]
    head = "static inline __attribute__((always_inline)) void"
    lines = [f"{head} sparse_transpose_Y({', '.join(f'const V {r}' for r in rows)}, V *restrict to) {{"]
    step = 1
    while step < count:
        made = list(rows)
        for k in range(count):
            if k & step:
                continue
            low = [j if not j & step else count + j - step for j in range(count)]
            high = [j + step if not j & step else count + j for j in range(count)]
            for at, lanes in ((k, low), (k + step, high)):
                made[at] = f"s{step}_{at}"
                shuffled = f"__builtin_shufflevector({rows[k]}, {rows[k + step]}, {', '.join(map(str, lanes))})"
                lines.append(f"const V {made[at]} = {shuffled};")
        rows, step = made, 2 * step
    lines += [f"to[{k}] = {r};" for k, r in enumerate(rows)]
    return "\n".join([*lines, "}"])


def _text(factor: str, counts: Sequence[int]) -> str:
    """The whole text around what stands in the place of factor.c and finish.c, for so many systems side by side."""
    systems = text_of("substitutions.c") + text_of("systems.c") + text_of("inverse.c") + factor
    many = {count: Lanes(count).text(systems + _lanes_of(count)) for count in counts if count > 1}
    narrow = many.get(LANES // 2) or Lanes(LANES // 2).text(systems + _lanes_of(LANES // 2))
    calls = [f"sparse_many_f64x{count}(&s, &j, work);" for count in (*many, LANES // 2)]
    head = _WIDEST.format("\n".join(many.values()), narrow)
    run = _WIDEST.format(f"if (sizes[14]) {calls[1]} else {calls[0]}" if len(many) > 1 else calls[0], calls[-1])
    if 1 in counts:
        head = "\n".join([head, NUMBERS, Lanes().text(systems), text_of("alone.c")])
        run = f"if (j.systems == 1) {{ {_ALONE} }} else {{\n{run}\n}}"
    return _around(head, run)


def _around(head: str, run: str) -> str:
    """The whole text of functions and the call of them."""
    body = text_of("pattern.c") + head
    return prelude(body) + text_of("numeric.c").replace("/* SYSTEMS */", body).replace("RUN", run)


def form(s: Symbolic) -> str:
    """Which C factors matrices of a pattern, in words."""
    side = f"{'four' if is_narrow(s) else 'eight'} systems at a time"
    if not _is_written_out(s, False):
        return f"loops over the pattern, {side}"
    each = "" if chosen(s, False) is None else " for each shape of a row"
    return f"loops, after {-(-WORK // max(s.products, 1))} systems written out{each}, {side}"
