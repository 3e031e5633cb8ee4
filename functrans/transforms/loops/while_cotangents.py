"""Transpose of a WHILE that is linear in some of its sources: the same number of rounds, the last one first.

Loops that never have more rounds than a known number have one. What a round computes without the linear sources is
found again in the loop backward: of a carry that counts, or stays what it is, from the number of the round; of another
one from a row that a loop forward stores. Under `vmap` each lane has its own number of rounds, both ways.

Source: Griewank and Walther, Evaluating Derivatives, chapters 3 and 12.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from functrans import dtypes
from functrans.errors import UnsupportedError
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.function import Function
from functrans.ops.loops import While, region, results
from functrans.ops.origin import line_of
from functrans.ops.source import param
from functrans.ops.uop import UOp, substitute, toposort
from functrans.transforms.linearity import not_linear
from functrans.transforms.loops.body import Transposed, closed_together, endless, like

_ONE, _ZERO = UOp.const(dtypes.int64, 1), UOp.const(dtypes.int64, 0)


def while_cotangents(
    node: UOp, cts: Mapping[int, UOp], is_linear: Sequence[bool], transpose: Transposed
) -> list[UOp | None]:
    """The cotangent of each source, given those of results; ``is_linear`` tells which parameters of the body are."""
    arg: While = node.arg
    if arg.most is None:
        raise UnsupportedError(
            f"reverse mode does not go through a while_loop, or a fori_loop with traced bounds{line_of(node)}: how "
            "many rounds it has is known only when it has run; give max_steps, or use scan, or jvp; of ode.solve with "
            "adjoint='forward' another adjoint"
        )
    n, p = arg.carries, arg.body.params
    given = dict(zip(arg.condition.params, p, strict=True))
    (test,) = substitute(arg.condition.outputs, given)
    if any(is_linear[k] for k, x in enumerate(p) if x in set(toposort([test]))):
        raise not_linear("WHILE by a condition on values that vary is not linear")
    live, holes, pulled = _live(arg, cts, is_linear, transpose)
    constants = [k for k in range(n, len(p)) if pulled.get(k) is not None]
    sums = like(p[k] for k in constants)
    back = [pulled.get(k) for k in live]
    outputs = [B.full(p[k].sized, p[k].dtype, 0) if c is None else c for k, c in zip(live, back, strict=True)]
    outputs += [B.add(s, c) for s, k in zip(sums, constants, strict=True) if (c := pulled[k]) is not None]
    loop = _Forward(node, test, is_linear)
    used = set(toposort(outputs))
    needed = [k for k in range(n) if not is_linear[k] and p[k] in used]
    counts = [k for k in needed if loop.counts(k)]
    stored = [k for k in needed if k not in counts and not loop.stays(k)]
    rounds, stacks = loop.rounds(stored)

    done, last = param((), dtypes.int64), param((), dtypes.int64)
    before = B.sub(B.sub(last, _ONE), done)
    tables = like(stacks)
    known = {p[k]: B.add(p[k], before) for k in counts}
    known |= {p[k]: B.gather(x, before) for k, x in zip(stored, tables, strict=True)}
    fixed = [k for k in range(len(p)) if not is_linear[k] and k not in stored and (k >= n or k in needed)]
    own = [done, *holes, *sums, last, *tables, *(p[k] for k in fixed)]
    graphs = [
        ([B.lt(done, last)], own),
        ([B.add(done, _ONE), *substitute(outputs, known)], own),
    ]
    (condition, body), more = closed_together(graphs, endless(graphs))
    start = [cts[k] if k in cts else B.full(p[k].sized, p[k].dtype, 0) for k in live]
    start += [B.full(p[k].sized, p[k].dtype, 0) for k in constants]
    sources = [_ZERO, *start, rounds, *stacks, *(node.src[k] for k in fixed), *more]
    made = results(region(Ops.WHILE, sources, While(condition, body, 1 + len(start), most=arg.most)))[1:]
    found: list[UOp | None] = [None] * len(node.src)
    for k, c in zip((*live, *constants), made, strict=True):
        found[k] = c
    return found


def _live(
    arg: While, cts: Mapping[int, UOp], is_linear: Sequence[bool], transpose: Transposed
) -> tuple[list[int], list[UOp], dict[int, UOp | None]]:
    """The carries that a cotangent comes to, in some round; placeholders for theirs after a round, and the cotangents
    of linear parameters before it. A fixed point.
    """
    p, f = arg.body.params, arg.body
    linear = [k for k in range(len(p)) if is_linear[k]]
    live = [k for k in linear if k in cts]
    while True:
        holes = like(p[k] for k in live)
        found = transpose([f.outputs[k] for k in live], [p[k] for k in linear], holes)
        pulled = dict(zip(linear, found, strict=True))
        more = [k for k in linear if k < arg.carries and pulled[k] is not None and k not in live]
        if not more:
            return live, holes, pulled
        live = sorted([*live, *more])


class _Forward(NamedTuple):
    """A loop, its condition in the parameters of its body, and which of these are linear."""

    node: UOp
    test: UOp
    is_linear: Sequence[bool]

    def counts(self, k: int) -> bool:
        """Whether a carry grows by one in each round."""
        arg: While = self.node.arg
        x, new = arg.body.params[k], arg.body.outputs[k]
        is_sum = new.op is Ops.ADD and x.dtype == dtypes.int64 and x.shape == ()
        return is_sum and x in new.src and all(s is x or B.const_value(s) == 1 for s in new.src) and len({*new.src}) > 1

    def stays(self, k: int) -> bool:
        """Whether a parameter is the same in each round."""
        arg: While = self.node.arg
        return k >= arg.carries or arg.body.outputs[k] is arg.body.params[k]

    def rounds(self, stored: Sequence[int]) -> tuple[UOp, list[UOp]]:
        """How many rounds there are, and of some carries a stack of what these are before each of them."""
        known = None if stored else self._counted()
        return self._run(stored) if known is None else (known, [])

    def _counted(self) -> UOp | None:
        """The number of rounds of a loop from one number to another one."""
        p = self.node.arg.body.params
        place = {x: k for k, x in enumerate(p)}
        if self.test.op is not Ops.CMPLT:
            return None
        i, end = self.test.src
        if i not in place or not self.counts(place[i]):
            return None
        if end in place and self.stays(place[end]):
            end = self.node.src[place[end]]
        elif B.const_value(end) is None:
            return None
        return B.alu(Ops.MAX, B.sub(end, self.node.src[place[i]]), _ZERO)

    def _run(self, stored: Sequence[int]) -> tuple[UOp, list[UOp]]:
        """The loop of what is not linear, once more."""
        arg: While = self.node.arg
        p, n = arg.body.params, arg.carries
        carries = [k for k in range(n) if not self.is_linear[k]]
        rest = [k for k in range(n, len(p)) if not self.is_linear[k]]
        done = param((), dtypes.int64)
        assert arg.most is not None
        rows = [B.full((max(arg.most, 1), *p[k].sized), p[k].dtype, 0) for k in stored]
        stacks = like(rows)
        params = [done, *(p[k] for k in carries), *stacks, *(p[k] for k in rest)]
        kept = [B.scatter(x, p[k], (done,), "set") for x, k in zip(stacks, stored, strict=True)]
        outputs = [B.add(done, _ONE), *(arg.body.outputs[k] for k in carries), *kept]
        body, condition = Function(tuple(params), tuple(outputs)), Function(tuple(params), (self.test,))
        src = self.node.src
        sources = [_ZERO, *(src[k] for k in carries), *rows, *(src[k] for k in rest)]
        found = results(region(Ops.WHILE, sources, While(condition, body, len(outputs), most=arg.most)))
        return found[0], found[1 + len(carries) :]
