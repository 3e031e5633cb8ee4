"""`SparseFunction`: a sparse derivative as a function of its arguments, with pattern, coloring and plan."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from functrans import tree
from functrans._locks import ForkLock
from functrans._recent import SIGNATURES, keep, recall
from functrans.backend.launch import Launch
from functrans.errors import ArgumentError, TracedValueError, at_user_line
from functrans.tensor.constants import is_traced
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift
from functrans.tensor.variable import Variable
from functrans.trace import (
    ShapeDtype,
    argument_names,
    as_array,
    check_bound,
    check_leaves,
    hand_back,
    leaf_names,
    name_of,
    tracing,
    wants_tensors,
)
from functrans.transforms.out import check_apart, check_out
from functrans.transforms.sparse import late
from functrans.transforms.sparse.prefilled import Prefilled
from functrans.transforms.sparse.problem import Problem
from functrans.transforms.sparse.settings import Settings
from functrans.transforms.sparse.traced import value_dtype

if TYPE_CHECKING:
    from functrans.transforms.sparse.operators import Products
    from functrans.transforms.sparse.plan import Plan

Array = NDArray[Any]


class SparseFunction:
    """A sparse derivative; made by `spjacobian`, `sphessian` and `lagrangian_hessian`.

    It is pickled as what it was made of, if f can be: by its name; what was traced and compiled is not part of it.

    ``J(*args)`` is a SciPy sparse array of shape (size of the result, size of the input), with fresh data and shared,
    read-only int32 indices; a tuple of them where ``argnums`` is a tuple, and ``(J, aux)`` with ``has_aux``. The
    function is traced once for each structure, shapes and dtypes of the arguments, and what it closes over is
    frozen then.

    >>> import numpy as np, functrans as ft
    >>> J = ft.spjacobian(lambda x: x[1:] * x[:-1])
    >>> J(np.array([1.0, 2.0, 3.0])).toarray().tolist()
    [[2.0, 1.0, 0.0], [0.0, 3.0, 2.0]]
    """

    def __init__(
        self, f: Callable[..., Any], argnums: int | tuple[int, ...], has_aux: bool, settings: Settings
    ) -> None:
        self._f, self._has_aux, self._settings = f, has_aux, settings
        self._bare_argnum = isinstance(argnums, int)
        self._single = self._bare_argnum or settings.symmetric
        self._argnums = (argnums,) if isinstance(argnums, int) else argnums
        self.__name__ = f"{settings.what} of {name_of(f)}"
        self._problems: OrderedDict[Hashable, Problem] = OrderedDict()  # those that were used last
        self._lock = ForkLock()
        self._prefilled = Prefilled()
        self._short = self._prefilled.calls
        self._products: OrderedDict[Problem, Products] = OrderedDict()

    def __reduce__(self) -> tuple[Any, ...]:
        argnums = self._argnums[0] if self._bare_argnum else self._argnums
        return SparseFunction, (self._f, argnums, self._has_aux, self._settings)

    def __repr__(self) -> str:
        return f"<{self.__name__}, {len(self._problems)} signature{'s' * (len(self._problems) != 1)} traced>"

    def _repr_html_(self) -> str:
        """The signatures that were traced, for a notebook, and the pattern of the first if it is known."""
        return late.notebook.of_function(self, list(self._problems.values()))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The sparse matrix at the arguments."""
        problem, leaves = self._ready(*self._numbers_known(args, kwargs, "J(...)"), "J(...)")
        if problem.aux:
            found, many = problem.program([as_array(leaf) for leaf in leaves]), len(problem.blocks)
            data, at = found[:many], problem.program.layouts[many:]
            aux = hand_back(found[many:], problem.aux_tree, wants_tensors(leaves), at)
        else:
            data, aux = problem.numbers([as_array(leaf) for leaf in leaves]), problem.no_aux
        matrices = self._bare([p.to_scipy(a) for p, a in zip(problem.patterns, data, strict=True)])
        return (matrices, aux) if self._has_aux else matrices

    def value_and_jacobian(self, *args: Any, out: Any = None, **kwargs: Any) -> tuple[Any, Any]:
        """``(f(*args), J(*args))`` in one call that shares work; with ``has_aux`` ``((f, aux), J)``.

        Elementary functions that both need are computed once. ``out`` is as that of `values`: memory for the nonzeros,
        which the matrix is made of; of a buffer of `empty_values` what varies alone is written.

        >>> import numpy as np, functrans as ft
        >>> J = ft.spjacobian(lambda x: np.exp(x) + 3 * x[::-1])
        >>> x = np.zeros(2)
        >>> value, matrix = J.value_and_jacobian(x, out=J.empty_values(x))
        >>> value.tolist(), matrix.data.tolist()
        ([1.0, 1.0], [1.0, 3.0, 3.0, 1.0])
        """
        what = "J.value_and_jacobian"
        problem, leaves = self._ready(*self._numbers_known(args, kwargs, what), what)
        arrays = [as_array(leaf) for leaf in leaves]
        targets = None
        if out is not None:
            targets = self._targets(problem, out)
            arrays = self._apart(arrays, targets)
        data, found, at = problem.with_results(arrays, targets)
        tensors, split = wants_tensors(leaves), len(problem.aux)
        aux = hand_back(found[:split], problem.aux_tree, tensors, at[:split])
        value = hand_back(found[split:], problem.out_tree, tensors, at[split:])
        matrices = self._bare([p.to_scipy(a) for p, a in zip(problem.patterns, data, strict=True)])
        return ((value, aux) if self._has_aux else value), matrices

    def values(self, *args: Any, out: Any = None, **kwargs: Any) -> Any:
        """The nonzeros alone, 1-D, in the order of ``pattern``: an ordinary function, which vmap, jvp and jit take.

        ``out``, an array of their shape and dtype, is written and returned: in full, or in its varying entries alone
        if it is a buffer of `empty_values`. Aux is not returned.

        Raises ShapeError, DtypeError or ArgumentError where ``out`` does not fit.

        >>> import numpy as np, functrans as ft
        >>> J = ft.spjacobian(lambda x: x * x)
        >>> ft.vmap(J.values)(np.array([[1.0, 2.0], [3.0, 4.0]]))
        array([[2., 4.],
               [6., 8.]])
        """
        write = self._short.get(id(out))
        if write is not None and not kwargs:
            result = write(args, out)
            if result is not NotImplemented:
                return result
        leaves, treedef = tree.flatten((args, kwargs))
        if tracing() or any(map(_traced, leaves)):
            if out is not None:
                raise ArgumentError(f"out= inside a trace: there is no memory to write yet{at_user_line()}")
            problem = self._problem(leaves, treedef)
            nodes = late.inlined.inlined(problem, [lift(leaf) for leaf in leaves])
            return self._bare(list(map(Tensor.from_uop, nodes)))
        problem, _ = self._ready(leaves, treedef, "J.values")
        arrays = [as_array(leaf) for leaf in leaves]
        if out is None:
            data = problem.numbers(arrays)
            return self._bare([Tensor(a) for a in data] if wants_tensors(leaves) else data)
        targets = self._targets(problem, out)
        problem.write(self._apart(arrays, targets), targets)
        if self._single and not kwargs:
            self._shorten(self._prefilled.register(problem, args, out))
        return out

    def _shorten(self, launch: Launch | None) -> None:
        """Let `values` ask for a known buffer before it is called."""
        mine = vars(self)
        if launch is not None and "values" not in mine:
            writer = launch.writer(self._short, self.values)
            if writer is not None:
                mine["values"] = writer

    def empty_values(self, *args: Any, **kwargs: Any) -> Any:
        """A buffer for ``out=`` of `values`: entries that are the same at every point are filled in, the rest is zero.

        >>> import numpy as np, functrans as ft
        >>> J = ft.spjacobian(lambda x: x * x + 3 * x[::-1])
        >>> J.empty_values(np.ones(2))
        array([0., 3., 3., 0.])
        """
        problem = self._problem(*self._numbers_known(args, kwargs, "J.empty_values"))
        self._refuse_captured(problem, "J.empty_values")
        return self._bare(problem.empty())

    def pattern(self, *args: Any, **kwargs: Any) -> Any:
        """The `SparsityPattern` for arguments like these (arrays or ShapeDtype), in the order of `values`.

        It holds at every point. A tuple of patterns where ``argnums`` is a tuple.
        """
        return self._bare(self._problem(*self._numbers_known(args, kwargs, "J.pattern")).patterns)

    def coloring(self, *args: Any, **kwargs: Any) -> Any:
        """The `Coloring` for arguments like these.

        Where ``argnums`` is a tuple, a tuple: the matrices are colored together, their columns side by side.
        """
        return self._bare(self._problem(*self._numbers_known(args, kwargs, "J.coloring")).colorings)

    def linear_operator(self, *args: Any, **kwargs: Any) -> Any:
        """The matrix at the arguments as a SciPy ``LinearOperator``: products by derivatives along directions.

        No matrix is made and no pattern detected: ``A @ v`` is one JVP and ``A.T @ v`` one VJP, each compiled once for
        a signature. With a tuple of argnums the matrices stand side by side. The arguments are copied.

        >>> import numpy as np, functrans as ft
        >>> A = ft.spjacobian(lambda x: x[1:] * x[:-1]).linear_operator(np.array([1.0, 2.0, 3.0]))
        >>> A @ np.ones(3), A.T @ np.ones(2)
        (array([3., 5.]), array([2., 4., 2.]))
        """
        what = "J.linear_operator"
        problem, leaves = self._ready(*self._numbers_known(args, kwargs, what), what)
        products = recall(self._products, problem)
        if products is None:
            products = keep(self._products, problem, late.operators.Products(problem), SIGNATURES)
        return products.operator([as_array(leaf) for leaf in leaves])

    def plan(self, *args: Any, **kwargs: Any) -> Plan:
        """What a call will do and what it costs, before anything is compiled."""
        return late.plan.Plan.of(self._problem(*self._numbers_known(args, kwargs, "J.plan")))

    def _bare(self, items: Sequence[Any]) -> Any:
        return items[0] if self._single else tuple(items)

    def _ready(self, leaves: list[Any], treedef: tree.TreeDef, what: str) -> tuple[Problem, list[Any]]:
        """The problem of a call on numbers, checked against its pattern where that was asked for."""
        for k, leaf in enumerate(leaves):
            if isinstance(leaf, ShapeDtype):
                args, kwargs = treedef.unflatten(leaves)
                name = leaf_names(argument_names(self._f, args), args, kwargs)[k]
                raise ArgumentError(
                    f"argument {name} of {what} is {leaf!r}, which holds no numbers{at_user_line()}; "
                    "J.pattern, J.coloring and J.plan take a ShapeDtype, evaluation takes an array"
                )
        check_bound(leaves, what)
        problem = self._problem(leaves, treedef)
        self._refuse_captured(problem, what)
        if self._settings.check and not problem.probed:
            late.probe.probe(problem, [as_array(leaf) for leaf in leaves])
            problem.probed = True
        return problem, leaves

    def _refuse_captured(self, problem: Problem, what: str) -> None:
        if problem.captures and tracing():
            raise TracedValueError(_traced_text(what, "f closes over a traced value"))

    def _numbers_known(self, args: Any, kwargs: Any, what: str) -> tuple[list[Any], tree.TreeDef]:
        leaves, treedef = tree.flatten((args, kwargs))
        if any(map(_traced, leaves)):
            raise TracedValueError(_traced_text(what, "an argument is traced"))
        return leaves, treedef

    def _problem(self, leaves: Sequence[Any], treedef: tree.TreeDef) -> Problem:
        key = (treedef, tuple(map(_signature, leaves)))
        found = recall(self._problems, key)
        if found is None:
            with self._lock:
                found = self._problems.get(key)
                if found is None:
                    found = keep(self._problems, key, self._traced_problem(leaves, treedef), SIGNATURES)
        return found

    def _traced_problem(self, leaves: Sequence[Any], treedef: tree.TreeDef) -> Problem:
        args, kwargs = treedef.unflatten(leaves)
        name = name_of(self._f)
        check_leaves(leaves, args, kwargs, name, lambda: argument_names(self._f, args), spec=True)
        count = len(args)
        outside = [k for k in self._argnums if not -count <= k < count]
        if outside:
            raise ArgumentError(
                f"argnums {outside[0]} of {self.__name__}: the call has {count} positional arguments{at_user_line()}"
            )
        argnums = tuple(k % count for k in self._argnums)
        if len(set(argnums)) < len(argnums):
            raise ArgumentError(f"argnums {self._argnums} of {self.__name__} names an argument twice{at_user_line()}")
        return Problem(self._f, name, leaves, treedef, argnums, self._has_aux, self._settings)

    @staticmethod
    def _apart(arrays: list[Array], targets: list[Array]) -> list[Array]:
        """The arguments, copied where they lie in memory that is to be written."""
        shared = [any(np.may_share_memory(a, t) for t in targets) for a in arrays]
        return [a.copy() if s else a for a, s in zip(arrays, shared, strict=True)]

    def _targets(self, problem: Problem, out: Any) -> list[Array]:
        targets = [out] if self._single else list(out) if isinstance(out, (tuple, list)) else []
        if len(targets) != len(problem.blocks):
            many = len(problem.blocks)
            raise ArgumentError(f"out: expected a tuple of {many} arrays, got {type(out).__name__}{at_user_line()}")
        paths = ["out"] if self._single else [f"out[{k}]" for k in range(len(targets))]
        for t, p, path in zip(targets, problem.patterns, paths, strict=True):
            check_out(t, (p.nnz,), value_dtype(problem.outputs).numpy, path)
        check_apart(targets, paths)
        return targets


