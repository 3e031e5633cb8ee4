"""Time of small matrices by order, for cliffs: ``python -m benchmarks.matrices [OP ...] [--dtype float32] [--to 40]``.

Each operation is mapped over matrices of n rows, on one thread; the least of several runs counts. Beside its time
stand that of one of n^3 parts of it, NumPy's, and how many times as long as n - 1 rows it takes. An order is a cliff
where that is more than 1.6 times what work between n^2 and n^3 grows by. With ``--inside`` the operation is in the
body of a loop; with ``--by-hand`` its time stands beside that of hand-written C with lanes for some orders.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

import functrans as ft
from benchmarks.case import Array, aligned, empty, load
from benchmarks.cases.common import outputs
from benchmarks.handwritten import Limit, limit

NUMBERS, MOST, LANES, RUNS, SECONDS, CLIFF = 250_000, 10_000, 8, 5, 0.004, 1.6
BY_HAND = (2, 3, 4, 6, 8, 12, 16, 24, 32)
Body = Callable[..., Any]

BODIES: dict[str, Body] = {
    "solve": np.linalg.solve,
    "inv": np.linalg.inv,
    "det": np.linalg.det,
    "cholesky": np.linalg.cholesky,
    "eigh": lambda a: tuple(np.linalg.eigh(a)),
    "slogdet": lambda a: tuple(np.linalg.slogdet(a)),
    "qr": lambda a: tuple(np.linalg.qr(a)),
    "svd": lambda a: tuple(np.linalg.svd(a)),
    "lstsq": lambda a, b: np.linalg.lstsq(a, b, rcond=None)[0],
    "expm": lambda a: ft.scipy.linalg.expm(a),
    "matrix_power": lambda a: np.linalg.matrix_power(a, 5),
}
SYMMETRIC, RIGHT = frozenset({"cholesky", "eigh"}), frozenset({"solve", "lstsq"})
C = ("solve", "inv", "det", "cholesky", "eigh")  # that are written by hand


def given(op: str, n: int, dtype: Any) -> tuple[Array, ...]:
    """Matrices, and a right-hand side each where the operation has one."""
    rng = np.random.default_rng(n)
    size = min(MOST, NUMBERS // n**2 // LANES * LANES)
    a = rng.standard_normal((size, n, n))
    if op in SYMMETRIC:
        a = a @ a.swapaxes(1, 2) + np.eye(n)
    b = (rng.standard_normal((size, n)).astype(dtype),) if op in RIGHT else ()
    return (a.astype(dtype), *b)


def looped(body: Body) -> Body:
    """The operation in the body of a loop of two rounds, an element of its result as the carry."""

    def two_rounds(a: Any, *b: Any) -> Any:
        def once(_: Any, x: Any) -> Any:
            found = body(a + x, *b)
            first = found[0] if isinstance(found, tuple) else found
            return first.reshape(-1)[0] * 1e-9

        return ft.fori_loop(0, 2, once, a[0, 0] * 1e-9)

    return two_rounds


def of_numpy(op: str, arguments: tuple[Array, ...]) -> Callable[[], Any]:
    """The same by NumPy."""
    a, *b = arguments
    if op == "solve":
        return lambda: np.linalg.solve(a, b[0][..., None])
    if op == "lstsq":  # NumPy takes one at a time
        return lambda: [BODIES[op](*each) for each in zip(a, b[0])]
    if op == "expm":
        return partial(load("scipy.linalg").expm, a)
    return lambda: BODIES[op](a)


def by_hand(op: str, arguments: tuple[Array, ...]) -> Limit:
    """The same by C that is written for the order, with lanes."""
    a, *b = map(aligned, arguments)
    size, n = a.shape[:2]
    out = {"solve": (size, n), "det": (size,)}.get(op, a.shape)
    arrays = [a, *(b or [empty((size, n))]), empty(out)]
    return limit("matrices", arrays, [size], tuple(arrays[1:]), name=f"{op}_all", rows=n)


def least(call: Callable[[], Any], runs: int = RUNS) -> float:
    """Seconds of a call, the least of several runs."""
    call()
    start = time.perf_counter()
    call()
    calls = max(1, int(SECONDS / max(time.perf_counter() - start, 1e-9)))
    best = float("inf")
    for _ in range(runs):
        start = time.perf_counter()
        for _ in range(calls):
            call()
        best = min(best, (time.perf_counter() - start) / calls)
    return best


def beside(op: str, orders: list[int]) -> None:
    """Print times of ours and of C by hand, taken in turn, and where NumPy's is less than ours."""
    print(f"{op}: n, ns, by hand, / by hand, / NumPy, how far the C is off")
    for n in orders:
        arguments = tuple(map(aligned, given(op, n, np.float64)))
        mapped, hand, numpy = ft.jit(ft.vmap(BODIES[op])), by_hand(op, arguments), of_numpy(op, arguments)
        off = apart(op, hand(), numpy())
        ours = partial(mapped, *arguments, out=outputs(mapped(*arguments)))
        rounds = np.array([[least(side, 1) for side in (ours, partial(hand.repeat, 1), numpy)] for _ in range(RUNS)])
        times = np.median(rounds, 0) / len(arguments[0]) * 1e9
        ratio, of_theirs = np.median(rounds[:, :1] / rounds[:, 1:], 0)
        print(f"{n:3d} {times[0]:9.1f} {times[1]:9.1f} {ratio:6.2f} {of_theirs:6.2f} {off:9.1e}", flush=True)


