"""Curated programs whose kernels and C are promises: a function, its arguments, how many kernels it takes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np

import functrans as ft
import functrans.numpy as fnp


class Case(NamedTuple):
    """A program: ``function(*args)`` is what is lowered; ``plain(*args)`` is the same by a loop over NumPy."""

    function: Callable[..., Any]
    plain: Callable[..., Any]
    args: tuple[Any, ...]
    kernels: int = 1
    launches: int = 1


def _lanes(*shape: int) -> np.ndarray:
    return np.random.default_rng(len(shape)).uniform(-1.0, 1.0, shape)


def looped(f: Callable[..., Any]) -> Callable[..., Any]:
    """The map over axis 0 as a Python loop."""
    return lambda *args: np.stack([np.asarray(f(*row)) for row in zip(*args, strict=True)])


def softmax(x: Any) -> Any:
    e = np.exp(x - x.max())
    return e / e.sum()


def logsumexp(x: Any) -> Any:
    return x.max() + np.log(np.exp(x - x.max()).sum())


def layernorm(x: Any) -> Any:
    centred = x - x.mean()
    return centred / np.sqrt((centred * centred).mean() + 1e-5)


def body(x: Any) -> Any:
    return np.sin(x) * np.exp(-x * x) + np.sqrt(x * x + 1.0)


def lorenz(s: Any) -> Any:
    np_stack = fnp.stack if isinstance(s, ft.Tensor) else np.stack
    return np_stack([10.0 * (s[1] - s[0]), s[0] * (28.0 - s[2]) - s[1], s[0] * s[1] - 8.0 / 3.0 * s[2]])


def runge_kutta(s: Any) -> Any:
    h = 0.01
    k1 = lorenz(s)
    k2 = lorenz(s + h / 2 * k1)
    k3 = lorenz(s + h / 2 * k2)
    k4 = lorenz(s + h * k3)
    return s + h / 6 * (k1 + 2 * k2 + 2 * k3 + k4)


def bicycle(z: Any) -> Any:
    """One step of Runge and Kutta of the kinematic bicycle: place, angle, speed; acceleration, wheel."""
    np_stack = fnp.stack if isinstance(z, ft.Tensor) else np.stack
    x, y, angle, speed, pedal, wheel = (z[k] for k in range(6))
    turn, h = np.tan(wheel) / 2.5, 0.05

    def slope(angle: Any, speed: Any) -> tuple[Any, Any, Any]:
        return speed * np.cos(angle), speed * np.sin(angle), speed * turn

    a = slope(angle, speed)
    b = slope(angle + h / 2 * a[2], speed + h / 2 * pedal)
    c = slope(angle + h / 2 * b[2], speed + h / 2 * pedal)
    d = slope(angle + h * c[2], speed + h * pedal)
    moved = [h / 6 * (a[k] + 2 * (b[k] + c[k]) + d[k]) for k in range(3)]
    return np_stack([x + moved[0], y + moved[1], angle + moved[2], speed + h * pedal])


def four_steps(s: Any) -> Any:
    for _ in range(4):
        s = runge_kutta(s)
    return s


def outer_contracted(x: Any) -> Any:
    return np.outer(x, x).sum(axis=0) @ x


MATRIX = np.arange(12.0).reshape(3, 4)
PLACES = np.array([2, 0, 2, 1])


def matrix_vector(x: Any) -> Any:
    return MATRIX @ x


WEIGHTS = np.sin(np.arange(120.0)).reshape(12, 10)


def layer(x: Any) -> Any:
    """A contraction over the map: the rows of its tiles are the lanes."""
    return np.tanh(WEIGHTS @ x)


def product(x: Any, y: Any, z: Any) -> Any:
    return np.maximum(x @ y + z, 0.0)


def stacked_sums(x: Any) -> Any:
    """The multi-consumer case of the original's bug: sums, stacked, then picked by index."""
    np_stack = fnp.stack if isinstance(x, ft.Tensor) else np.stack
    z = np_stack([x[:2].sum(), x[2:].sum()])
    return z[[0, 1]]


def jvps_reindexed(x: Any) -> Any:
    """Three directional derivatives, stacked, flattened, and picked element by element."""
    if not isinstance(x, ft.Tensor):
        return np.array([2 * x[0], 2 * x[1], 2 * x[2], np.cos(x[0]) * x[1], np.sin(x[0])])

    def f(x: Any) -> Any:
        return fnp.concatenate([x * x, (np.sin(x[0]) * x[1]).reshape(1)])

    columns = [ft.jvp(f, (x,), (np.eye(3)[k],))[1] for k in range(3)]
    flat = fnp.stack(columns).flatten()
    return fnp.stack([flat[i] for i in (0, 5, 10, 3, 7)])


def waves(x: Any) -> Any:
    """A chain of functions: calls of rows, from a table."""
    y = x[0]
    for k in range(5):
        y = np.exp(-np.sin(y + 0.25 * k) * x[1]) * x[2]
    return y


def two_results(x: Any) -> Any:
    return np.sin(x).sum(), np.cos(x)


def scattered(x: Any) -> Any:
    return np.bincount(PLACES, weights=x, minlength=3)


def pairwise(x: Any, y: Any) -> Any:
    d = x - y
    return np.exp(-(d * d).sum())


def accelerations(x: Any) -> Any:
    """Gravity among points: three sums over all bodies for each of them."""

    def of_one(body: Any) -> Any:
        d = x - body
        inverse = 1.0 / np.sqrt(np.sum(d * d, axis=1) + 1e-2)
        return np.sum(d * (inverse**3)[:, None], axis=0)

    return ft.vmap(of_one)(x)


def plain_accelerations(x: Any) -> Any:
    d = x[None] - x[:, None]
    return (d * ((d * d).sum(2) + 1e-2)[..., None] ** -1.5).sum(1)


