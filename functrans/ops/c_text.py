"""CUSTOMI and CUSTOM: a C expression, or statements, of the user's, applied to each element, with its NumPy meaning.

``{0}``, ``{1}``, ... in the text stand for the sources, ``{out}`` in statements for the result; other braces are C's.
"""

from __future__ import annotations

import re
import weakref
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from functrans.errors import DtypeError, ShapeError, UnsupportedError
from functrans.ops.enums import Ops
from functrans.ops.opdef import OpDef, register, same_shape
from functrans.ops.uop import UOp, fresh_id

PLACE = re.compile(r"\{(\d+|out)\}")
_known: weakref.WeakValueDictionary[int, CText] = weakref.WeakValueDictionary()


class CText:
    """What a CUSTOM or CUSTOMI is made of: the argument of the node.

    Parameters
    ----------
    name : what errors and the C text call it
    text : C with placeholders
    numpy : the meaning, of arrays of one shape
    partials : for each source the derivative by it, of the sources; None for one that is zero. None where there is none
    where : the user's line, for errors
    """

    def __init__(
        self, name: str, text: str, numpy: Callable[..., Any],
        partials: Sequence[Callable[..., UOp] | None] | None = None, where: str = "",
    ) -> None:  # fmt: skip
        self.name, self.text, self.numpy, self.where = name, text, numpy, where
        self.partials = None if partials is None else tuple(partials)
        self.number = fresh_id()
        _known[self.number] = self

    def __reduce__(self) -> Any:
        raise UnsupportedError(f"{self.name} is C text{self.where} and not pickled in graphs; send the function itself")

    def __repr__(self) -> str:
        return f"c_text({self.number}, {self.name!r})"

    @property
    def count(self) -> int:
        """The number of sources."""
        return 1 + max((int(p) for p in PLACE.findall(self.text) if p != "out"), default=-1)

    @property
    def key(self) -> tuple[str, str]:
        """What the C depends on."""
        return self.name, self.text

    def filled(self, sources: Sequence[str], out: str = "") -> str:
        """The text over the texts of the sources."""
        return PLACE.sub(lambda m: out if m[1] == "out" else f"({sources[int(m[1])]})", self.text)


def c_text(number: int, name: str) -> CText:
    """The CText that printed itself so, while it lives."""
    return _known[number]


def _check(node: UOp) -> str | None:
    if not isinstance(node.arg, CText):
        return f"argument {node.arg!r}; expected a CText"
    if not node.src or len(node.src) != node.arg.count:
        return f"{len(node.src)} sources for a text of {node.arg.count}"
    shapes = {s.shape for s in node.src}
    return None if len(shapes) == 1 and None not in shapes else f"sources of shapes {[s.shape for s in node.src]}"


def _numpy(node: UOp, *sources: Any) -> Any:
    given = [np.asarray(s).view() for s in sources]
    for g in given:
        g.flags.writeable = False  # it belongs to the graph
    with np.errstate(all="ignore"):
        found = np.asarray(node.arg.numpy(*given))
    what = f"numpy= of {node.arg.name}{node.arg.where}"
    if found.shape != given[0].shape:
        raise ShapeError(f"{what} returned shape {found.shape} for arguments of shape {given[0].shape}")
    if found.dtype.kind not in "biufc" or (found.dtype.kind == "c" and node.dtype.kind != "c"):
        raise DtypeError(f"{what} returned dtype {found.dtype}; the result is {node.dtype.name}")
    return found.astype(node.dtype.numpy)


for _op, _meaning in ((Ops.CUSTOMI, "a C expression of the user's"), (Ops.CUSTOM, "C statements of the user's")):
    register(OpDef(_op, "elementwise", _meaning, same_shape, _numpy, (), check=_check))
