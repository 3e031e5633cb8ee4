"""Tangents pushed forward through a graph: one rule a kind, from the facts of the op records.

A tangent that is zero is None and costs nothing. VMAPIN and VMAPOUT are linear, so a tangent passes a bracket as
its primal does; nothing here knows about batches.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from functrans import dtypes
from functrans.errors import ArgumentError, UnsupportedError, at_user_line
from functrans.ops import build as B
from functrans.ops import placement
from functrans.ops.collapse import over_axes
from functrans.ops.custom import Rule as CustomRule
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.loops import Scan
from functrans.ops.opdef import opdef
from functrans.ops.origin import line_of, made_for
from functrans.ops.uop import UOp, substitute, toposort
from functrans.ops.vmap import extent, ranges_of
from functrans.transforms.cotangent import sum_of
from functrans.transforms.jvp_rules import Tangent, reduction, running, update, zeros
from functrans.transforms.linalg_rules import (
    adjugate,
    adjugate_along,
    cholesky,
    determinant,
    eigen,
    log_determinant,
    orthogonal,
    pseudo_inverse,
    singular,
    solution,
    sparse_inverse,
    sparse_log_determinant,
    sparse_solution,
)
from functrans.transforms.loops.tangents import loop_tangents
from functrans.transforms.substitution_rules import banded, positive, triangular

Tangents = Sequence[Tangent]


def push_forward(outputs: Sequence[UOp], seeds: Mapping[UOp, Tangent]) -> list[Tangent]:
    """The tangents of the outputs, given those of some nodes. Linear in the graph.

    Raises UnsupportedError, naming the op, where a derivative is not available.

    Source: Griewank and Walther, Evaluating Derivatives, 2nd edition, chapter 3.
    """
    return Push(seeds)(outputs)[1]


class Push:
    """Tangents on their way through a graph; what was pushed through once is known from then on.

    A CUSTOM_RULE node is not looked into: its rule gives the tangent, and the value that goes with it, which takes the
    place of the one computed without a derivative. ``to_transpose`` is passed on to the rules.
    """

    def __init__(self, seeds: Mapping[UOp, Tangent], to_transpose: bool = False) -> None:
        self.seeds, self.to_transpose = seeds, to_transpose
        self.tangents: dict[UOp, Tangent] = dict(seeds)
        self.replaced: dict[UOp, UOp] = {}  # values other than those of the graph as it was
        self.results: dict[UOp, list[Tangent]] = {}  # of loops and branches, the tangents of what they pass on
        self.plain: dict[UOp, list[UOp]] = {}  # what loops pass on that reverse mode cannot go through, without them
        self.calls: dict[Any, Callable[[UOp], tuple[UOp, Tangent]]] = {}

    def __call__(self, outputs: Sequence[UOp]) -> tuple[list[UOp], list[Tangent]]:
        """Values and tangents of the outputs."""
        for node in toposort(outputs, sources=self._sources):
            if node not in self.tangents:
                self._visit(node)
        return [self.replaced.get(o, o) for o in outputs], [self.tangents[o] for o in outputs]

    def _sources(self, node: UOp) -> Sequence[UOp]:
        if node in self.tangents:
            return ()
        return node.src[1:] if node.op is Ops.CUSTOM_RULE else node.src

    def _visit(self, node: UOp) -> None:
        sources = self._sources(node)
        incoming = [self.tangents[s] for s in sources]
        here = node
        if self.replaced:
            (here,) = substitute((node,), {s: self.replaced[s] for s in sources if s in self.replaced})
        if node.op is Ops.CUSTOM_RULE:
            here, self.tangents[node] = self._custom(here, incoming)
        elif node.op in GroupOp.Region:
            self.tangents[node] = None
            with made_for(node):
                self.results[node] = self._loop(node, here, incoming)
        elif node.op is Ops.RESULT:
            self.tangents[node] = self.results[node.src[0]][node.arg]
            if node.src[0] in self.plain:
                here = self.plain[node.src[0]][node.arg]
        elif dtypes.is_inexact(node.dtype) and any(t is not None for t in incoming):
            with made_for(node):
                self.tangents[node] = _tangent(here, incoming)
        else:
            self.tangents[node] = None
        if here is not node:
            self.replaced[node] = here

    def _loop(self, node: UOp, here: UOp, incoming: list[Tangent]) -> list[Tangent]:
        """The tangents of what a loop or branch passes on."""
        plain = here.arg.plain if self.to_transpose and isinstance(here.arg, Scan) else None
        if plain is None or all(t is None for t in incoming):
            return loop_tangents(here, incoming, self._inside)
        values, tangents = self._inside(plain.at(here.src), dict(zip(here.src, incoming, strict=True)))
        self.plain[node] = values
        return tangents

    def _inside(self, outputs: Sequence[UOp], seeds: Mapping[UOp, Tangent]) -> tuple[list[UOp], list[Tangent]]:
        return Push(seeds, self.to_transpose)(outputs)

    def _custom(self, node: UOp, incoming: list[Tangent]) -> tuple[UOp, Tangent]:
        rule, _ = node.arg
        inputs = node.src[1:]
        self._check_closed(rule, node)
        if all(t is None for t in incoming):
            return node, None
        call = self.calls.get((rule, inputs))
        if call is None:
            call = self.calls[rule, inputs] = rule.begin(inputs, incoming, self.to_transpose)
        return call(node)

    def _check_closed(self, rule: CustomRule, node: UOp) -> None:
        """A rule speaks of arguments alone: a derivative by anything else would be left out without a word."""
        inputs = set(node.src[1:])
        inside = toposort(node.src[:1], sources=lambda u: () if u in inputs else u.src)
        if any(self.seeds.get(u) is not None for u in inside if u not in inputs):
            blocked = {**self.seeds, **dict.fromkeys(inputs)}
            if Push(blocked, self.to_transpose)(node.src[:1])[1][0] is not None:
                raise ArgumentError(
                    f"detected differentiation of {rule.name} with respect to a closed-over value{at_user_line()}: its "
                    "rule says how it depends on its arguments alone; pass the value as an argument, and let the rule "
                    "speak of it"
                )


def _tangent(node: UOp, t: Tangents) -> Tangent:
    rule = _RULES.get(node.op)
    if rule is not None:
        return rule(node, t)
    linear = opdef(node).linear
    if linear is not None and all(t[k] is None or k in linear(node) for k in range(len(t))):
        return _linear(node, t, linear(node))
    if node.op in GroupOp.Elementwise or node.op is Ops.NOOP:
        return _elementwise(node, t)
    raise UnsupportedError(f"jvp has no rule for {node.op.name}{line_of(node)}")


def _elementwise(node: UOp, t: Tangents) -> Tangent:
    partials = opdef(node).partials
    if partials == ():
        raise UnsupportedError(f"the derivative of {node.op.name} is not available{line_of(node)}")
    total: Tangent = None
    for partial, ti in zip(partials or (), t, strict=True):
        if partial is not None and ti is not None:
            term = B.mul(partial(node, *node.src), ti)
            total = term if total is None else sum_of(total, term)
    return total


def _custom(node: UOp, t: Tangents) -> Tangent:
    """By the partials that the user gave."""
    text = node.arg
    if text.partials is None:
        raise UnsupportedError(
            f"the derivative of {node.op.name} {text.name!r}{text.where} is not known: give custom_c its partials="
        )
    if node.src[0].dtype.kind != node.dtype.kind:
        raise UnsupportedError(
            f"the derivative of {node.op.name} {text.name!r}{text.where}, from {node.src[0].dtype.name} to "
            f"{node.dtype.name}, is not defined"
        )
    total: Tangent = None
    for partial, ti in zip(text.partials, t, strict=True):
        if partial is not None and ti is not None:
            term = B.mul(B.cast(partial(*node.src), node.dtype), B.cast(ti, node.dtype))
            total = term if total is None else sum_of(total, term)
    return total


def _linear(node: UOp, t: Tangents, places: Sequence[int]) -> Tangent:
    """The op of tangents, where it is linear in some sources at once; the others are as they were."""
    if all(t[k] is None for k in places):
        return None
    tangents = (zeros(s) if ti is None else ti for s, ti in zip(node.src, t, strict=True))
    return node.replace(tuple(ti if k in places else node.src[k] for k, ti in enumerate(tangents)))


def _first(node: UOp, t: Tangents) -> Tangent:
    return _linear(node, t, (0,))


def _where(node: UOp, t: Tangents) -> Tangent:
    # the tangent of the branch not taken is not multiplied away but not read, be it infinite
    c, a, b = node.src
    return B.where(c, zeros(a) if t[1] is None else t[1], zeros(b) if t[2] is None else t[2])


def _divide(node: UOp, t: Tangents) -> Tangent:
    # (t_a - n t_b) / b: one division, where the partials would take two
    ta, tb = t
    if tb is None:
        return None if ta is None else B.div(ta, node.src[1])
    change = B.mul(node, tb)
    return B.div(B.neg(change) if ta is None else B.sub(ta, change), node.src[1])


def _power(node: UOp, t: Tangents) -> Tangent:
    if node.dtype.kind != "c" or t[1] is None:
        return _elementwise(node, t)
    # the partial of a real power decides by the sign of the exponent, which a complex one has not
    term = B.mul(B.mul(node, B.alu(Ops.LOG, node.src[0])), t[1])
    base = _elementwise(node, (t[0], None))
    return term if base is None else B.add(base, term)


def _absolute(node: UOp, t: Tangents) -> Tangent:
    x, tx = node.src[0], t[0]
    if tx is None or x.dtype.kind != "c":
        return _elementwise(node, t)
    # Re(conj(x) t) / |x|, and 0 at 0
    along = UOp(Ops.REAL, node.dtype, (B.mul(B.alu(Ops.CONJ, x), tx),))
    return B.div(along, B.where(B.eq(node, zeros(node)), B.like(node, 1), node))


def _sign(node: UOp, t: Tangents) -> Tangent:
    x, tx = node.src[0], t[0]
    if tx is None or x.dtype.kind != "c":
        return None
    # of x / |x| the part across x: (t - s Re(conj(s) t)) / |x|, and 0 at 0
    real = dtypes.real_of(x.dtype)
    along = B.cast(UOp(Ops.REAL, real, (B.mul(B.alu(Ops.CONJ, node), tx),)), x.dtype)
    size = UOp(Ops.ABS, real, (x,))
    zero = B.eq(size, B.like(size, 0))
    away = B.div(B.sub(tx, B.mul(node, along)), B.cast(B.where(zero, B.like(size, 1), size), x.dtype))
    return B.where(zero, zeros(x), away)


def _cast(node: UOp, t: Tangents) -> Tangent:
    return None if t[0] is None else B.cast(t[0], node.dtype)


def _leave(node: UOp, t: Tangents) -> Tangent:
    """VMAPOUT; a tangent that is the same for all values of the RANGEs is repeated."""
    varg = node.src[1:]
    if t[0] is None or not t[0].free_ranges.isdisjoint(ranges_of(varg)):
        return _first(node, t)
    inner = iter(t[0].sized)
    one = B.reshape(t[0], tuple(1 if a.op is Ops.RANGE else next(inner) for a in varg))
    return B.expand(one, tuple(extent(a) if a.op is Ops.RANGE else n for a, n in zip(varg, one.sized, strict=True)))


def _copied(node: UOp, t: Tangents) -> Tangent:
    return None if t[1] is None else node.replace((node.src[0], t[1]))


def _sharded(node: UOp, t: Tangents) -> Tangent:
    """A shard without a tangent has one of zeros, and is marked as such; each stays on its domain."""
    axis, real = node.arg
    shards = [_like_shard(s) if ti is None else ti for s, ti in zip(node.src, t, strict=True)]
    if axis is None:
        return placement.multi(shards, None)
    return placement.multi(shards, axis, tuple(r and ti is not None for r, ti in zip(real, t, strict=True)))


def _like_shard(s: UOp) -> UOp:
    held = placement.domains_of(s)
    return placement.copy(zeros(s), held[0]) if held else zeros(s)


def _over_ranges(node: UOp, t: Tangents) -> Tangent:
    """A sum over RANGEs is linear; any other reduction over them is the one over the axes that they become."""
    if node.arg is Ops.ADD:
        return _first(node, t)
    return push_forward([over_axes(node)], {node.src[0]: t[0]})[0]


def _refuse(node: UOp, t: Tangents) -> Tangent:
    raise node.arg.refuse()


def _stop(node: UOp, t: Tangents) -> Tangent:
    return None


def _assign(node: UOp, t: Tangents) -> Tangent:
    return t[1]


Rule = Callable[[UOp, Tangents], Tangent]
_RULES: dict[Ops, Rule] = {
    Ops.WHERE: _where, Ops.CAST: _cast, Ops.FDIV: _divide, Ops.POW: _power, Ops.ABS: _absolute, Ops.SIGN: _sign,
    Ops.REDUCE_AXIS: reduction, Ops.CUMULATE: running, Ops.REDUCE: _over_ranges, Ops.SCATTER: update,
    Ops.COPY: _copied, Ops.MULTI: _sharded, Ops.CONTIGUOUS_BACKWARD: _first,
    Ops.VMAPOUT: _leave, Ops.DETACH: _stop, Ops.BITCAST: _stop, Ops.ASSIGN: _assign,
    Ops.CUSTOM: _custom, Ops.CUSTOMI: _custom,
    Ops.LINEAR: _refuse,
    Ops.SOLVE: solution, Ops.DET: determinant, Ops.ADJUGATE: adjugate,
    Ops.SLOGDET: log_determinant, Ops.CHOLESKY: cholesky, Ops.EIGH: eigen, Ops.SVD: singular,
    Ops.ADJUGATE_ALONG: adjugate_along, Ops.QR: orthogonal, Ops.PINV: pseudo_inverse,
    Ops.TRIANGULAR: triangular, Ops.BANDED: banded, Ops.POSITIVE: positive,
    # factors are read by these alone, and their derivatives are by way of the matrix
    Ops.SPFACTOR: _stop, Ops.SPSOLVE: sparse_solution, Ops.SPSLOGDET: sparse_log_determinant,
    Ops.SPINVERSE: sparse_inverse,
}  # fmt: skip
