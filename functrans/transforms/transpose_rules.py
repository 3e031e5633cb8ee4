"""Transposes, one row per op: from the cotangent of a node to those of the sources it is linear in."""

from __future__ import annotations

from collections.abc import Sequence
from math import prod

import numpy as np

from functrans import dtypes
from functrans.ops import build as B
from functrans.ops.collapse import walked
from functrans.ops.enums import Ops
from functrans.ops.movement import offsets
from functrans.ops.opdef import opdef
from functrans.ops.placement import windows
from functrans.ops.symbolic import const
from functrans.ops.uop import UOp
from functrans.tensor.constants import known
from functrans.tensor.meanings import component
from functrans.transforms.accumulate import Reads, Window
from functrans.transforms.cotangent import Cotangent
from functrans.transforms.linearity import LinearMap, Parts, Rule, not_linear


def _add(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    graph.check_terms(node)
    return ct, ct


def _sub(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    graph.check_terms(node)
    return ct, ct.each(B.neg)


def _mul(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    k = graph.one_of(node)
    part = ct.each(lambda c: B.mul(c, node.src[1 - k]))
    return (part, None) if k == 0 else (None, part)


def _div(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    graph.only_first(node)
    return (ct.each(lambda c: B.div(c, node.src[1])),)


def _mulacc(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    a, b, c = node.src
    if a in graph.nodes and b in graph.nodes:
        raise not_linear("MULACC of two factors that vary is not linear")
    if c not in graph.nodes and B.const_value(c) != 0:
        raise not_linear("MULACC with a term that does not vary is not linear")
    return ct.each(lambda u: B.mul(u, b)), ct.each(lambda u: B.mul(u, a)), ct


def _where(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    c = node.src[0]
    return None, ct.at(c), ct.at(B.alu(Ops.NOT, c))


def _cast(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    if not dtypes.is_inexact(node.dtype):
        raise not_linear(f"a conversion to {node.dtype.name} is not linear")
    return (ct.each(lambda c: _as(c, node.src[0])),)


def _as(c: UOp, x: UOp) -> UOp:
    """A number of the dtype of x; of a complex one the real part, where x is real."""
    if c.dtype.kind == "c" and x.dtype.kind != "c":
        c = UOp(Ops.REAL, component(c.dtype), (c,))
    return B.cast(c, x.dtype)


def _imag(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    # pairs are Re(c x): the imaginary part of x is Re(-i x)
    x = node.src[0]
    return (ct.each(lambda c: B.mul(B.cast(c, x.dtype), B.like(x, -1j))),) if x.dtype.kind == "c" else (None,)


def _conj(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    return (ct.each(lambda c: B.alu(Ops.CONJ, c)),)


def _same(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    return (ct,)


def _stored(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    return (Cotangent(UOp(Ops.CONTIGUOUS, node.dtype, (ct.dense(),), node.arg)),)


def _assigned(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    return None, ct


def _pulled(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """LINEAR: by the rule it carries; what it keeps of the point does not vary."""
    kept = node.arg.num_residuals
    if any(s in graph.nodes for s in node.src[:kept]):
        raise not_linear(f"the pullback of {node.arg.rule.name} is not linear in its residuals, and these vary")
    pulled = node.arg.pull(node.src[:kept], ct.dense())
    return (*(None for _ in range(kept)), *(None if c is None else Cotangent(c) for c in pulled))


def _inside(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """CUSTOM_RULE: transposed like the graph inside, what the rule says of derivatives does not make it linear; or as
    the rule says, if it does.
    """
    rule, inputs = node.arg[0], node.src[1:]
    if rule.pull is not None:
        if any(s in graph.nodes for s in inputs[:-1]):
            raise not_linear(f"{rule.name} is linear in its right-hand side alone, and the map varies")
        return (*(None for _ in inputs), Cotangent(rule.pull(inputs, ct.dense())))
    return ct, *(None for _ in node.src[1:])


def _stop(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    return (None,)


def _moved(node: UOp, ct: Cotangent) -> Cotangent:
    back = opdef(node).transpose
    if back is None:
        raise not_linear(f"the record of {node.op.name} does not say how it is transposed")
    return ct.moved(lambda c: back(node, c, 0))


def _shrink(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """SHRINK: a window of the cotangent; one at RANGEs is read by index, where it does not walk the array."""
    x = node.src[0]
    if len(node.src) == 1:
        return (Window(ct, node.arg),)
    ranges = graph.repeated(node, x)
    if not ranges:
        return (_moved(node, ct),)
    if walked(node) is not None:  # the sum of what is padded to its own place is no sum
        return (_moved(node, ct).over_ranges(ranges),)
    starts = {k: at for k, at in enumerate(offsets(node)) if at is not None}
    order = (*starts, *(k for k in range(x.ndim) if k not in starts))
    lead = tuple(node.sized[k] for k in starts)
    at = []
    for i, (k, start) in enumerate(starts.items()):
        along = B.reshape(B.iota(node.sized[k]), tuple(n if j == i else 1 for j, n in enumerate(lead)))
        index = B.add(B.broadcast(along, lead), B.broadcast(B.cast(start, dtypes.int64), lead))
        at.append(B.inside(index, x.sized[k]))
    base = B.permute(B.like(x, 0), order)
    back = tuple(order.index(k) for k in range(x.ndim))
    return (Cotangent(B.permute(_closed(B.permute(ct.dense(), order), at, base, ranges).onto(base), back)),)


def _closed(value: UOp, at: Sequence[UOp], x: UOp, ranges: tuple[UOp, ...]) -> Reads:
    """What is read of x at indices, for all values of RANGEs."""
    if not ranges:
        return Reads(value, tuple(at))
    every = (i.vmapout((*ranges, *(const(0),) * i.ndim)) for i in at)
    whole = value.vmapout((*ranges, *(const(0),) * value.ndim))
    return Reads(whole, tuple(B.inside(i, n) for i, n in zip(every, x.sized, strict=False)))


def _over_ranges(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """REDUCE: each value of the RANGEs gets the cotangent of their sum; one that has no such RANGE, once for each."""
    if node.arg is not Ops.ADD:
        raise not_linear(f"a reduction by {node.arg.name} is not linear")
    repeated = tuple(r for r in node.src[1:] if r not in node.src[0].free_ranges)
    return (ct.over_ranges(repeated) if repeated else ct,)


def _gather(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """INDEX: added up where each element was read, for all values of the RANGEs that x has not in one array.

    The sum over these RANGEs of an array for each of them would take the square of what the reads take.
    """
    # a gather clamps its indices, a scatter drops what is out of range
    graph.only_first(node)
    x, *indices = node.src
    at = tuple(_clamped(i, n) for i, n in zip(indices, x.sized, strict=False))
    return (_closed(ct.dense(), at, x, graph.repeated(node, x)),)


def _clamped(index: UOp, n: int) -> UOp:
    value = known(index)
    if value is not None and value.min(initial=0) >= 0 and value.max(initial=0) < n:
        return index
    if B.is_inside(index, n):
        return index
    low = index if index.dtype.kind == "u" else B.alu(Ops.MAX, index, B.like(index, 0))
    top = min(max(n - 1, 0), int(np.iinfo(index.dtype.numpy).max))
    return B.alu(Ops.MIN, low, B.like(index, top))


def _scatter(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    base, value, *indices = node.src
    at, c = tuple(indices), ct.dense()
    if any(i in graph.nodes for i in at):
        raise not_linear("SCATTER at indices that vary is not linear")
    if node.arg == "add":
        return Cotangent(c), Cotangent(_read(c, at))
    if node.arg in ("set", "place"):
        kept = B.scatter(c, B.like(value, 0), at, node.arg)
        return Cotangent(kept), Cotangent(_read(c, at)).at(_lasting(base, value, at))
    if node.arg == "multiply" and value not in graph.nodes:
        return Cotangent(B.scatter(c, value, at, "multiply")), None
    raise not_linear(f"an update by {node.arg!r} is not linear")


def _read(c: UOp, at: tuple[UOp, ...]) -> UOp:
    """What every write has at its place; zero for a write that was dropped."""
    inside: UOp | None = None
    for index, n in zip(at, c.sized, strict=False):
        value = known(index)
        if value is not None and value.min(initial=0) >= 0 and value.max(initial=0) < n:
            continue
        here = B.eq(_clamped(index, n), index)
        inside = here if inside is None else B.alu(Ops.AND, inside, here)
    if 0 in c.sized[: len(at)]:  # every write was dropped
        return B.full((*at[0].sized, *c.sized[len(at) :]), c.dtype, 0)
    found = B.gather(c, *at)
    if inside is None:
        return found
    mask = B.broadcast(B.reshape(inside, inside.sized + (1,) * (found.ndim - inside.ndim)), found.sized)
    return B.where(mask, found, B.like(found, 0))


def _lasting(base: UOp, value: UOp, at: tuple[UOp, ...]) -> UOp:
    """The writes that no later one overwrote."""
    lead = base.sized[: len(at)]
    number = B.reshape(B.iota(at[0].size), at[0].sized)
    if prod(lead) == 0:
        mask = B.eq(number, B.like(number, -1))
    else:
        last = B.scatter(B.full(lead, number.dtype, -1), number, at, "set")
        mask = B.eq(B.gather(last, *at), number)
    return B.broadcast(B.reshape(mask, mask.sized + (1,) * (value.ndim - mask.ndim)), value.sized)


def _enter(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """VMAPIN: the slices are put together by VMAPOUT; at a RANGE of a map around, the others are zero."""
    x, varg = node.src[0], node.src[1:]
    around = [k for k, a in enumerate(varg) if a.op is Ops.RANGE and a not in graph.closed]
    if not around:
        return (ct.moved(lambda c: c.vmapout(varg)),)
    rest = tuple(a if a in graph.closed else const(0) for k, a in enumerate(varg) if k not in around)
    whole = ct.dense()
    whole = whole.vmapout(rest) if any(a.op is Ops.RANGE for a in rest) else whole
    ones = tuple(1 if k in around else n for k, n in enumerate(x.sized))
    spread = Cotangent(B.broadcast(B.reshape(whole, ones), x.sized))
    for k in around:
        places = B.iota(x.sized[k])
        here = B.eq(places, B.broadcast(places.vmapin((varg[k],)), places.sized))
        shape = tuple(n if i == k else 1 for i, n in enumerate(x.sized))
        spread = spread.at(B.broadcast(B.reshape(here, shape), x.sized))
    return (spread,)


def _leave(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """VMAPOUT: each slice gets its own by VMAPIN; a value without the RANGE was repeated, and gets the sum."""
    x, varg = node.src[0], node.src[1:]
    own = tuple(a if a in x.free_ranges else const(0) for a in varg)
    repeated = tuple(k for k, (a, o) in enumerate(zip(varg, own, strict=True)) if a.op is Ops.RANGE and o is not a)
    if repeated:
        ct = ct.over_axes(repeated)
        own = tuple(a for k, a in enumerate(own) if k not in repeated)
    return (ct.moved(lambda c: c.vmapin(own)) if any(a.op is Ops.RANGE for a in own) else ct,)


def _copied(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    # the cotangent stays where it was computed: what reads it brings it where it is needed
    return None, ct


def _sharded(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """Each real shard gets its window; of equal copies the first stands for all."""
    axis, real = node.arg
    if axis is None:
        return ct, *(None for _ in node.src[1:])
    whole, parts = ct.dense(), []
    for s, (start, stop), is_real in zip(node.src, windows([s.sized[axis] for s in node.src]), real, strict=True):
        bounds = tuple((start, stop) if k == axis else (0, n) for k, n in enumerate(s.sized))
        parts.append(Cotangent(B.shrink(whole, bounds)) if is_real else None)
    return parts


def _by_record(node: UOp, ct: Cotangent, graph: LinearMap) -> Parts:
    """As the record of the op has it: what only moves elements moves the places along."""
    record = opdef(node)
    linear, back = record.linear, record.transpose
    assert linear is not None
    assert back is not None
    places = linear(node)
    if not places:
        raise not_linear(f"{node.op.name} of {node.arg} is not linear")
    if any(s in graph.nodes for k, s in enumerate(node.src) if k not in places):
        raise not_linear(f"{node.op.name} by or at values that vary is not linear")

    def part(k: int) -> Cotangent:
        repeated = () if record.repeats is None else record.repeats(node)
        if repeated:
            return ct.over_axes(repeated).moved(lambda c: B.reshape(c, node.src[k].sized))
        if record.kind in ("movement", "join") or record.reduces is not None:
            return ct.moved(lambda c: back(node, c, k))
        return Cotangent(back(node, ct.dense(), k))

    return [part(k) if k in places and s in graph.nodes else None for k, s in enumerate(node.src)]


def rule_of(node: UOp) -> Rule | None:
    """How a node is transposed; None where that is not known."""
    rule = RULES.get(node.op)
    return _by_record if rule is None and opdef(node).transpose is not None else rule


SUMMED = frozenset({Ops.INDEX, Ops.SHRINK})  # their rules sum over the RANGEs that a source has not
RULES: dict[Ops, Rule] = {
    Ops.SHRINK: _shrink, Ops.ADD: _add, Ops.SUB: _sub, Ops.MUL: _mul, Ops.FDIV: _div,
    Ops.MULACC: _mulacc, Ops.NEG: lambda node, ct, graph: (ct.each(B.neg),), Ops.WHERE: _where, Ops.CAST: _cast,
    Ops.REAL: _cast, Ops.IMAG: _imag, Ops.CONJ: _conj, Ops.NOOP: _same, Ops.CONTIGUOUS: _same,
    Ops.CONTIGUOUS_BACKWARD: _stored, Ops.DETACH: _stop, Ops.REDUCE: _over_ranges, Ops.INDEX: _gather,
    Ops.SCATTER: _scatter, Ops.ASSIGN: _assigned, Ops.VMAPIN: _enter, Ops.VMAPOUT: _leave, Ops.COPY: _copied,
    Ops.MULTI: _sharded, Ops.LINEAR: _pulled, Ops.CUSTOM_RULE: _inside,
}  # fmt: skip
