"""Random programs on random meshes, from a drawn sequence of the steps that such programs are made of.

Values live on nodes or on groups of elements, with a vector or a matrix each: gathers through index arrays with
duplicates, negative numbers and no elements, limiters, small determinants and systems, segment sums, ``.at`` updates,
sparse matrices, stencils, lanes, rounds in a loop and rounds written one after the other. The reference is NumPy alone:
complex steps, and differences of them for second derivatives.

    python -m tests.transforms.sparse.meshes 0 10000
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import scipy.sparse
from numpy.typing import NDArray

import functrans as ft
from functrans import tree
from functrans.errors import UnsupportedError
from functrans.ops.interpret import interpret

Array = NDArray[Any]
Step = Callable[[list[Any]], Any]
TINY = 1e-40  # of a complex step: its square is lost beside any number
WAYS: list[dict[str, str]] = [
    {"method": "direct"}, {"method": "auto"}, {"method": "compressed"}, {"method": "compressed", "partition": "row"},
    {"method": "compressed", "partition": "bidirectional"},
]  # fmt: skip


class Value(NamedTuple):
    """Where a value of the pool is: on the nodes (0) or the elements of a group, and what shape it has there."""

    space: int
    shape: tuple[int, ...]


def real(x: Any) -> Any:
    """What a condition looks at: a complex step is no part of it."""
    return x.real if isinstance(x, np.ndarray) else x


class Mesh:
    """A function of one or two vectors, by the number of its seed; an energy where ``is_energy``."""

    def __init__(self, seed: int, steps: int = 9) -> None:
        self.rng = rng = np.random.default_rng(seed)
        self.seed, self.is_energy = seed, bool(rng.random() < 0.35)
        self.nodes = int(rng.integers(2, 10))
        self.ends = [self._group() for _ in range(int(rng.integers(1, 3)))]
        self.args = [rng.uniform(-1, 1, self.nodes)]
        if rng.random() < 0.3:
            self.args.append(rng.uniform(-1, 1, self.nodes))
        self.steps: list[tuple[str, Step]] = []
        self.pool: list[Any] = list(self.args)
        self.kinds = [Value(0, ()) for _ in self.args]
        for _ in range(steps):
            self._draw()
        late = sorted({len(self.pool) - 1, *rng.integers(0, len(self.pool), 2).tolist()})
        self.outputs = late
        self.weights = [rng.uniform(-1, 1, np.shape(self.pool[k])) for k in late]

    def _group(self) -> Array:
        """Elements of one order: nodes met twice in one of them, or elements twice, or none."""
        rng = self.rng
        count, order = int(rng.choice([0, 1, 2, 5, 12])), int(rng.integers(1, 5))
        ends = rng.integers(0, self.nodes, (count, order))
        if rng.random() < 0.4 and order <= self.nodes:
            ends = rng.permuted(np.tile(np.arange(self.nodes), (count, 1)), axis=1)[:, :order]
        if rng.random() < 0.2 and count:
            ends = ends[rng.integers(0, count, count)]
        return np.where(rng.random(ends.shape) < 0.1, ends - self.nodes, ends)

    def __call__(self, *args: Any) -> Any:
        pool: list[Any] = list(args)
        for _, step in self.steps:
            pool.append(step(pool))
        if self.is_energy:
            return sum((w * pool[k] ** 2).sum() for k, w in zip(self.outputs, self.weights, strict=True))
        return tuple(pool[k] for k in self.outputs)

    def __repr__(self) -> str:
        lines = [f"v{len(self.args) + k} = {name}" for k, (name, _) in enumerate(self.steps)]
        what = "energy" if self.is_energy else "residual"
        return "\n  ".join([f"mesh {self.seed}, {what}", *lines, f"{self.outputs}"])

    def size(self, space: int) -> int:
        """The number of nodes, or of elements of a group."""
        return self.nodes if space == 0 else len(self.ends[space - 1])

    def _draw(self) -> None:
        """One more value, made of one that is already there."""
        k = len(self.pool) - 1 - min(int(self.rng.exponential(1.5)), len(self.pool) - 1)
        kind = self.kinds[k]
        makers = [self._elementwise, self._elementwise, self._binary, self._binary, self._mask]
        if kind.space == 0:
            makers += [self._gather, self._gather, self._gather, self._stencil]
            if not kind.shape:
                makers += [self._sparse, self._rounds, self._lanes]
        else:
            makers += [self._assemble, self._assemble, self._assemble, self._order]
        if kind.shape:
            makers += [self._local] * 6
        found = self.rng.choice(np.array(makers, object))(k, kind)
        if found is None:
            return
        name, space, step = found
        made = step(self.pool)
        if made.size > 400:
            return
        if made.size and np.abs(made).max() > 20:
            wild = step
            name, step = f"tanh of {name}", lambda p: np.tanh(0.05 * wild(p))
            made = step(self.pool)
        self.pool.append(made)
        self.steps.append((name, step))
        self.kinds.append(Value(space, made.shape[1:]))

    def _elementwise(self, k: int, kind: Value) -> Any:
        laws: dict[str, Callable[[Any], Any]] = {
            "sin": np.sin, "tanh": np.tanh, "square": np.square, "cube": lambda v: v**3,
            "recip": lambda v: 1 / (2 + v * v),
            "sqrt": lambda v: np.sqrt(1.5 + v * v), "abs": lambda v: np.where(real(v) > 0.1, v - 0.1, 0.1 - v),
            "power": lambda v: (1.5 + v * v) ** 1.3, "log": lambda v: np.log(2 + v * v),
            "exp": lambda v: np.exp(-v * v),
            "twice": lambda v: np.tanh(v) * np.tanh(v) + v, "positive": lambda v: np.where(real(v) > 0, v, 0.0),
        }  # fmt: skip
        name = str(self.rng.choice(list(laws)))
        return f"{name} v{k}", kind.space, lambda p: laws[name](p[k])

    def _binary(self, k: int, kind: Value) -> Any:
        others = [j for j, o in enumerate(self.kinds) if o == kind]
        if kind.shape:
            others += [j for j, o in enumerate(self.kinds) if o == Value(kind.space, ())]
        j = int(self.rng.choice(others))
        shape = (self.size(kind.space), *(kind.shape if self.kinds[j] == kind else (1,) * len(kind.shape)))

        laws = {"add": lambda a, b: a + b, "mul": lambda a, b: a * b, "div": lambda a, b: a / (2 + b * b), **LIMITERS}
        name = str(self.rng.choice(list(laws)))
        return f"{name} v{k} v{j}", kind.space, lambda p: laws[name](p[k], p[j].reshape(shape))

    def _mask(self, k: int, kind: Value) -> Any:
        shape = (self.size(kind.space), *kind.shape)
        keep = self.rng.random(shape) < 0.5
        factor = np.where(keep, 0.0, self.rng.uniform(-1, 1, shape))
        way = int(self.rng.integers(3))
        ways = [lambda v: np.where(keep, v, 0.5 * v * v), lambda v: factor * v, lambda v: np.where(keep, v, 1.0)]
        return f"mask {way} v{k}", kind.space, lambda p: ways[way](p[k])

    def _gather(self, k: int, kind: Value) -> Any:
        g = int(self.rng.integers(len(self.ends)))
        ends = self.ends[g]
        a, b = self.rng.integers(0, ends.shape[1], 2).tolist()
        ways: list[Callable[[Any], Any]] = [lambda v: v[ends[:, a]], lambda v: v[ends[:, b]] - v[ends[:, a]]]
        if not kind.shape:
            ways += [lambda v: v[ends], lambda v: v[ends] - v[ends].mean(1, keepdims=True),
                     lambda v: np.stack([v[ends[:, i]] for i in range(ends.shape[1])], 1)]  # fmt: skip
        way = int(self.rng.integers(len(ways)))
        return f"gather {way} of v{k} by {g + 1}", g + 1, lambda p: ways[way](p[k])

    def _assemble(self, k: int, kind: Value) -> Any:
        ends, n = self.ends[kind.space - 1], self.nodes
        a = int(self.rng.integers(ends.shape[1]))
        at = ends[:, a] % n
        ways: list[Callable[[Any, list[Any]], Any]] = [
            lambda v, p: summed(v, at, n),
            lambda v, p: updated(zeros((n, *kind.shape), v), ends[:, a], v, "add"),
        ]  # fmt: skip
        if not kind.shape:
            base = int(self.rng.choice([j for j, o in enumerate(self.kinds) if o == Value(0, ())]))
            ways += [
                lambda v, p: np.bincount(at, weights=v, minlength=n) if not complex_(v) else summed(v, at, n),
                lambda v, p: updated(p[base], ends[:, a], v, "add"),
                lambda v, p: updated(p[base], ends[:, a], v, "set"),
                lambda v, p: updated(p[base], at, 1 + 0.1 * v, "multiply"),
            ]  # fmt: skip
        elif kind.shape == (ends.shape[1],):
            ways += [
                lambda v, p: updated(zeros((n,), v), ends, v, "add"),
                lambda v, p: summed(v.reshape(-1), ends.reshape(-1) % n, n),
                lambda v, p: sum(summed(v[:, i], ends[:, i] % n, n) for i in range(ends.shape[1])),
            ]  # fmt: skip
        way = int(self.rng.integers(len(ways)))
        return f"assemble {way} of v{k} at column {a}", 0, lambda p: ways[way](p[k], p)

    def _order(self, k: int, kind: Value) -> Any:
        """Elements in another order, or parts of them put together again."""
        m = self.size(kind.space)
        to = self.rng.permutation(m) if self.rng.random() < 0.5 else self.rng.integers(0, max(m, 1), m)
        half = m // 2
        ways: list[Callable[[Any], Any]] = [
            lambda v: v[to], lambda v: v[::-1], lambda v: np.concatenate([v[half:], v[:half]]) + v,
            lambda v: np.concatenate([v[:half] * v[:half], v[half:]]), lambda v: v - v.sum(0) * 0.1,
        ]  # fmt: skip
        way = int(self.rng.integers(len(ways)))
        return f"order {way} of v{k}", kind.space, lambda p: ways[way](p[k])

    def _stencil(self, k: int, kind: Value) -> Any:
        pad = [(1, 1)] + [(0, 0)] * len(kind.shape)

        def limited(v: Any) -> Any:
            d = np.pad(v[1:] - v[:-1], pad)
            return v + 0.5 * LIMITERS["minmod"](d[1:], d[:-1])

        ways: list[Callable[[Any], Any]] = [
            lambda v: np.roll(v, 1, 0) * v, lambda v: np.pad(v, pad)[2:] - np.pad(v, pad)[:-2] * v, limited,
            lambda v: np.cumsum(v, 0) * 0.3,
        ]  # fmt: skip
        way = int(self.rng.integers(len(ways)))
        return f"stencil {way} of v{k}", 0, lambda p: ways[way](p[k])

    def _sparse(self, k: int, kind: Value) -> Any:
        n = self.nodes
        dense = np.where(self.rng.random((n, n)) < 0.3, self.rng.uniform(-1, 1, (n, n)), 0.0)
        matrix = scipy.sparse.csr_array(dense)
        if self.rng.random() < 0.5:
            return f"dense with zeros @ v{k}", 0, lambda p: dense @ p[k]

        def run(p: list[Any]) -> Any:
            return matrix @ p[k] if isinstance(p[k], np.ndarray) else ft.sparse(matrix) @ p[k]

        return f"sparse @ v{k}", 0, run

    def _rounds(self, k: int, kind: Value) -> Any:
        """Rounds of one time step, in a loop or one after the other: from a few dozen on those are rolled up."""
        ends = self.ends[0] % self.nodes
        a, b, n = ends[:, 0], ends[:, -1], self.nodes
        weight, count = self.rng.uniform(0, 0.3, len(ends)), int(self.rng.choice([2, 3, 40], p=[0.5, 0.45, 0.05]))
        in_loop = self.rng.random() < 0.5

        def once(u: Any, w: Any) -> Any:
            flux = w * (np.sin(u[b]) - u[a] * u[b])
            return u + summed(flux, a, n) - summed(flux, b, n) - 0.1 * u

        def run(p: list[Any]) -> Any:
            u = p[k]
            if in_loop and not isinstance(u, np.ndarray):
                return ft.scan(lambda c, _: (once(c, weight), None), u, length=count)[0]
            for _ in range(count):
                u = once(u, weight)
            return u

        return f"{count} rounds of v{k}{' in a loop' * in_loop}", 0, run

    def _lanes(self, k: int, kind: Value) -> Any:
        """Element by element under ``ft.vmap``."""
        ends = self.ends[0]
        if not len(ends):
            return None
        matrix = self.rng.uniform(-1, 1, (len(ends), ends.shape[1])) * (self.rng.random(ends.shape) < 0.6)

        def run(p: list[Any]) -> Any:
            def one(end: Any, row: Any) -> Any:
                local = row * p[k][end]
                return np.where(real(local.sum()) > 0.1, np.sin(local), local * local)

            if isinstance(p[k], np.ndarray):
                return np.stack([one(e, r) for e, r in zip(ends, matrix, strict=True)])
            return ft.vmap(one)(ends, matrix)

        return f"lanes of v{k}", 1, run

    def _local(self, k: int, kind: Value) -> Any:
        """Along what an element or a node has."""
        m, last = self.size(kind.space), kind.shape[-1]
        b = np.where(self.rng.random((m, last, 3)) < 0.4, 0.0, self.rng.uniform(-1, 1, (m, last, 3)))
        b = b[: max(m, 1), :, : int(self.rng.integers(1, 4))]
        uneven = 1 + 0.1 * np.arange(last)
        ways: dict[str, Callable[[Any], Any]] = {
            "sum": lambda v: v.sum(-1), "norm": lambda v: np.sqrt((v * v).sum(-1) + 0.5),
            "max": lambda v: biggest(v * uneven + uneven), "spread": lambda v: v * v.sum(-1, keepdims=True),
            "prod": lambda v: (1 + 0.2 * v).prod(-1), "transposed": lambda v: v[..., ::-1],
            "one": lambda v: v[..., last // 2], "softmax": softmax,
        }  # fmt: skip
        if len(kind.shape) == 1 and last <= 4:
            eye = 2 * np.eye(last)

            def of(v: Any) -> Any:
                return eye + 0.4 * np.sin(v)[:, :, None] * (1 + v[:, None, ::-1])

            ways |= {
                "matmul": lambda v: np.einsum("ei,eij->ej", v, b),
                "outer": lambda v: v[:, :, None] * np.cos(v)[:, None, :],
                "det": lambda v: np.linalg.det(of(v)), "inv": lambda v: np.linalg.inv(of(v))[:, 0],
                "solve": lambda v: np.linalg.solve(of(v), v[..., None])[..., 0],
                "diagonal": lambda v: np.linalg.det(v[:, :, None] * eye[None]),
            }  # fmt: skip
        elif len(kind.shape) == 2 and kind.shape[0] == kind.shape[1] <= 4:
            ways |= {
                "own det": np.linalg.det, "square": lambda v: v @ np.swapaxes(v, 1, 2),
                "own solve": lambda v: np.linalg.solve(v + 3 * np.eye(last), v[..., 0:1])[..., 0],
            }  # fmt: skip
        name = str(self.rng.choice(list(ways)))
        return f"{name} of v{k}", kind.space, lambda p: ways[name](p[k])


def complex_(v: Any) -> bool:
    return isinstance(v, np.ndarray) and v.dtype.kind == "c"


def summed(v: Any, at: Array, n: int) -> Any:
    """The sum over the elements at each place, for ndarrays by NumPy's own."""
    if not isinstance(v, np.ndarray):
        return ft.segment_sum(v, at, n)
    found = zeros((n, *v.shape[1:]), v)
    np.add.at(found, at, v)
    return found


