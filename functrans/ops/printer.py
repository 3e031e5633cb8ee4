"""A graph as text: one line a node, and the text rebuilds the very same nodes."""

from __future__ import annotations

from typing import Any

from functrans import dtypes
from functrans.ops.c_text import c_text
from functrans.ops.enums import AxisType, Ops
from functrans.ops.uop import UOp, toposort


def to_text(*roots: UOp) -> str:
    """Python statements that rebuild the roots, the last line naming them; see :func:`from_text`.

    >>> from functrans.ops import UOp, dtypes
    >>> one = UOp.const(dtypes.float64, 1.0)
    >>> from_text(to_text(one))[0] is one
    True
    """
    names: dict[UOp, str] = {}
    lines = []
    for node in toposort(roots):
        names[node] = f"u{len(names)}"
        src = "".join(f"{names[s]}, " for s in node.src)
        arg = "" if node.arg is None else f", {_arg(node.arg)}"
        note = "" if node.shape is None or node.op in (Ops.CONST, Ops.RANGE) else f"  # {node.shape}"
        lines.append(f"{names[node]} = UOp({node.op!r}, {node.dtype!r}, ({src}){arg}){note}")
    lines.append(f"roots = ({''.join(names[r] + ', ' for r in roots)})")
    return "\n".join(lines)


def _arg(arg: Any) -> str:
    if isinstance(arg, complex):  # its repr loses the sign of a zero
        return f"complex({_arg(arg.real)}, {_arg(arg.imag)})"
    if isinstance(arg, float):  # inf and nan have no literal
        return repr(arg) if abs(arg) < float("inf") else f'float("{arg}")'
    return repr(arg)


def from_text(text: str, **names: Any) -> tuple[UOp, ...]:
    """The roots that a text of :func:`to_text` describes. The text is executed: read only your own.

    ``names`` are the classes of arguments that a stage adds, such as that of a STORE.
    """
    scope: dict[str, Any] = {"UOp": UOp, "Ops": Ops, "AxisType": AxisType, "dtypes": dtypes, "c_text": c_text, **names}
    exec(compile(text, "<graph>", "exec"), scope)
    return tuple(scope["roots"])
