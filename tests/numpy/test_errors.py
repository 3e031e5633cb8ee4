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
    **dict.fromkeys("convolve correlate digitize isin".split(), (V, V)),
    "interp": (V, V, V), "piecewise": (V, [V > 1], [1.0, 0.0]),
    "select": ([V > 1], [V], 0), "where": (V > 1, V, V), "einsum": ("i,i->", V, V), "clip": (V, 1.0, 2.0),
    "tensordot": (V, V, 1), "arange": (0, 3, 1), "full": ((2,), 1.0), "full_like": (V, 1.0), "indices": ((2, 2),),
    "split": (V, 3), "hsplit": (V, 3), "vsplit": (S, 2), "dsplit": (C, 2), "bincount": (I,), "take": (V, I),
    "take_along_axis": (V, I, 0), "broadcast_to": (V, (2, 3)), "broadcast_shapes": ((2,), (1,)),
    "expand_dims": (V, 0), "reshape": (A, (3, 2)), "rollaxis": (A, 1), "squeeze": (A[:1],), "percentile": (V, 50.0),
    "quantile": (V, 0.5), "nanpercentile": (V, 50.0), "nanquantile": (V, 0.5),
    "histogram2d": (V, V), "matvec": (S, W), "vecmat": (W, S),
    "astype": (V, "float32"), "tensorinv": (S, 1), "multi_dot": ([S, S],),
    "matrix_power": (S, 2), "vector_norm": (V,), "linalg.outer": (V, V), "linalg.tensordot": (A, A),
    **dict.fromkeys(["gcd", "lcm"], (I, I)),
    **dict.fromkeys("polyadd polysub polymul polydiv array_equiv union1d setdiff1d intersect1d".split(), (V, V)),
    "ldexp": (V, I), "polyfit": (V, V, 1),
    "delete": (V, 1), "insert": (V, 1, V), "resize": (V, (2, 2)), "compress": (I, V), "extract": (V > 1, V),
    "apply_along_axis": (np.sum, 0, V), "apply_over_axes": (np.sum, V, 0),
    "linalg.trace": (S,), "linalg.diagonal": (S,), "linalg.cross": (V, V), "linalg.vecdot": (V, V), "polyval": (V, V),
}  # fmt: skip
ARRAYS = [
    np.ones(0), np.ones(2), np.ones(4), np.ones((3, 3)), np.ones((2, 3)), np.ones((2, 1, 2)), np.ones((2, 3, 4)),
    np.array(2.0),
    np.array([7, -9, 1]), np.array([True, False, True]), np.ones(3) * 1j, np.ones((2, 2)) * 1j,
]  # fmt: skip
LISTS = [3, [], [V, A], [V, V[:2]], [V, 1.0], [A, C]]
INTEGERS = [-1, -7, 0, 7, 1.5]
SEVERAL = [(0, 0), (5,), (0, 1)]
SHAPES = [-1, 7, 1.5, (-1,), (2, 2, 2, 2), (1.5,), (-1, -1), np.array([7, -9]), (0, 0), (0,)]
NUMBERS = [-1, -1.5, 7.0, float("nan"), np.ones(2), np.ones((2, 3, 4)), np.ones(3) * 1j, np.ones((2, 1, 2))]
NAMES = ["nonsense", 3]

# NumPy's own class is an accident of how it is written, and no one catches it on purpose
ACCIDENTS = (AttributeError, ZeroDivisionError, OverflowError, MemoryError, KeyError, UnboundLocalError)
LEFT = {
    ("quantile", "a"): "of an empty array an IndexError", ("percentile", "a"): "the same",
    ("tril", "m"): "of a number a TypeError of tri", ("triu", "m"): "the same",
    ("histogram2d", "x"): "of a number a TypeError of len", ("histogram2d", "y"): "the same",
    ("take", "mode"): "NumPy numbers its modes, too", ("linalg.vector_norm", "axis"): "1.5 counts as 1",
    ("polydiv", "v"): "of a complex matrix a TypeError of an assignment",
    ("indices", "dimensions"): "one integer is a shape here",
    ("vsplit", "indices_or_sections"): "1.5 divides 3, and not 2", ("dsplit", "indices_or_sections"): "the same",
}  # fmt: skip


