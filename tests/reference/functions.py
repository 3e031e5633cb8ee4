"""Functions of one or two arrays, written for any NumPy-like namespace, and the points they are compared at.

``n`` is the namespace (``jax.numpy`` or ``functrans.numpy``), ``t`` the transforms (``jax`` or ``functrans``), ``s``
the special functions. Points are irregular but made by a formula, so that both sides have the same.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

LANES = 3
PATH = Path(__file__).with_name("values.npz")
GOLDEN = (5**0.5 - 1) / 2


class Case(NamedTuple):
    """A function ``f(n, t, s, *args)``, the shapes of its arguments and the interval their elements lie in."""

    f: Callable[..., Any]
    shapes: tuple[tuple[int, ...], ...] = ((2, 3),)
    low: float = -1.5
    high: float = 1.5

    def arguments(self, lanes: tuple[int, ...] = ()) -> list[Any]:
        """Arrays without equal elements; another batch has other elements."""
        return [self._filled(k, (*lanes, *shape)) for k, shape in enumerate(self.shapes)]

    def _filled(self, k: int, shape: tuple[int, ...]) -> Any:
        places = 0.23 + 0.37 * k + 0.11 * len(shape) + GOLDEN * np.arange(1, int(np.prod(shape)) + 1)
        return (self.low + (self.high - self.low) * (0.05 + 0.9 * (places % 1.0))).reshape(shape)


def direction(shape: tuple[int, ...], start: float = 1.0) -> Any:
    """A tangent or cotangent."""
    return np.cos(start + np.arange(int(np.prod(shape)))).reshape(shape)


W = direction((3, 4), 0.3)
A = direction((3, 3), 0.7) + 3 * np.eye(3)
ROWS = np.array([1, 0, 1, 1])
POSITIVE: dict[str, Any] = {"low": 0.2, "high": 2.5}
UNIT: dict[str, Any] = {"low": -0.95, "high": 0.95}
VECTOR: dict[str, Any] = {"shapes": ((4,),)}
SQUARE: dict[str, Any] = {"shapes": ((3, 3),)}
TWO: dict[str, Any] = {"shapes": ((2, 3), (2, 3))}
SCALARS: dict[str, Any] = {"shapes": ((), ())}


def unary(name: str, **where: Any) -> Case:
    return Case(lambda n, t, s, x: getattr(n, name)(x), **where)


def binary(name: str, **where: Any) -> Case:
    return Case(lambda n, t, s, x, y: getattr(n, name)(x, y), **{**TWO, **where})


def special(name: str, **where: Any) -> Case:
    return Case(lambda n, t, s, x: getattr(s, name)(x), **where)


ELEMENTWISE = {
    **{name: unary(name) for name in (
        "sin cos tan arctan sinh cosh tanh arcsinh exp exp2 expm1 square abs sign floor ceil trunc rint negative "
        "positive sinc deg2rad rad2deg cbrt nan_to_num fabs real conj").split()},
    **{name: unary(name, **POSITIVE) for name in "log log2 log10 log1p sqrt reciprocal".split()},
    **{name: unary(name, **UNIT) for name in "arcsin arccos arctanh".split()},
    "arccosh": unary("arccosh", low=1.1, high=3.0),
    **{name: binary(name) for name in (
        "add subtract multiply divide maximum minimum fmax fmin arctan2 hypot logaddexp logaddexp2 copysign heaviside "
        "remainder fmod float_power").split() if name != "float_power"},
    "power": binary("power", **POSITIVE), "float_power": binary("float_power", **POSITIVE),
    **{name: special(name) for name in ("erf", "erfc", "expit", "ndtr")},
    "gammaln": special("gammaln", low=0.5, high=4.0),
    "digamma": special("digamma", low=0.5, high=4.0),
    "zeta": Case(lambda n, t, s, x: s.zeta(2.5, x), low=0.5, high=4.0),
    "x**3": Case(lambda n, t, s, x: x**3), "x**0": Case(lambda n, t, s, x: x**0),
    "x**-1.5": Case(lambda n, t, s, x: x**-1.5, **POSITIVE), "2**x": Case(lambda n, t, s, x: 2.0**x),
    "1/x": Case(lambda n, t, s, x: 1.0 / x, **POSITIVE), "clip": Case(lambda n, t, s, x: n.clip(x, -0.7, 0.8)),
    "where": Case(lambda n, t, s, x: n.where(x > 0.1, n.sin(x), x * x)),
    "where of root": Case(lambda n, t, s, x: n.where(x > 0, n.sqrt(n.abs(x)), -x)),
    "select": Case(lambda n, t, s, x: n.select([x < -0.5, x < 0.5], [x, x * x], n.exp(x))),
    "polyval": Case(lambda n, t, s, x: n.polyval(np.array([1.0, -2.0, 0.5, 3.0]), x)),
    "broadcast": Case(lambda n, t, s, x, y: n.sin(x) * y + x / (3.0 + y), ((2, 1), (3,))),
    "mixed scalar": Case(lambda n, t, s, x, y: x * n.exp(y) - y / x, low=0.3, **SCALARS),
    "float32 inside": Case(lambda n, t, s, x: (x.astype(np.float32) * 0 + 1).astype(np.float64) * n.sin(x)),
    "complex inside": Case(lambda n, t, s, x: n.real(n.exp(x * (1.0 + 0.5j)) * (2.0 - 1.0j))),
    "complex modulus": Case(lambda n, t, s, x, y: n.abs(x + 1j * y), **TWO),
    "imaginary part": Case(lambda n, t, s, x, y: n.imag((x + 1j * y) ** 3), **TWO),
}  # fmt: skip

REDUCTIONS = {
    **{name: unary(name) for name in "sum mean prod max min var std ptp median cumsum cumprod nansum nanmean".split()},
    "sum of an axis": Case(lambda n, t, s, x: n.sum(x * x, axis=1)),
    "keepdims": Case(lambda n, t, s, x: x / n.sum(n.exp(x), axis=0, keepdims=True)),
    "max of an axis": Case(lambda n, t, s, x: n.max(x, axis=(0, 2)), ((2, 3, 2),)),
    "prod of an axis": Case(lambda n, t, s, x: n.prod(x, axis=0)),
    "var with ddof": Case(lambda n, t, s, x: n.var(x, axis=1, ddof=1)),
    "std of an axis": Case(lambda n, t, s, x: n.std(x, axis=0)),
    "average": Case(lambda n, t, s, x: n.average(x, axis=1, weights=np.array([0.2, 0.5, 0.3]))),
    "quantile": Case(lambda n, t, s, x: n.quantile(x, 0.3, axis=1)),
    "cumsum of an axis": Case(lambda n, t, s, x: n.cumsum(n.sin(x), axis=0)),
    "cumprod of an axis": Case(lambda n, t, s, x: n.cumprod(x, axis=1)),
    "logsumexp": Case(lambda n, t, s, x: n.log(n.sum(n.exp(x - n.max(x)))) + n.max(x)),
    "softmax": Case(lambda n, t, s, x: n.exp(x) / n.sum(n.exp(x), axis=-1, keepdims=True)),
    "norm": Case(lambda n, t, s, x: n.sqrt(n.sum(x * x))),
    "trapezoid": Case(lambda n, t, s, x: n.trapezoid(x, dx=0.5)),
    "sort": Case(lambda n, t, s, x: n.sort(x, axis=1)),
    "sort by another": Case(lambda n, t, s, x, y: n.take_along_axis(y, n.argsort(x, axis=0), 0) * x, **TWO),
    "masked sum": Case(lambda n, t, s, x: n.sum(x * x, where=np.array([True, False, True]))),
}  # fmt: skip

CONTRACTIONS = {
    "dot": binary("dot", shapes=((4,), (4,))), "vdot": binary("vdot", shapes=((4,), (4,))),
    "matmul": binary("matmul", shapes=((2, 3), (3, 2))), "matvec": binary("matmul", shapes=((2, 3), (3,))),
    "batched matmul": binary("matmul", shapes=((2, 2, 3), (3, 2))), "outer": binary("outer", shapes=((2,), (3,))),
    "inner": binary("inner", shapes=((2, 3), (2, 3))), "kron": binary("kron", shapes=((2, 2), (2,))),
    "cross": binary("cross", shapes=((2, 3), (3,))),
    "tensordot": Case(lambda n, t, s, x, y: n.tensordot(x, y, axes=([1], [0])), ((2, 3), (3, 2))),
    "einsum": Case(lambda n, t, s, x, y: n.einsum("ij,kj->ik", x, y), **TWO),
    "einsum of a diagonal": Case(lambda n, t, s, x: n.einsum("ii->i", x) ** 2, **SQUARE),
    "einsum of three": Case(lambda n, t, s, x, y: n.einsum("ij,jk,ik->", x, W[:, :3], y), **TWO),
    "quadratic form": Case(lambda n, t, s, x: x @ A @ x, ((3,),)),
    "trace": Case(lambda n, t, s, x: n.trace(x @ x), **SQUARE),
    "power of a matrix": Case(lambda n, t, s, x: x @ x @ x, **SQUARE),
}  # fmt: skip

LINALG = {
    "solve": Case(lambda n, t, s, x, y: n.linalg.solve(x + 4 * np.eye(3), y), ((3, 3), (3,))),
    "solve by columns": Case(lambda n, t, s, x: n.linalg.solve(x.T @ x + A, x.T), ((2, 3),)),
    "inverse": Case(lambda n, t, s, x: n.linalg.inv(x + 4 * np.eye(3)), **SQUARE),
    "determinant": Case(lambda n, t, s, x: n.linalg.det(x), **SQUARE),
    "log determinant": Case(lambda n, t, s, x: n.linalg.slogdet(x @ x.T + np.eye(3))[1], **SQUARE),
    "cholesky": Case(lambda n, t, s, x: n.linalg.cholesky(x @ x.T + 2 * np.eye(2))),
    "stacked solve": Case(lambda n, t, s, x: n.linalg.solve(x + 4 * np.eye(2), np.ones((3, 2, 1))), ((3, 2, 2),)),
    "qr": Case(lambda n, t, s, x: n.concatenate(tuple(n.linalg.qr(x + 3 * np.eye(3, 2)))), ((3, 2),)),
    "pseudo-inverse": Case(lambda n, t, s, x: n.linalg.pinv(x + 3 * np.eye(3, 2)), ((3, 2),)),
    "least squares": Case(lambda n, t, s, x, y: n.linalg.lstsq(x + 3 * np.eye(4, 2), y)[0], ((4, 2), (4,))),
    "shortest solution": Case(lambda n, t, s, x, y: n.linalg.lstsq(x + 3 * np.eye(2, 3), y)[0], ((2, 3), (2, 2))),
    "eigenvalues": Case(lambda n, t, s, x: n.linalg.eigvalsh(x @ x.T + np.diag([1.0, 4.0, 9.0])), **SQUARE),
    "eigenvectors": Case(lambda n, t, s, x: n.linalg.eigh(x @ x.T + np.diag([1.0, 4.0, 9.0]))[1] ** 2, **SQUARE),
    "singular values": Case(lambda n, t, s, x: n.linalg.svd(x + 3 * np.eye(2, 3), compute_uv=False)),
    "right singular vectors": Case(
        lambda n, t, s, x: n.linalg.svd(x + np.eye(3, 2) * [2.0, 5.0], full_matrices=False)[2] ** 2, ((3, 2),)
    ),
    "frobenius": Case(lambda n, t, s, x: n.linalg.norm(x)), "length": Case(lambda n, t, s, x: n.linalg.norm(x, axis=1)),
    "one norm": Case(lambda n, t, s, x: n.linalg.norm(x, ord=1, axis=0)),
    "matrix power": Case(lambda n, t, s, x: n.linalg.matrix_power(x, 3), **SQUARE),
    "chain of matrices": Case(lambda n, t, s, x, y: n.linalg.multi_dot([x, W, y]), ((2, 3), (4, 2))),
}  # fmt: skip

MOVEMENT = {
    "reshape": Case(lambda n, t, s, x: n.sin(x).reshape(3, 2)), "ravel": unary("ravel"),
    "transpose": Case(lambda n, t, s, x: n.transpose(x * x, (2, 0, 1)), ((2, 3, 2),)),
    "swapaxes": Case(lambda n, t, s, x: n.swapaxes(x, 0, 1) * 2),
    "moveaxis": Case(lambda n, t, s, x: n.moveaxis(x, 0, 1)),
    "flip": Case(lambda n, t, s, x: n.flip(x, 1) * x), "roll": Case(lambda n, t, s, x: n.roll(x, 1, axis=1) * x),
    "rot90": unary("rot90"), "tile": Case(lambda n, t, s, x: n.tile(n.exp(x), (2, 1))),
    "repeat": Case(lambda n, t, s, x: n.repeat(x, 2, axis=0)),
    "pad": Case(lambda n, t, s, x: n.pad(x, ((1, 0), (0, 2)))),
    "edge": Case(lambda n, t, s, x: n.pad(x, 1, mode="edge")),
    "concatenate": Case(lambda n, t, s, x, y: n.concatenate([x, y, x * y], axis=0), **TWO),
    "stack": Case(lambda n, t, s, x, y: n.stack([x, n.sin(y)], axis=1), **TWO),
    "hstack": Case(lambda n, t, s, x, y: n.hstack([x, y]), **TWO),
    "vstack": Case(lambda n, t, s, x: n.vstack([x, 2 * x])),
    "split": Case(lambda n, t, s, x: n.split(x, 3, axis=1)[1] * x[:, :1]), "triu": unary("triu", **SQUARE),
    "tril": unary("tril", **SQUARE), "diag": unary("diag", **VECTOR), "diagonal": unary("diagonal", **SQUARE),
    "diff": unary("diff"), "second difference": Case(lambda n, t, s, x: n.diff(x, n=2), **VECTOR),
    "slice": Case(lambda n, t, s, x: x[::-1, 1:] * x[:, :-1]), "gather": Case(lambda n, t, s, x: n.sin(x)[ROWS]),
    "gather by two": Case(lambda n, t, s, x: x[ROWS, np.array([0, 2, 2, 1])] ** 2),
    "take": Case(lambda n, t, s, x: n.take(x, np.array([2, 0, 2]), axis=1)),
    "at set": Case(lambda n, t, s, x, y: x.at[1].set(y[0] * x[0]), **TWO),
    "at add": Case(lambda n, t, s, x, y: (x * x).at[ROWS].add(y), ((2, 3), (4, 3))),
    "at multiply": Case(lambda n, t, s, x: x.at[:, 1].multiply(n.array([2.0, -3.0]))),
    "at max": Case(lambda n, t, s, x, y: x.at[0].max(y[1]), **TWO),
    "broadcast_to": Case(lambda n, t, s, x: n.broadcast_to(x, (2, 2, 3)) * direction((2, 2, 3))),
    "vander": Case(lambda n, t, s, x: n.vander(x, 3), **VECTOR),
}  # fmt: skip


def loop(n: Any, t: Any, s: Any, x: Any) -> Any:
    for k in range(5):
        x = n.sin(x) + 0.3 * x * n.roll(x, k)
    return x


def kepler(n: Any, t: Any, s: Any, e: Any, m: Any) -> Any:
    a = m
    for _ in range(4):
        a = a - (a - 0.4 * n.tanh(e) * n.sin(a) - m) / (1.0 - 0.4 * n.tanh(e) * n.cos(a))
    return a


def mlp(n: Any, t: Any, s: Any, x: Any, b: Any) -> Any:
    hidden = n.tanh(x @ W + b)
    return n.sum(hidden @ W.T, axis=0)


def layernorm(n: Any, t: Any, s: Any, x: Any) -> Any:
    centered = x - n.mean(x, axis=-1, keepdims=True)
    return centered / n.sqrt(n.mean(centered**2, axis=-1, keepdims=True) + 1e-3)


def attention(n: Any, t: Any, s: Any, q: Any, k: Any) -> Any:
    scores = q @ k.T / 1.7
    e = n.exp(scores - n.max(scores, axis=-1, keepdims=True))
    return (e / n.sum(e, axis=-1, keepdims=True)) @ k


def runge_kutta(n: Any, t: Any, s: Any, y: Any) -> Any:
    def slope(y: Any) -> Any:
        return n.stack([y[1], 0.7 * (1 - y[0] ** 2) * y[1] - y[0]])

    for _ in range(2):
        a = slope(y)
        b = slope(y + 0.05 * a)
        c = slope(y + 0.05 * b)
        y = y + 0.1 / 6 * (a + 2 * b + 2 * c + slope(y + 0.1 * c))
    return y


def power_flow(n: Any, t: Any, s: Any, v: Any, d: Any) -> Any:
    z = v * n.exp(1j * d)
    current = (A + 0.5j * A.T) @ z
    power = z * n.conj(current)
    return n.concatenate([n.real(power), n.imag(power)])


def rosenbrock(n: Any, t: Any, s: Any, x: Any) -> Any:
    return n.sum(100.0 * (x[1:] - x[:-1] ** 2) ** 2 + (1.0 - x[:-1]) ** 2)


def recursion(n: Any, t: Any, s: Any, x: Any) -> Any:
    a, b = n.ones_like(x), x
    for _ in range(4):
        a, b = b, 2 * x * b - a
    return b


def likelihood(n: Any, t: Any, s: Any, x: Any, m: Any) -> Any:
    z = (x - m) @ np.linalg.inv(A)
    return -0.5 * n.sum(z * z) - n.log(2 * np.pi)


def entropy(n: Any, t: Any, s: Any, x: Any) -> Any:
    logp = x - n.log(n.sum(n.exp(x), axis=1, keepdims=True))
    return -n.mean(logp[np.arange(2), np.array([2, 0])])


def stencil(n: Any, t: Any, s: Any, u: Any) -> Any:
    p = n.pad(u, 1)
    return u + 0.1 * (p[2:, 1:-1] + p[:-2, 1:-1] + p[1:-1, 2:] + p[1:-1, :-2] - 4 * u) * u


PROGRAMS = {
    "loop": Case(loop, ((4,),)), "kepler": Case(kepler, **SCALARS), "mlp": Case(mlp, ((2, 3), (4,))),
    "layernorm": Case(layernorm), "attention": Case(attention, **TWO), "runge kutta": Case(runge_kutta, ((2,),)),
    "power flow": Case(power_flow, ((3,), (3,)), 0.5, 1.5), "rosenbrock": Case(rosenbrock, **VECTOR),
    "chebyshev": Case(recursion), "likelihood": Case(likelihood, ((2, 3), (3,))), "cross entropy": Case(entropy),
    "stencil": Case(stencil, **SQUARE),
    "huber": Case(lambda n, t, s, x: n.sum(n.where(n.abs(x) < 1, 0.5 * x * x, n.abs(x) - 0.5))),
    "convolution": Case(lambda n, t, s, x, k: n.stack([n.sum(x[i : i + 2] * k) for i in range(3)]), ((4,), (2,))),
    "inner vmap": Case(lambda n, t, s, x, y: t.vmap(lambda r: n.sin(r) * y + n.sum(r))(x), ((2, 3), (3,))),
    "inner vmap, captured": Case(
        lambda n, t, s, x, y: t.vmap(lambda r: t.vmap(lambda e: n.tanh(e * r[0]) * n.sum(y))(r))(x), **TWO),
    "inner grad": Case(lambda n, t, s, x: t.grad(lambda z: n.sum(n.sin(z) * z * x))(x)),
    "inner jvp": Case(lambda n, t, s, x, y: t.jvp(lambda z: n.exp(z) * x, (y,), (x,))[1], **TWO),
    "inner jacobian": Case(lambda n, t, s, x: t.jacrev(lambda z: n.cumsum(z * z * x))(x), ((3,),)),
    "grad in a map": Case(lambda n, t, s, x, y: t.vmap(t.grad(lambda r: n.prod(n.cos(r * y))))(x), ((2, 3), (3,))),
}  # fmt: skip

CASES: dict[str, Case] = ELEMENTWISE | REDUCTIONS | CONTRACTIONS | LINALG | MOVEMENT | PROGRAMS


def derivatives(case: Case, n: Any, t: Any, s: Any) -> dict[str, Callable[[Any, Any], Any]]:
    """Functions of ``(arguments, batch)``, by name; the same text runs on both sides."""
    numbers = tuple(range(len(case.shapes)))
    tangents = tuple(direction(shape, 2.0) for shape in case.shapes)

    def f(*args: Any) -> Any:
        return case.f(n, t, s, *args)

    def pushed(*args: Any) -> Any:
        return t.jvp(f, args, tangents)[1]

    def pulled(*args: Any) -> Any:
        value, pullback = t.vjp(f, *args)
        return pullback(direction(value.shape))

    def scalar(*args: Any) -> Any:
        value = f(*args)
        return n.sum(value * direction(value.shape))

    def through(*args: Any) -> Any:
        value, pullback = t.vjp(t.vmap(f), *args)
        return pullback(direction(value.shape))

    def along(*args: Any) -> Any:
        return t.jvp(t.vmap(f), args, tuple(direction((LANES, *shape), 2.0) for shape in case.shapes))[1]

    return {
        "value": lambda a, b: f(*map(n.asarray, a)),
        "jvp": lambda a, b: pushed(*a),
        "vjp": lambda a, b: pulled(*a),
        "jacobian": lambda a, b: t.jacrev(f, numbers)(*a),
        "hessian": lambda a, b: t.hessian(scalar, numbers)(*a),
        "map": lambda a, b: t.vmap(f)(*b),
        "map of jvp": lambda a, b: t.vmap(pushed)(*b),
        "jvp of map": lambda a, b: along(*b),
        "map of vjp": lambda a, b: t.vmap(pulled)(*b),
        "vjp of map": lambda a, b: through(*b),
        "map of jacobian": lambda a, b: t.vmap(t.jacfwd(f, numbers))(*b),
    }


def alternatives(case: Case, n: Any, t: Any, s: Any) -> dict[str, tuple[str, Callable[[Any, Any], Any]]]:
    """Other ways to the same values: the name of the way, the name of what it must equal, the function."""
    numbers = tuple(range(len(case.shapes)))
    tangents = tuple(direction(shape, 2.0) for shape in case.shapes)

    def f(*args: Any) -> Any:
        return case.f(n, t, s, *args)

    def scalar(*args: Any) -> Any:
        value = f(*args)
        return n.sum(value * direction(value.shape))

    def moved(b: Any, axis: int) -> Any:
        return [n.moveaxis(x, 0, min(axis, x.ndim - 1)) for x in b]

    def at(axis: int) -> Any:
        places = tuple(min(axis, len(shape)) for shape in case.shapes)
        return lambda a, b: t.vmap(f, in_axes=places)(*moved(b, axis))

    def of_map(a: Any, b: Any) -> Any:
        whole = t.jacrev(t.vmap(f), numbers)(*b)
        return [_lanes(n, j, j.ndim - 1 - len(shape)) for j, shape in zip(whole, case.shapes, strict=True)]

    ways: dict[str, tuple[str, Callable[[Any, Any], Any]]] = {
        "linearize": ("jvp", lambda a, b: t.linearize(f, *a)[1](*tangents)),
        "grad": ("vjp", lambda a, b: t.grad(scalar, numbers)(*a)),
        "jacfwd": ("jacobian", lambda a, b: t.jacfwd(f, numbers)(*a)),
        "reverse over reverse": ("hessian", lambda a, b: t.jacrev(t.jacrev(scalar, numbers), numbers)(*a)),
        "reverse over forward": ("hessian", lambda a, b: t.jacrev(t.jacfwd(scalar, numbers), numbers)(*a)),
        "jacobian of map": ("map of jacobian", of_map),
    }
    for axis in range(1, 1 + max(len(shape) for shape in case.shapes)):
        ways[f"map over axis {axis}"] = ("map", at(axis))
    return ways


def _lanes(n: Any, jacobian: Any, axis: int) -> Any:
    """Of the Jacobian of a map by a whole batch the blocks of each lane by itself; ``axis`` is the batch's."""
    return n.stack([n.take(jacobian[k], k, axis=axis - 1) for k in range(LANES)])