def apart(op: str, hand: tuple[Array, ...], numpy: Any) -> float:
    """The largest difference of what C by hand has written from NumPy's; of eigenvectors none is taken."""
    which, expected = (0, numpy[0]) if op == "eigh" else (-1, numpy)
    differences = hand[which].reshape(expected.shape) - expected
    return float(np.abs(differences).max() / np.abs(expected).max())


def swept(op: str, orders: list[int], dtype: Any, inside: bool, numpy: bool) -> dict[int, tuple[float, float]]:
    """Nanoseconds a matrix by order: ours, NumPy's."""
    found = {}
    body = looped(BODIES[op]) if inside else BODIES[op]
    for n in orders:
        arguments = given(op, n, dtype)
        size, mapped = len(arguments[0]), ft.jit(ft.vmap(body))
        ours = least(partial(mapped, *arguments))
        theirs = least(of_numpy(op, arguments)) if numpy else float("nan")
        found[n] = (ours / size * 1e9, theirs / size * 1e9)
    return found


def main(arguments: list[str] | None = None) -> None:
    """Print a table an operation."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.matrices", description=__doc__)
    parser.add_argument("ops", nargs="*", help=f"of {', '.join(BODIES)} (default: all)")
    parser.add_argument("--dtype", default="float64")
    parser.add_argument("--first", type=int, default=1)
    parser.add_argument("--to", type=int, default=40)
    parser.add_argument("--inside", action="store_true")
    parser.add_argument("--numpy", action="store_true")
    parser.add_argument("--by-hand", action="store_true", help=f"of {', '.join(map(str, BY_HAND))} rows, beside C")
    options = parser.parse_args(arguments)
    ft.config.threads = 1
    for op in options.ops or (C if options.by_hand else BODIES):
        if options.by_hand:
            beside(op, [n for n in BY_HAND if options.first <= n <= options.to])
            continue
        found = swept(op, list(range(options.first, options.to + 1)), options.dtype, options.inside, options.numpy)
        print(f"{op} {options.dtype}{' inside' * options.inside}: n, ns, ns / n^3, / NumPy, / (n - 1), cliffs *")
        for n, (ours, theirs) in found.items():
            step = ours / found[n - 1][0] if n - 1 in found else float("nan")
            mark = " *" if n > 2 and step > CLIFF * (n / (n - 1)) ** 1.5 else ""
            print(f"{n:3d} {ours:9.1f} {ours / n**3:7.3f} {ours / theirs:6.2f} {step:6.2f}{mark}", flush=True)


if __name__ == "__main__":
    main()
