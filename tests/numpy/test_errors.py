"""What a bad argument raises: a class that code written for NumPy catches.

Every function of functrans.numpy is called with one argument after the other replaced by bad ones. Where NumPy
raises, functrans raises an error of its own that is of NumPy's class too, or refuses by UnsupportedError.
"""

import inspect

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans.errors import FunctransError, UnsupportedError
from functrans.tensor import Tensor
from tests.numpy.cases import quiet

V, W, S = np.array([1.0, 2.0, 3.0]), np.array([0.5, 0.25]), np.array([[4.0, 1.0], [1.0, 3.0]])
A, C, I = np.arange(6.0).reshape(2, 3), np.arange(8.0).reshape(2, 2, 2), np.array([0, 1, 1])  # noqa: E741

BASES = {
    **dict.fromkeys(["matmul", "linalg.matmul"], (S, S)),
    **dict.fromkeys(["moveaxis", "swapaxes"], (A, 0, 1)),
    **dict.fromkeys(["permute_dims", "transpose"], (A, (1, 0))),
    **dict.fromkeys("concat concatenate stack hstack vstack dstack column_stack block lexsort".split(), ([V, V],)),
    **dict.fromkeys("diagonal trace tril triu unstack average rot90 fliplr matrix_transpose".split(), (S,)),
    **dict.fromkeys("geomspace linspace logspace".split(), (1.0, 4.0, 3)),
    **dict.fromkeys("eye identity tri".split(), (3,)),
    **dict.fromkeys("repeat tile array_split".split(), (V, 2)),
    **dict.fromkeys(["partition", "argpartition", "pad", "roll"], (V, 1)),
    **dict.fromkeys("empty ones zeros".split(), ((2,),)),
    **dict.fromkeys(["solve", "lstsq", "tensorsolve"], (S, W)),
    "select": ([V > 1], [V], 0), "where": (V > 1, V, V), "einsum": ("i,i->", V, V), "clip": (V, 1.0, 2.0),
    "tensordot": (V, V, 1), "arange": (0, 3, 1), "full": ((2,), 1.0), "full_like": (V, 1.0), "indices": ((2, 2),),
    "split": (V, 3), "hsplit": (V, 3), "vsplit": (S, 2), "dsplit": (C, 2), "bincount": (I,), "take": (V, I),
    "take_along_axis": (V, I, 0), "broadcast_to": (V, (2, 3)), "broadcast_shapes": ((2,), (1,)),
    "expand_dims": (V, 0), "reshape": (A, (3, 2)), "rollaxis": (A, 1), "squeeze": (A[:1],), "percentile": (V, 50.0),
    "quantile": (V, 0.5), "astype": (V, "float32"), "tensorinv": (S, 1), "multi_dot": ([S, S],),
    "matrix_power": (S, 2), "vector_norm": (V,), "linalg.outer": (V, V), "linalg.tensordot": (A, A),
    "linalg.trace": (S,), "linalg.diagonal": (S,), "linalg.cross": (V, V), "linalg.vecdot": (V, V), "polyval": (V, V),
}  # fmt: skip
ARRAYS = [
    np.ones(0), np.ones(2), np.ones(4), np.ones((3, 3)), np.ones((2, 3)), np.ones((2, 1, 2)), np.ones((2, 3, 4)), np.array(2.0),
    np.array([7, -9, 1]), np.array([True, False, True]), np.ones(3) * 1j, np.ones((2, 2)) * 1j,
]  # fmt: skip
LISTS = [3, [], [V, A], [V, V[:2]], [V, 1.0], [A, C]]
INTEGERS = [-1, -7, 0, 7, 1.5, "nonsense"]
SEVERAL = [(0, 0), (5,), (0, 1)]
SHAPES = [-1, 7, 1.5, "nonsense", (-1,), (2, 2, 2, 2), (1.5,), (-1, -1), np.array([7, -9]), (0, 0), (0,)]
NUMBERS = [-1, -1.5, 7.0, float("nan"), "nonsense", np.ones(2), np.ones((2, 3, 4)), np.ones(3) * 1j, np.ones((2, 1, 2))]
NAMES = ["nonsense", 3]