def updated(x: Any, at: Array, v: Any, mode: str) -> Any:
    """``ft.at(x)[at].mode(v)``, for ndarrays by a loop."""
    if not isinstance(x, np.ndarray) or not isinstance(v, np.ndarray):
        return getattr(ft.at(x)[at], mode)(v)
    found = x.astype(np.result_type(x, v))
    for i, value in zip(at.reshape(-1), v.reshape(at.size, *v.shape[at.ndim :]), strict=True):
        found[i] = {"add": found[i] + value, "set": value, "multiply": found[i] * value}[mode]
    return found


def zeros(shape: tuple[int, ...], v: Any) -> Array:
    """Zeros that values of these are added to."""
    return np.zeros(shape, complex if complex_(v) else float)


def biggest(v: Any) -> Any:
    """The maximum along the last axis."""
    if not complex_(v):
        return v.max(-1) if v.size else v.sum(-1)
    return np.take_along_axis(v, v.real.argmax(-1)[..., None], -1)[..., 0] if v.size else v.sum(-1)


def softmax(v: Any) -> Any:
    e = np.exp(0.5 * v)
    return e / e.sum(-1, keepdims=True)


def _minmod(a: Any, b: Any) -> Any:
    x, y = real(a), real(b)
    return np.where(x * y > 0, np.where(x * x < y * y, a, b), 0.0)