X, Y = _lanes(5, 4), _lanes(6, 4)
ROWS = _lanes(3, 64)

CASES: dict[str, Case] = {
    "elementwise": Case(ft.vmap(body), looped(body), (X,)),
    "softmax": Case(ft.vmap(softmax), looped(softmax), (ROWS,)),
    "rows_with_a_rest": Case(ft.vmap(softmax), looped(softmax), (_lanes(5, 45),)),
    "layernorm": Case(ft.vmap(layernorm), looped(layernorm), (ROWS,)),
    "runge_kutta": Case(ft.vmap(runge_kutta), looped(runge_kutta), (_lanes(7, 3),)),
    "four_steps": Case(ft.vmap(four_steps), looped(four_steps), (_lanes(7, 3),)),
    "bicycle": Case(ft.vmap(bicycle), looped(bicycle), (_lanes(7, 6),)),
    "outer_contracted": Case(ft.vmap(outer_contracted), looped(outer_contracted), (X,)),
    "matrix_vector": Case(ft.vmap(matrix_vector), looped(matrix_vector), (X,)),
    "stacked_sums": Case(ft.vmap(stacked_sums), looped(stacked_sums), (X,)),
    "jvps_reindexed": Case(ft.vmap(jvps_reindexed), looped(jvps_reindexed), (_lanes(10, 3),)),
    "waves": Case(ft.vmap(waves), looped(waves), (_lanes(10, 3),)),
    "two_results": Case(ft.vmap(two_results), lambda x: (np.sin(x).sum(1), np.cos(x)), (X,)),
    "scatter_add": Case(ft.vmap(scattered), looped(scattered), (X,)),
    "in_axis_last": Case(ft.vmap(softmax, in_axes=1), lambda x: looped(softmax)(x.T), (ROWS.T.copy(),)),
    "out_axis_last": Case(ft.vmap(body, out_axis=1), lambda x: looped(body)(x).T, (X,)),
    "layer": Case(ft.vmap(layer), looped(layer), (_lanes(5, 10),), kernels=2),
    "product": Case(product, product, (_lanes(9, 12), _lanes(12, 10), _lanes(10))),
    "pairwise": Case(
        ft.vmap(ft.vmap(pairwise, in_axes=(None, 0)), in_axes=(0, None)),
        lambda x, y: np.exp(-((x[:, None] - y[None]) ** 2).sum(-1)), (X, Y),
    ),
    "accelerations": Case(accelerations, plain_accelerations, (_lanes(48, 3),)),
    "logsumexp": Case(ft.vmap(logsumexp), looped(logsumexp), (ROWS,)),
    "jvp_of_softmax": Case(
        ft.vmap(lambda x, t: ft.jvp(softmax, (x,), (t,))),
        lambda x, t: (looped(softmax)(x), looped(lambda x, t: softmax(x) * (t - softmax(x) @ t))(x, t)), (ROWS, ROWS),
    ),
    "gather": Case(ft.vmap(lambda x: x[PLACES] * 2.0), lambda x: x[:, PLACES] * 2.0, (X,)),
    "strided": Case(ft.vmap(lambda x: x[::-2] + 1.0), lambda x: x[:, ::-2] + 1.0, (X,)),
    "cumsum": Case(ft.vmap(lambda x: np.cumsum(x)), lambda x: np.cumsum(x, axis=1), (X,)),
    "concatenate": Case(
        ft.vmap(lambda x: np.concatenate([x[1:], 2.0 * x])), lambda x: np.concatenate([x[:, 1:], 2.0 * x], 1), (X,)),
    "after_the_map": Case(lambda x: ft.vmap(body)(x).T * 2.0, lambda x: looped(body)(x).T * 2.0, (X,)),
    "sum_over_the_map": Case(
        lambda x: ft.vmap(softmax)(x).sum(0), lambda x: looped(softmax)(x).sum(0), (ROWS,), kernels=2),
    "elementwise_outer": Case(ft.vmap(body, axis_type="outer"), looped(body), (X,), launches=5),
    "softmax_outer": Case(ft.vmap(softmax, axis_type="outer"), looped(softmax), (ROWS,), launches=3),
    "loop_in_outer": Case(
        ft.vmap(ft.vmap(pairwise, in_axes=(None, 0)), in_axes=(0, None), axis_type="outer"),
        lambda x, y: np.exp(-((x[:, None] - y[None]) ** 2).sum(-1)), (X, Y), launches=5,
    ),
    "outer_in_loop": Case(
        ft.vmap(ft.vmap(pairwise, in_axes=(None, 0), axis_type="outer"), in_axes=(0, None)),
        lambda x, y: np.exp(-((x[:, None] - y[None]) ** 2).sum(-1)), (X, Y), launches=6,
    ),
}  # fmt: skip
# a text of a map, its body, its arguments: all methods give that text
ONE_TEXT: dict[str, tuple[Callable[..., Any], Any, str]] = {
    "elementwise": (body, 0, "loop"), "softmax": (softmax, 0, "loop"), "layernorm": (layernorm, 0, "loop"),
    "matrix_vector": (matrix_vector, 0, "loop"), "layer": (layer, 0, "loop"), "stacked_sums": (stacked_sums, 0, "loop"),
    "jvps_reindexed": (jvps_reindexed, 0, "loop"), "scatter_add": (scattered, 0, "loop"),
    "in_axis_last": (softmax, 1, "loop"), "gather": (lambda x: x[PLACES] * 2.0, 0, "loop"),
    "cumsum": (lambda x: np.cumsum(x), 0, "loop"),
    "elementwise_outer": (body, 0, "outer"), "softmax_outer": (softmax, 0, "outer"),
}  # fmt: skip