# NumPy's own class is an accident of how it is written, and no one catches it on purpose
ACCIDENTS = (AttributeError, ZeroDivisionError, OverflowError, MemoryError, KeyError, UnboundLocalError)
LEFT = {
    ("quantile", "a"): "of an empty array an IndexError", ("percentile", "a"): "the same",
    ("tril", "m"): "of a number a TypeError of tri", ("triu", "m"): "the same",
    ("rot90", "axes"): "a text has a length, which is not 2", ("linalg.tensordot", "axes"): "the same",
    ("linalg.tensorsolve", "axes"): "letters of a text are no axes",
    ("vsplit", "indices_or_sections"): "1.5 divides 3, and not 2", ("dsplit", "indices_or_sections"): "the same",
}  # fmt: skip


def functions():
    for prefix, ours, theirs in (("", fnp, np), ("linalg.", fnp.linalg, np.linalg)):
        for name in ours.__all__:
            f, g = getattr(ours, name), getattr(theirs, name, None)
            if inspect.isfunction(f) and g is not None and f is not g:
                yield prefix + name, f, g


def base(name, g):
    short = name.rpartition(".")[2]
    if name in BASES or (short in BASES and not ("." in name and short in ("matmul", "outer"))):
        return BASES.get(name, BASES.get(short))
    if isinstance(g, np.ufunc):
        return (I, I)[: g.nin] if short.startswith(("bitwise", "invert", "left", "right")) else (V, V)[: g.nin]
    two = "inner outer vdot dot kron cross vecdot allclose isclose array_equal append searchsorted divmod meshgrid"
    two += " broadcast_arrays"
    return (V, V) if short in two.split() else (S,) if "." in name else (V,)


def pool(name, given, several):
    if isinstance(given, np.ndarray):
        return ARRAYS
    if isinstance(given, list):
        return LISTS
    if isinstance(given, bool) or name in ("out", "keepdim", "copy", "subok", "optimize", "device", "hermitian"):
        return []
    if name.startswith("ax"):
        return INTEGERS + SEVERAL * several
    if isinstance(given, tuple) or name == "shape":
        return SHAPES
    if isinstance(given, str) or name in ("kind", "order", "mode", "method", "dtype"):
        return NAMES
    if isinstance(given, int):
        return INTEGERS
    if name == "where":
        return [np.ones(3), 1, np.ones(2, bool), np.ones((2, 1), bool), np.ones((2, 3), bool)]
    return NUMBERS


def calls(name, f, g):
    args = base(name, g)
    parameters = [p for p in inspect.signature(f).parameters.values() if p.name != "options"]
    try:
        known = set(inspect.signature(g).parameters)
    except ValueError:
        known = set()
    variadic = parameters and parameters[0].kind is inspect.Parameter.VAR_POSITIONAL
    for k, given in enumerate(args):
        label = parameters[0].name if variadic else parameters[k].name
        for bad in pool(label, given, False):
            yield label, (*args[:k], bad, *args[k + 1 :]), {}
    for p in [] if variadic else parameters[len(args) :]:
        if p.name in known and p.kind not in (p.VAR_KEYWORD, p.VAR_POSITIONAL):
            for bad in pool(p.name, p.default, outcome(f, args, {p.name: (0,)}) is None):
                yield p.name, args, {p.name: bad}


def outcome(function, args, options):
    try:
        result = quiet(function, *args, **options)
        for leaf in result if isinstance(result, (tuple, list)) else [result]:
            leaf.numpy() if isinstance(leaf, Tensor) else None
    except Exception as error:
        return error
    return None


def caught_as(error):
    """The public class that code which expects the error would name."""
    public = {np.exceptions.AxisError, np.linalg.LinAlgError}
    return next(c for c in type(error).__mro__ if c.__module__ == "builtins" or c in public)


CASES = list(functions())


@pytest.mark.parametrize(("name", "f", "g"), CASES, ids=[c[0] for c in CASES])
def test_errors_are_caught_as_those_of_numpy(name, f, g):
    assert outcome(f, base(name, g), {}) is None and outcome(g, base(name, g), {}) is None
    wrong = []
    for label, args, options in calls(name, f, g):
        theirs = outcome(g, args, options)
        if theirs is None or isinstance(theirs, ACCIDENTS) or "truth value" in str(theirs):
            continue
        ours = outcome(f, args, options)
        if ours is None or isinstance(ours, UnsupportedError):
            continue
        same = isinstance(ours, caught_as(theirs)) or (name, label) in LEFT
        if not isinstance(ours, FunctransError) or not same:
            wrong.append(f"{label}: {args} {options}: NumPy {theirs!r}, functrans {ours!r}")
    assert not wrong, "\n".join(wrong)