def _superbee(a: Any, b: Any) -> Any:
    x, y = real(a), real(b)
    one, two = _minmod(2 * a, b), _minmod(a, 2 * b)
    return np.where(real(one * one) > real(two * two), one, two) * np.where(x + y > -9, 1.0, 0.5)


LIMITERS: dict[str, Callable[[Any, Any], Any]] = {
    "minmod": _minmod, "superbee": _superbee,
    "van Albada": lambda a, b: (a * (b * b + 0.1) + b * (a * a + 0.1)) / (a * a + b * b + 0.2),
    "van Leer": lambda a, b: np.where(real(a * b) > 0, 2 * a * b / np.where(real(a * b) > 0, a + b, 1.0), 0.0),
    "upwind": lambda a, b: np.where(real(a) > 0.05, a * b, a * a),
}  # fmt: skip


def columns(program: Mesh, args: list[Array]) -> Array:
    """The dense Jacobian by complex steps, arguments side by side."""
    found = []
    for k, a in enumerate(args):
        for j in range(a.size):
            moved = [v.astype(complex) for v in args]
            moved[k].reshape(-1)[j] += 1j * TINY
            out = program(*moved)
            found.append(np.concatenate([np.ravel(o) for o in (out if isinstance(out, tuple) else (out,))]).imag / TINY)
    return np.stack(found, 1)


