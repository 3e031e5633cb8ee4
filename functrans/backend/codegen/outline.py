"""Long kernels in pieces: which of their loops are C functions of their own.

The compiler's time grows faster than a function: 80 loops of 128 statements in one cost many times what they cost
apart. What a loop reads and writes are arrays, so it becomes a function that is given them, and computes the same bits.
Pieces of one text are one function, called with other arrays and other numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field

from functrans._records import record
from functrans.backend.codegen.regions.of_a_round import is_place
from functrans.backend.codegen.spelling import ctype, element, literal
from functrans.backend.policy import EXPENSIVE_ADDITIONS, KERNEL_STATEMENTS, SHORT_ROUNDS
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, toposort


@record
class Piece:
    """A loop, by the positions of its RANGE and its ENDRANGE, and the nodes that it needs of what is around it."""

    start: int
    end: int
    needed: tuple[UOp, ...]


@dataclass
class Outline:
    """The pieces of all kernels of a unit, or of one in the body of a loop, after which they are called: the name of
    each by its text. Kernels of ``large`` statements have some.
    """

    large: int = KERNEL_STATEMENTS
    prefix: str = ""
    names: dict[str, str] = field(default_factory=dict)

    def name(self, text: str) -> str:
        """The function of a text, from its first parenthesis on."""
        return self.names.setdefault(text, f"{self.prefix}piece{len(self.names)}")

    def functions(self) -> list[str]:
        """The C functions."""
        return [f"static __attribute__((noinline)) void {name}{text}" for text, name in self.names.items()]


def pieces(uops: list[UOp], large: int, split: UOp | None = None) -> dict[int, Piece]:
    """The pieces of a list by where they start; none of them is the loop ``split``, which threads share. Linear."""
    if len(uops) <= large:
        return {}
    found: dict[int, Piece] = {}
    at = 0
    ends, inner = _loops(uops)
    twins = _twins(uops, ends, inner)
    while at < len(uops):
        end = ends.get(at)
        worth = end is not None and (at in twins or _is_worth_it(uops, at, end, at in inner, large))
        if end is None or uops[at] is split or not worth:
            at += 1
            continue
        found[at] = Piece(at, end, _needed(uops, at, end))
        at = end + 1
    return found


def _loops(uops: list[UOp]) -> tuple[dict[int, int], set[int]]:
    """Where each loop ends, and which have loops inside, by where they start."""
    opened: list[int] = []
    ends: dict[int, int] = {}
    inner: set[int] = set()
    for k, u in enumerate(uops):
        if u.op is Ops.RANGE:
            inner.update(opened[-1:])
            opened.append(k)
        elif u.op is Ops.ENDRANGE:
            ends[opened.pop()] = k
    return ends, inner


def _twins(uops: list[UOp], ends: dict[int, int], inner: set[int]) -> frozenset[int]:
    """Where short innermost loops start that have many like them: steps that are written out over and over. Linear."""
    alike: dict[Hashable, list[int]] = {}
    for start, end in ends.items():
        if start in inner or end - start >= EXPENSIVE_ADDITIONS:
            continue
        number = {u: k for k, u in enumerate(uops[start : end + 1])}
        rows = [(u.op, u.dtype, *(number.get(s, -1) for s in u.src)) for u in uops[start : end + 1]]
        alike.setdefault(tuple(rows), []).append(start)
    many = (starts for starts in alike.values() if len(starts) >= SHORT_ROUNDS)
    return frozenset(k for starts in many for k in starts if _alone(uops, k, ends[k]))


def _is_worth_it(uops: list[UOp], start: int, end: int, has_loops: bool, large: int) -> bool:
    """Whether a loop is to be a function of its own, and can be."""
    fits = end - start >= EXPENSIVE_ADDITIONS and (end - start <= large // 3 or not has_loops)
    return fits and _alone(uops, start, end)


def _alone(uops: list[UOp], start: int, end: int) -> bool:
    """Whether a loop changes nothing but arrays, and has its own ones on the stack."""
    body = uops[start : end + 1]
    own = {u for u in body if u.op is Ops.DEFINE_ACC}
    return not any(
        (u.op is Ops.ASSIGN and u.src[0] not in own) or (u.op is Ops.DEFINE_LOCAL and u.arg.offset is not None)
        for u in body
    )


def _needed(uops: list[UOp], start: int, end: int) -> tuple[UOp, ...]:
    """What the statements of a loop are computed of and do not compute, in order of its first use.

    Lanes write places anew, relative to records: of these they need all that places are made of.
    """
    needed: dict[UOp, None] = {}
    scopes: list[set[UOp]] = [set()]
    for u in uops[start : end + 1]:
        if u.op in (Ops.ENDRANGE, Ops.ENDIF):
            scopes.pop()
            continue
        for s in u.src:
            if not any(s in scope for scope in scopes):
                needed[s] = None
        if u.op in (Ops.RANGE, Ops.IF):
            scopes.append(set())
        scopes[-1].add(u)
    if any(u.op is Ops.RANGE and u.arg[1] is AxisType.LANES for u in uops[start : end + 1]):
        return tuple(toposort(needed, enter=lambda u: is_place(u) or _is_element(u)))
    return tuple(needed)


def _is_element(u: UOp) -> bool:
    """Whether it is a place in an array, of which a piece is given the array and the number."""
    return u.op is Ops.INDEX


def _is_array(u: UOp) -> bool:
    return u.op in (Ops.DEFINE_GLOBAL, Ops.DEFINE_LOCAL)


def given(piece: Piece, text: Callable[[UOp], str]) -> tuple[list[str], list[str], dict[UOp, str]]:
    """The parameters of a piece, the arguments of its call, and what the nodes are called inside. ``text`` is what they
    are called outside.
    """
    parameters: list[str] = []
    arguments: list[str] = []
    inside: dict[UOp, str] = {}
    order = toposort(piece.needed, enter=_is_element)
    for u in order:
        if u.op is Ops.CONST and u.dtype.kind != "f":
            inside[u] = literal(u.dtype, u.arg)
        elif _is_element(u):
            inside[u] = f"{inside[u.src[0]]}[{inside[u.src[1]]}]"
        else:
            inside[u] = f"{'p' if _is_array(u) else 'n'}{len(arguments)}"
            parameters.append(_parameter(u, inside[u]))
            arguments.append(literal(u.dtype, u.arg) if u.op is Ops.CONST else text(u))
    return parameters, arguments, inside


def _parameter(u: UOp, name: str) -> str:
    kind = element(u.dtype) if _is_array(u) or u.op is Ops.LOAD else ctype(u.dtype)
    if u.op is Ops.DEFINE_GLOBAL:
        return f"{'' if u.arg.written else 'const '}{kind} *restrict {name}"
    if u.op is Ops.DEFINE_LOCAL:
        return f"{kind} *restrict {name}"  # arrays that share bytes are never needed at the same time
    return f"const {kind} {name}"
