"""One function at one signature: its graph, pattern, coloring and programs, each made when first needed."""

from __future__ import annotations

import warnings
import weakref
from collections.abc import Callable, Sequence
from functools import cached_property, partial
from itertools import pairwise
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from functrans import tree
from functrans._collector import paused
from functrans.backend.pipeline import Program
from functrans.errors import DtypeError, FunctransWarning, SparsityError, at_user_line, user_frame
from functrans.ops import build as B
from functrans.ops.enums import Ops
from functrans.ops.source import buffer
from functrans.ops.uop import UOp, toposort
from functrans.trace import Traced, claim, placeholder, trace, tracing
from functrans.trace.scope import check_leaks
from functrans.transforms.loops.rolled import rolled
from functrans.transforms.sparse import late
from functrans.transforms.sparse.coloring import Coloring
from functrans.transforms.sparse.decompress import Compression, locate
from functrans.transforms.sparse.detected import Explain, symmetrised
from functrans.transforms.sparse.kept import Kept, known_by, together
from functrans.transforms.sparse.pattern import SparsityPattern
from functrans.transforms.sparse.prefilled import InPlace
from functrans.transforms.sparse.settings import ROLLED, Settings
from functrans.transforms.sparse.traced import run, split_aux, value_dtype

if TYPE_CHECKING:
    from functrans.transforms.sparse.choice import Costs
    from functrans.transforms.sparse.detection import Dependence
    from functrans.transforms.sparse.direct.direct import Direct
    from functrans.transforms.sparse.method import Choice

Array = NDArray[Any]
DENSE = 10_000  # entries from which on a pattern without a zero is worth a warning