def second(program: Mesh, step: float) -> Array:
    """The Hessian by central differences of complex steps."""
    rows = []
    for k, a in enumerate(program.args):
        for j in range(a.size):
            sides = []
            for sign in (1, -1):
                moved = [v.copy() for v in program.args]
                moved[k].reshape(-1)[j] += sign * step
                sides.append(columns(program, moved)[0])
            rows.append((sides[0] - sides[1]) / (2 * step))
    return np.stack(rows)


def sparse(program: Mesh, how: dict[str, str], compiled: bool) -> Array | None:
    """The sparse matrix as a dense one, by the graph alone or compiled; None where there are no terms."""
    every = tuple(range(len(program.args)))
    J = (ft.sphessian if program.is_energy else ft.spjacobian)(program, every, **how)
    try:
        if compiled:
            found = J(*program.args)
            parts = [m.toarray() for m in (found if isinstance(found, tuple) else (found,))]
        else:
            leaves, treedef = tree.flatten((tuple(program.args), {}))
            problem = J._problem(leaves, treedef)
            data = interpret(problem.values, dict(zip(problem.params, map(np.asarray, leaves), strict=True)))
            parts = [p.to_scipy(d).toarray() for p, d in zip(problem.patterns, data, strict=True)]
    except UnsupportedError:
        if how["method"] == "auto":
            raise
        return None
    return np.concatenate(parts, 1)


