"""Results with NaN, under ``config.debug_nans``: the error that says where the NaN came from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from functrans.errors import NanError, at_line, at_user_line
from functrans.ops.enums import Ops
from functrans.ops.interpret import Array
from functrans.ops.nans import Origin, nan_index, nan_origin
from functrans.ops.origin import place_of
from functrans.ops.uop import UOp


def check_nans(outputs: Sequence[UOp], results: Sequence[Array], values: Mapping[UOp, Array]) -> None:
    """Raise NanError where a result holds a NaN, naming the op that made it out of numbers, the user's line and the
    batch index, found by running the graph once more in the interpreter, or the argument that brought it.
    """
    for k, (output, result) in enumerate(zip(outputs, results, strict=True)):
        index = nan_index(result)
        if index is not None:
            found = nan_origin(output, values)
            raise NanError(_compiled_only(k, index) if found is None else _text(found, list(values)))


def _compiled_only(k: int, index: tuple[int, ...]) -> str:
    return (
        f"invalid value (nan) in result {k}{_where('index', index)}{at_user_line()}: the compiled code made it, while "
        "the interpreter, which evaluates node by node, finds a number there; an intermediate value overflows in one "
        "order of summation and not in the other"
    )


def _text(found: Origin, params: Sequence[UOp]) -> str:
    node, lanes, index = found
    where = _where("batch index", lanes) + _where("index", index).replace(" at", "," if lanes else " at")
    if node.op is Ops.PARAM:
        return f"a nan came in with leaf {params.index(node)} of the arguments{where}{at_user_line()}"
    if node.op in (Ops.BUFFER, Ops.CONST):
        kind = "a constant" if node.op is Ops.CONST else f"a captured array of {node.size} elements"
        return f"a nan came in with {kind}{where}{at_line(place_of(node)) or at_user_line()}"
    line = at_line(place_of(node))
    return (
        f"invalid value (nan) encountered in {node.op.name.lower()}{line}{where}; guard its argument, for example with "
        f"fnp.where or fnp.clip{'' if line else at_user_line()}"
    )


def _where(what: str, index: tuple[int, ...]) -> str:
    return f" at {what} {index[0] if len(index) == 1 else index}" if index else ""
