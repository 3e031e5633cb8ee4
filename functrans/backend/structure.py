"""What a graph is up to the identity of its nodes, as a short text: equal for graphs that run the same code."""

from __future__ import annotations

import marshal
from collections.abc import Sequence
from typing import Any
from weakref import WeakKeyDictionary

from functrans._lazy import hashlib
from functrans._members import Enum
from functrans.dtypes import DType
from functrans.ops.enums import GroupOp, Ops
from functrans.ops.function import Function
from functrans.ops.uop import UOp, fresh_id, toposort

__all__ = ["of_function", "structure"]

_VALUES = {op: op.value for op in Ops}
_PARTLY = {Ops.PARAM, Ops.DEFINE_VAR, Ops.RANGE, Ops.UNIQUE, Ops.NOOP, Ops.BUFFER_VIEW}
_PARTLY |= GroupOp.Custom | GroupOp.Region | GroupOp.SparseSystem
_functions: WeakKeyDictionary[Function, str] = WeakKeyDictionary()
_PLAIN = frozenset({type(None), bool, int, float, complex, str})  # written alike only if they are the same


def structure(
    roots: Sequence[UOp], params: Sequence[UOp], variables: Sequence[UOp] = (), order: Sequence[UOp] | None = None
) -> str:
    """The SHA-256 of the graph up to the identity of PARAMs, RANGEs and BUFFERs, as hex; linear in its nodes.

    An argument of a kind that is not known here is unlike any other, itself included: a plan is then made anew.
    ``order`` are the nodes, sources first, where they are known.
    """
    number: dict[UOp, int] = {}
    slot = {p: k for k, p in enumerate([*params, *variables])}
    rows: list[Any] = []
    for node in toposort(roots) if order is None else order:
        arg: Any = node.arg
        if node.op not in _PARTLY:
            pass
        elif node.op is Ops.PARAM:
            arg = (slot.get(node), node.arg[1])
        elif node.op is Ops.DEFINE_VAR:
            arg = (slot.get(node), *node.arg[:3])
        elif node.op in GroupOp.Custom or node.op in GroupOp.SparseSystem:
            arg = node.arg.key
        elif node.op in GroupOp.Region:
            arg = (*node.arg.facts, *map(of_function, node.arg.functions))
        elif node.op is Ops.RANGE:
            arg = node.arg[1]
        elif node.op is Ops.UNIQUE or (node.op is Ops.NOOP and type(node.arg) is not int):
            arg = None
        elif node.op is Ops.BUFFER_VIEW:
            arg = node.arg[0]  # wherever the window lies
        plain = arg if type(arg) in _PLAIN else _plain(arg)
        rows.append((_VALUES[node.op], node.dtype.name, tuple([number[s] for s in node.src]), plain))
        number[node] = len(number)
    whole = (rows, [number[r] for r in roots], [p.arg[1] for p in params])
    return hashlib.sha256(marshal.dumps(whole, 0)).hexdigest()  # 0: bytes that depend on the values alone


def of_function(f: Function) -> str:
    """The structure of all outputs of a function, found once: bodies stand in bodies."""
    found = _functions.get(f)
    if found is None:
        found = _functions[f] = structure(f.outputs, f.params)
    return found


def _plain(arg: Any) -> Any:
    """The argument of a node made of what is written whole, 0.0 unlike -0.0 and 1 unlike True."""
    if type(arg) in _PLAIN:
        return arg
    if type(arg) is tuple:
        return [a if type(a) in _PLAIN else _plain(a) for a in arg]  # lists, as what follows are tuples
    if isinstance(arg, Enum):
        return type(arg).__name__, arg.name
    if isinstance(arg, DType):
        return "dtype", arg.name
    return "unlike any other", fresh_id()