def check(seed: int, compiled: bool = False) -> int:
    """Compare a program's matrices by every method with the reference; how many methods there were."""
    program, count = Mesh(seed), 0
    ways = WAYS[:3] if program.is_energy else WAYS
    if program.is_energy:
        want, loose = second(program, 1e-5), 2e-6
        exact = None
    else:
        want, loose = columns(program, program.args), 1e-9
    for how in ways:
        have = sparse(program, how, compiled)
        if have is None:
            continue
        count += 1
        bound = np.abs(want).max(initial=1)
        np.testing.assert_allclose(have, want, rtol=0, atol=loose * bound, err_msg=f"{how}, {program}")
        if program.is_energy:
            exact = have if exact is None else exact
            np.testing.assert_allclose(have, exact, rtol=0, atol=1e-9 * bound, err_msg=f"{how}, {program}")
    return count


def hunt(first: int, last: int) -> None:
    """Check these programs, each twentieth compiled, and say which are wrong."""
    wrong = methods = 0
    for seed in range(first, last):
        try:
            methods += check(seed, compiled=seed % 20 == 0)
        except Exception as error:  # whatever it is, the hunt goes on and reports it
            wrong += 1
            sys.stderr.write(f"seed {seed}: {type(error).__name__}: {str(error)[:1500]}\n")
        if seed % 50 == 49:
            sys.stderr.write(f"until {seed}: {methods} matrices, {wrong} programs wrong\n")
    sys.stderr.write(f"{last - first} programs, {methods} matrices, {wrong} programs wrong\n")


if __name__ == "__main__":
    hunt(int(sys.argv[1]), int(sys.argv[2]))