class Problem:
    """What a `SparseFunction` keeps for a signature.

    Parameters
    ----------
    f, name : the function and what the user calls it
    leaves, treedef : its arguments (arrays or ShapeDtype) as (args, kwargs)
    argnums : the positions to differentiate by, not negative
    has_aux : f returns (result, aux)
    settings : what else the user asked for; of a symmetric matrix f is the gradient
    """

    def __init__(
        self, f: Callable[..., Any], name: str, leaves: Sequence[Any], treedef: tree.TreeDef, argnums: tuple[int, ...],
        has_aux: bool, settings: Settings,
    ) -> None:  # fmt: skip
        self.name, self.settings = name, settings
        with trace(name):
            self.params = tuple(claim(placeholder(leaf)) for leaf in leaves)
            nodes, out_tree = run(f, treedef, self.params, name)
        self._again = partial(run, f, treedef, name=name)
        if not tracing():  # inside of another trace f may close over its values
            check_leaks(nodes, self.params, name)
        self.out_tree, self.aux_tree = split_aux(out_tree, has_aux, name)
        count = self.out_tree.num_leaves
        self.outputs, self.aux = tuple(rolled(nodes[:count], self.params, ROLLED)), tuple(nodes[count:])
        arguments = treedef.children[0].children
        ends = np.cumsum([0, *(a.num_leaves for a in arguments)]).tolist()
        self.blocks = [self.params[ends[k] : ends[k + 1]] for k in argnums]
        for k, block in zip(argnums, self.blocks, strict=True):
            for p in block:
                if p.dtype.kind != "f":
                    raise DtypeError(
                        f"{settings.what} of {name}: argument {k} has dtype {p.dtype.name}; a derivative is taken by "
                        f"real floating-point numbers only{at_user_line()}; convert it, or choose other argnums"
                    )
        if settings.symmetric:  # one matrix for all arguments
            self.blocks = [tuple(p for block in self.blocks for p in block)]
        self.probed = False
        self.given_out: weakref.WeakValueDictionary[int, Array] = weakref.WeakValueDictionary()

    @cached_property
    def rows(self) -> int:
        """The number of rows: elements of the result."""
        return sum(o.size for o in self.outputs)

    @cached_property
    def widths(self) -> list[int]:
        """The number of columns of each matrix."""
        return [sum(p.size for p in block) for block in self.blocks]

    @cached_property
    def inputs(self) -> list[UOp]:
        """The PARAMs behind all columns."""
        return [p for block in self.blocks for p in block]

    @cached_property
    def lined(self) -> bool:
        """Whether the nodes know the lines that they come from: only after this."""
        count = len(self.outputs)
        with trace(self.name):
            find = late.lines.find_lines
            find(self.outputs, self.params, lambda fresh: rolled(self._again(fresh)[0][:count], fresh, ROLLED))
        return True

    @cached_property
    def dependence(self) -> Dependence:
        """What detection found."""
        with paused:
            return late.detection.Dependence(self.outputs, self.inputs)

    @cached_property
    def patterns(self) -> list[SparsityPattern]:
        """The pattern of each matrix, in the order of its values."""
        shapes = [(self.rows, w) for w in self.widths]
        given, what = self.settings.given, self.settings.what
        if given is not None:
            found = [SparsityPattern.from_user(p, self.settings.format) for p in given]
            for p, shape in zip(found, shapes, strict=True):
                if p.shape != shape:
                    raise SparsityError(
                        f"{what} of {self.name}: the given pattern has shape {p.shape}, the matrix has shape "
                        f"{shape}{at_user_line()}; give one pattern for one signature, or leave pattern out"
                    )
        else:
            found = self._detected()
        for p in found:
            if p.nnz == p.shape[0] * p.shape[1] >= DENSE:
                warnings.warn_explicit(
                    f"the {'Hessian' if self.settings.symmetric else 'Jacobian'} of {self.name} has no structural zero "
                    f"(shape {p.shape}): compression saves nothing, each of {p.shape[1]} columns takes a derivative of "
                    "its own",
                    FunctransWarning, *(user_frame() or ("functrans", 1)),
                )  # fmt: skip
        if self.settings.symmetric:
            whole = symmetrised(found[0])
            found = [{"full": lambda: whole, "lower": whole.lower, "upper": whole.upper}[self.settings.triangle]()]
        return found

    @cached_property
    def known_by(self) -> str | None:
        """What problems have in common whose pattern and values are the same, in other processes too."""
        return known_by(self)

    @cached_property
    def _kept(self) -> Kept | None:
        return Kept.of(self)

    def _detected(self) -> list[SparsityPattern]:
        matrix = self.dependence.matrix if self._kept is None else self._kept.matrix
        ends = np.cumsum([0, *self.widths]).tolist()
        found = []
        for start, stop in pairwise(ends):
            part = matrix[:, start:stop] if len(self.widths) > 1 else matrix
            shape, explain = (self.rows, stop - start), Explain(self, start)
            found.append(SparsityPattern.of_rows(part.indptr, part.indices, shape, self.settings.format, explain))
        return found

    @cached_property
    def joint(self) -> SparsityPattern:
        """All matrices side by side, in csr order; of a symmetric matrix both triangles."""
        both = self.patterns[0]
        if len(self.patterns) > 1 or both.format == "csc":
            rows = np.concatenate([p.rows for p in self.patterns])
            cols = np.concatenate([p.cols + s for p, s in zip(self.patterns, self._starts, strict=True)])
            both = SparsityPattern(rows, cols, (self.rows, sum(self.widths)))
        return symmetrised(both) if self.settings.symmetric else both

    @property
    def _starts(self) -> list[int]:
        """The first column of each matrix when they stand side by side."""
        return [sum(self.widths[:k]) for k in range(len(self.widths))]

    @cached_property
    def costs(self) -> Costs:
        """What f and the products cost."""
        return late.choice.costs(self.outputs, self.inputs)

    @cached_property
    def compression(self) -> Compression:
        """One coloring for all matrices side by side, and how their nonzeros come out of it."""
        return late.choice.compression(self.joint, self.outputs, self.settings, lambda: self.costs)

    @cached_property
    def colorings(self) -> list[Coloring]:
        """The part of the coloring that belongs to each matrix."""
        whole, ends = self.compression.coloring, np.cumsum(self.widths)[:-1]
        if whole.partition in ("row", "symmetric"):
            return [whole] * len(self.widths)
        split = self.rows if whole.partition == "bidirectional" else 0
        both = [np.concatenate([whole.colors[:split], part]) for part in np.split(whole.colors[split:], ends)]
        return [Coloring(c, whole.partition, num_rows=whole.num_rows, substitution=whole.substitution) for c in both]

    @cached_property
    def choice(self) -> Choice:
        """By which method the values are computed, and why."""
        with paused:
            return late.method.choose(self)

    @property
    def direct(self) -> Direct | None:
        """The direct values, where that is the method."""
        return self.choice.direct

    @cached_property
    def values(self) -> list[UOp]:
        """The nonzeros of each matrix, in the order of its pattern."""
        if self.direct is not None:
            return self.direct.values()
        compressed, by, found = late.compressed, self.compression, []
        read, elements = compressed.nonzeros(compressed.products(self.outputs, self.inputs, by), by), by.elements
        for p, start in zip(self.patterns, self._starts, strict=True):
            at = locate(self.joint, p.rows, p.cols + np.int32(start))
            if at is None:
                found.append(read if elements is None else compressed.picked(read, elements))
            else:
                found.append(compressed.picked(read, at if elements is None else elements[at]))
        return found

    def program_of(self, nodes: Sequence[UOp], more: Sequence[UOp] = ()) -> Program:
        """The program of nodes over the arguments, and over more PARAMs after them."""
        return Traced((*self.params, *more), tuple(nodes), self.out_tree).program(fixed=True)

    @cached_property
    def program(self) -> Program:
        """Arguments to nonzeros and auxiliary results."""
        return self.program_of([*self.values, *self.aux])

    @cached_property
    def values_program(self) -> Program:
        """Arguments to nonzeros alone."""
        return self.program_of(self.values) if self.aux else self.program

    @cached_property
    def program_with_value(self) -> Program:
        """Arguments to nonzeros, auxiliary results and results, sharing work."""
        return self.program_of([*self.values, *self.aux, *self.outputs])

    @cached_property
    def constant(self) -> list[NDArray[np.bool_]]:
        """Which nonzeros of each matrix are the same at every point."""
        if self.direct is not None:
            return self.direct.constant
        rows = np.concatenate([p.rows for p in self.patterns])
        cols = np.concatenate([p.cols + s for p, s in zip(self.patterns, self._starts, strict=True)])
        found = late.constant_entries.constant_entries(self.outputs, self.inputs, rows, cols)
        return np.split(found, np.cumsum([p.nnz for p in self.patterns])[:-1])

    @property
    def prefilled(self) -> list[Array]:
        """The nonzeros with the constant ones filled in and zero elsewhere."""
        return self._fixed[0]

    @property
    def varying(self) -> list[NDArray[np.bool_]]:
        """Which of the nonzeros `prefilled` does not hold."""
        return self._fixed[1]

    @cached_property
    def _fixed(self) -> tuple[list[Array], list[NDArray[np.bool_]]]:
        if self._kept is not None:
            return self._kept.fixed(self)
        if self.direct is not None:
            return self.direct.fixed(), [~c for c in self.constant]
        if not any(c.any() for c in self.constant):  # nothing to find out, at a point that may be a special one
            dtype = value_dtype(self.outputs).numpy
            return [np.zeros(p.nnz, dtype) for p in self.patterns], [np.ones(p.nnz, np.bool_) for p in self.patterns]
        # a constant entry can be read anywhere, so where no argument is at the edge of its domain
        anywhere = [np.full(p.sized, _anywhere(p), p.dtype.numpy) for p in self.params]
        with np.errstate(all="ignore"):
            data = self.values_program(anywhere)
        varying = [~c | ~np.isfinite(a) for c, a in zip(self.constant, data, strict=True)]
        for a, v in zip(data, varying, strict=True):
            a[v] = 0
        return data, varying

    def numbers(self, arrays: Sequence[Array]) -> list[Array]:
        """The nonzeros of each matrix in new memory."""
        if self.in_place is None:
            return self.values_program(arrays)
        data = [a.copy() for a in self.prefilled]
        self._vary(self.in_place, arrays, data)
        return data

    def write(self, arrays: Sequence[Array], targets: Sequence[Array]) -> None:
        """Write the nonzeros of each matrix: in full, or what varies where the rest stands there already."""
        if self.in_place is None:
            self.values_program(arrays, targets)
            return
        if not self.is_prefilled(targets):
            for t, a in zip(targets, self.prefilled, strict=True):
                t[...] = a
        self._vary(self.in_place, arrays, targets)

    def _vary(self, made: InPlace, arrays: Sequence[Array], targets: Sequence[Array]) -> None:
        """Write what varies over what does not."""
        if self.moving:
            made(arrays, [targets[k] for k in self.moving])

    @property
    def no_aux(self) -> Any:
        """Aux where there are no arrays in it."""
        return self.aux_tree.unflatten([])

    def empty(self) -> list[Array]:
        """New buffers with the constant nonzeros filled in, which `is_prefilled` knows again."""
        made = [a.copy() for a in self.prefilled]
        for a in made:
            self.given_out[id(a)] = a
        return made

    def is_prefilled(self, targets: Sequence[Array]) -> bool:
        """Whether all of these are buffers that hold the constant nonzeros already."""
        return all(self.given_out.get(id(t)) is t for t in targets)

    @cached_property
    def in_place(self) -> InPlace | None:
        """Arguments to all nonzeros of the matrices in `moving`, where those that are constant stand already in the
        memory that it is given; None where nothing can be relied on to leave them alone.
        """
        if self.captures:
            return None
        made = self._program_of_what_varies
        return InPlace(self._kept.record, made) if self._kept is not None else Kept.made(self, made)

    def _program_of_what_varies(self) -> Program:
        with paused:
            return self.program_of([self._what_varies(k, self.direct) for k in self.moving])

    def _program_together(self) -> Program:
        flat = late.detection.flattened(self.outputs)
        direct = None if self.direct is None else self.direct.beside(flat)
        whole = [B.reshape(u, o.sized) for u, o in zip(flat, self.outputs, strict=True)]
        return self.program_of([*(self._what_varies(k, direct) for k in self.moving), *self.aux, *whole])

    def _what_varies(self, k: int, direct: Direct | None) -> UOp:
        """The nonzeros of a matrix that are not constant, where they stand; the rest of the vector does not matter."""
        if direct is not None:
            return direct.varying(k)
        values, varies = self.values[k], self.varying[k]
        if varies.all():
            return values
        at = B.inside(buffer(np.flatnonzero(varies)), values.size)
        return B.scatter(late.emission.empty(values.size, values.dtype), B.gather(values, at), (at,), "place")

    @cached_property
    def together(self) -> InPlace | None:
        """As `in_place`, and after the nonzeros auxiliary results and results, sharing what is worth it."""
        if self.in_place is None:
            return None
        return together(self, self._program_together)

    def with_results(
        self, arrays: Sequence[Array], targets: Sequence[Array] | None
    ) -> tuple[list[Array], list[Array], list[Any]]:
        """The nonzeros of each matrix, in the targets if there are any, auxiliary results and results, and how those
        lie over thread domains.
        """
        if self.together is None:
            found = self.program_with_value(arrays)
            data, rest = found[: len(self.blocks)], found[len(self.blocks) :]
            for t, a in () if targets is None else zip(targets, data, strict=True):
                t[...] = a
            at = self.program_with_value.layouts[len(self.blocks) :]
            return data if targets is None else list(targets), rest, at
        if targets is None:
            targets = [a.copy() for a in self.prefilled]
        elif not self.is_prefilled(targets):
            for t, a in zip(targets, self.prefilled, strict=True):
                t[...] = a
        rest = [np.empty(u.sized, u.dtype.numpy) for u in (*self.aux, *self.outputs)]
        self.together(arrays, [*(targets[k] for k in self.moving), *rest])
        return list(targets), rest, [None] * len(rest)

    @cached_property
    def moving(self) -> list[int]:
        """The matrices of which anything varies."""
        return [k for k, varies in enumerate(self.varying) if varies.any()]

    @cached_property
    def captures(self) -> bool:
        """Whether the graph holds a traced value that is no argument: f closes over one of an outer trace."""
        roots = [*self.outputs, *self.aux]
        known = set(self.params)
        return any(r.free_ranges for r in roots) or any(
            (u.op is Ops.PARAM or (u.op is Ops.DEFINE_VAR and len(u.arg) > 3)) and u not in known
            for u in toposort(roots)
        )


def _anywhere(p: UOp) -> float:
    if p.op is Ops.DEFINE_VAR:
        return int(p.arg[1])
    return 0.5 if p.dtype.kind in "fc" else 0