def _traced(leaf: Any) -> bool:
    return isinstance(leaf, Tensor) and is_traced(leaf.uop) and not _is_free(leaf)


def _is_free(leaf: Any) -> bool:
    """Whether the argument is a variable without a value: enough for a pattern, not for numbers."""
    return isinstance(leaf, Variable) and len(leaf.definition.arg) == 3


def _traced_text(what: str, why: str) -> str:
    return (
        f"{what} inside a trace: {why}, and a SciPy matrix or a pattern is no traced value{at_user_line()}; "
        "use J.values(...), the nonzeros as an array, and J.pattern outside of the trace"
    )


def _signature(leaf: Any) -> Hashable:
    if isinstance(leaf, Variable):
        return tuple(leaf.definition.arg[:3])
    if isinstance(leaf, (np.ndarray, np.generic, Tensor, ShapeDtype)):
        return leaf.shape, leaf.dtype
    return (), np.asarray(leaf).dtype if isinstance(leaf, (bool, int, float, complex)) else type(leaf)


def beside(J: SparseFunction, *args: Any) -> tuple[Any, list[Tensor]] | None:
    """In a trace: the nonzeros of J, and the results of its function as vectors, in one graph in which elementary
    functions that both need are one node each; None where there are none.
    """
    leaves, treedef = tree.flatten((args, {}))
    found = late.inlined.beside(J._problem(leaves, treedef), [lift(leaf) for leaf in leaves])
    if found is None:
        return None
    values, results = (list(map(Tensor.from_uop, part)) for part in found)
    return J._bare(values), results