def functions():
    for prefix, ours, theirs in (("", fnp, np), ("linalg.", fnp.linalg, np.linalg)):
        for name in ours.__all__:
            f, g = getattr(ours, name), getattr(theirs, name, None)
            if inspect.isfunction(f) and g is not None and f is not g and name not in ("can_cast", "result_type"):
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
    if name in ("ord", "p"):
        return NAMES + NUMBERS
    if isinstance(given, int) or name in ("M", "N"):
        return INTEGERS
    if name == "sorter":
        return ARRAYS[:-3]
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


@pytest.mark.parametrize("given", [1.0, "yes", None, [1]])
def test_keepdims_is_a_truth(given):
    several = [(n, f, g) for n, f, g in CASES if "keepdims" in inspect.signature(f).parameters]
    assert len(several) > 30
    for name, f, g in several:
        with pytest.raises(ft.ArgumentError, match="keepdims"):
            f(*base(name, g), keepdims=given)
        assert outcome(f, base(name, g), {"keepdims": np.True_}) is None


KEYS = [
    9, -9, 1.5, "a", (0, 0, 0), (..., ...), [0.5], [[0], [1, 2]], slice(None, None, 0), slice(0.5, None),
    slice("a", None), np.ones(5, bool), np.ones((2, 2), bool), ([0, 1], [0, 1, 2]), [5], np.array([7]), (0, "a"),
    (0, 1.5), np.ones(2) * 1j, (slice(None), [7]), {"a": 1}, (None, 9), np.array(["a"]),
]  # fmt: skip


@pytest.mark.parametrize("key", KEYS, ids=repr)
def test_errors_of_indices_are_caught_as_those_of_numpy(key):
    theirs = outcome(lambda: A[key], (), {})
    for ours in (lambda: Tensor(A)[key], lambda: Tensor(A).at[key].set(0.0)):
        error = outcome(ours, (), {})
        assert isinstance(error, FunctransError) and isinstance(error, caught_as(theirs))


@pytest.mark.parametrize(
    ("call", "kind"),
    [
        (lambda x: np.vsplit(x[0], 1), ValueError),
        (lambda x: np.select([x], [x]), TypeError),
        (lambda x: np.sum(x, where=x), TypeError),
        (lambda x: np.sum(x, where=np.ones((4, 2, 3), bool)), ValueError),
        (lambda x: np.searchsorted(x[0], 1.0, sorter=np.array([0, 0])), ValueError),
        (lambda x: np.average(x, weights=np.ones(2)), TypeError),
        (lambda x: np.average(x, 1, weights=np.ones(2)), ValueError),
        (lambda x: np.take_along_axis(x, x, 0), IndexError),
        (lambda x: np.diff(x, -1), ValueError),
        (lambda x: np.power((x * 1).astype(int), -1), ValueError),
        (lambda x: x.sum(axis=2), np.exceptions.AxisError),
        (lambda x: np.cumsum(x, axis=True), TypeError),
        (lambda x: np.broadcast_to(x[0, 0], (0, -1)).sum(), ValueError),
        (lambda x: np.sort(x, kind="bubble"), ValueError),
        (lambda x: np.linalg.inv(x), np.linalg.LinAlgError),
        (lambda x: np.linalg.norm(x, "none"), ValueError),
        (lambda x: np.zeros_like(x, order="nonsense"), ValueError),
    ],
)
def test_errors_in_a_trace_are_the_same(call, kind):
    with pytest.raises(kind):
        call(A.copy())
    with pytest.raises(kind) as ours:
        ft.jit(call)(A)
    assert isinstance(ours.value, FunctransError)


def test_weights_of_several_axes():
    x, w = Tensor(C), np.array([[1.0, 2.0], [3.0, 5.0]])
    for axes in ((0, 1), (2, 0), (1, 2), (0, 2)):
        np.testing.assert_allclose(np.average(x, axes, w).numpy(), np.average(C, axes, w))
