"""Folds and scans written by hand, of RANGEs, AFTER, STORE and END: each is a loop of NumPy's, by every way to map."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
import pytest

import functrans as ft
import functrans.numpy as fnp
from functrans import Tensor, UOp
from functrans.ops import AxisType, Ops
from tests.laws.references import assert_close, complex_step, interpreted, loop

RNG = np.random.default_rng(11)
KINDS = (AxisType.LOOP, AxisType.OUTER, AxisType.REDUCE, AxisType.ORDERED)
METHODS, AXIS_TYPES = ("vmapin", "rewrite", "pad_reduce"), ("loop", "outer")
Range = Callable[[int], UOp]


class Case(NamedTuple):
    """A program of RANGEs of some type, what it means in NumPy, and arrays for it."""

    program: Callable[..., Any]  # the first argument makes RANGEs
    meaning: Callable[..., Any]
    arrays: tuple[Any, ...]


def closed(y: Any, r: UOp) -> Any:
    return y.reshape(1, *y.shape).expand(r, *y.shape)


def total(range_: Range, x: Any) -> Any:
    r = range_(x.shape[0])
    return x[r].reduce(Ops.ADD, r)


def fold(range_: Range, a: Any) -> Any:
    i, acc = range_(a.shape[0]), 0.0 * a[0]
    acc_i = acc.after(i)
    return acc.after(acc_i.store(0.5 * acc_i + np.sin(acc_i * a[i])).end(i))


def fold_of_columns(range_: Range, a: Any) -> Any:
    i, acc = range_(a.shape[1]), fnp.zeros(a.shape[0])
    acc_i = acc.after(i)
    return acc.after(acc_i.store(0.5 * acc_i + a[:, i] * a[0, i]).end(i))


def fold_of_each_row(range_: Range, a: Any) -> Any:
    r, i = range_(a.shape[0]), range_(a.shape[1])
    acc = a[r, 0]
    acc_i = acc.after(i)
    return closed(acc.after(acc_i.store(0.5 * acc_i + a[r, i]).end(i)), r)


def folded_columns(a: Any, start: Any) -> Any:
    for column in a.T:
        start = 0.5 * start + column
    return start


def folded(a: Any) -> Any:
    acc = 0.0 * a[0]
    for row in a:
        acc = 0.5 * acc + np.sin(acc * row)
    return acc


def matmuls_folded(range_: Range, vec: Any, mats: Any) -> Any:
    i = range_(3)
    now = vec.after(i)
    return vec.after(now.store(now @ mats[i]).end(i))


def matmuls_folded_from_empty(range_: Range, vec: Any, mats: Any) -> Any:
    i, out = range_(3), Tensor.empty(1, 4)
    out_i = out.after(i)
    return out.after(out_i.store(np.where(i == 0, vec, out_i) @ mats[i]).end(i))


def matmuls_scanned(range_: Range, vec: Any, mats: Any) -> Any:
    i, out = range_(3), Tensor.empty(3, 1, 4)
    prev = np.where(i == 0, vec, out[np.maximum(i - 1, 0)])
    return out.after(out[i].store(prev @ mats[i]).end(i))


def products(vec: Any, mats: Any) -> list[Any]:
    found = []
    for m in mats:
        vec = vec @ m
        found.append(vec)
    return found


def two_before(range_: Range, a: Any) -> Any:
    i, out = range_(a.shape[0]), Tensor.empty(a.shape[0])
    one = np.where(i == 0, 1.0, out[np.maximum(i - 1, 0)])
    two = np.where(i < 2, np.where(i == 0, 0.5, 1.0), out[np.maximum(i - 2, 0)])
    return out.after(out[i].store(np.tanh(one + 0.3 * two) * a[i]).end(i))


def two_before_by_numpy(a: Any) -> Any:
    found = [0.5, 1.0]
    for x in a:
        found.append(np.tanh(found[-1] + 0.3 * found[-2]) * x)
    return np.array(found[2:])


def backward(range_: Range, a: Any) -> Any:
    n = a.shape[0]
    i, out = range_(n), Tensor.empty(n)
    after = np.where(i == 0, 1.0, out[np.minimum(n - i, n - 1)])
    return out.after(out[n - 1 - i].store(0.5 * after + a[n - 1 - i]).end(i))


def backward_by_numpy(a: Any) -> Any:
    out = np.zeros_like(a)
    for k in reversed(range(len(a))):
        out[k] = 0.5 * (1.0 if k == len(a) - 1 else out[k + 1]) + a[k]
    return out


def in_place(range_: Range, a: Any) -> Any:
    i = range_(a.shape[0] - 2)
    return a.after(a[i + 1].store(0.4 * (a[i] + a[i + 2])).end(i))


def in_place_by_numpy(a: Any) -> Any:
    a = a.copy()
    for k in range(1, len(a) - 1):
        a[k] = 0.4 * (a[k - 1] + a[k + 1])
    return a


def last_axis(range_: Range, a: Any) -> Any:
    i, out = range_(a.shape[1]), Tensor.empty(*a.shape)
    prev = np.where(i == 0, 1.0, out[:, np.maximum(i - 1, 0)])
    return out.after(out[:, i].store(prev * a[:, i]).end(i))


def anywhere(range_: Range, a: Any, where: Any) -> Any:
    i, x = range_(where.shape[0]), a.contiguous()
    return x.after(x[where[i]].store(2.0 * x[where[i]] + a[i]).end(i))


def anywhere_by_numpy(a: Any, where: Any) -> Any:
    x = a.copy()
    for k, w in enumerate(where):
        x[w] = 2.0 * x[w] + a[k]
    return x


def fold_in_a_fold(range_: Range, a: Any) -> Any:
    i, j, acc = range_(a.shape[0]), range_(a.shape[1]), 0.0 * a[0, 0]
    acc_i = acc.after(i)
    acc_ij = acc_i.after(j)
    inner = acc_i.after(acc_ij.store(0.5 * acc_ij + a[i, j]).end(j))
    return acc.after(acc_i.store(np.cos(inner)).end(i))


def fold_in_a_fold_by_numpy(a: Any) -> Any:
    acc = 0.0
    for row in a:
        for x in row:
            acc = 0.5 * acc + x
        acc = np.cos(acc)
    return acc


def reduce_in_a_fold(range_: Range, a: Any) -> Any:
    i, j, acc = range_(a.shape[0]), range_(a.shape[1]), 1.0 + 0.0 * a[0]
    acc_i = acc.after(i)
    return acc.after(acc_i.store(acc_i + (a[i, j] * acc_i[j]).reduce(Ops.ADD, j)).end(i))


def reduce_in_a_fold_by_numpy(a: Any) -> Any:
    acc = np.ones(a.shape[1])
    for row in a:
        acc = acc + (row * acc).sum()
    return acc


def windows(range_: Range, a: Any) -> Any:
    n = a.shape[0]
    i = range_(n - 2)
    now = a.after(i)
    mean = now.shrink(((i, i + 3),)).mean() * a.shrink(((i, i + 3),)).max()
    return a.after(now.store(now + mean.reshape(1).pad(((i, n - 1 - i),))).end(i))


def windows_by_numpy(a: Any) -> Any:
    now = a.copy()
    for k in range(len(a) - 2):
        now[k] += now[k : k + 3].mean() * a[k : k + 3].max()
    return now


def twice(range_: Range, a: Any) -> Any:
    """Stores through one array, loop after loop."""
    i, j, x = range_(a.shape[0] - 1), range_(a.shape[0] - 1), a
    x = x.after(x[i + 1].store(x[i] + x[i + 1]).end(i))
    return x.after(x[j].store(x[j] * x[j + 1]).end(j))


def twice_by_numpy(a: Any) -> Any:
    x = a.cumsum()
    x[:-1] *= x[1:]
    return x


def counted(range_: Range, a: Any) -> Any:
    i, acc = range_(a.shape[0]), 0.0 * a[0]
    acc_i = acc.after(i)
    return acc.after(acc_i.store(np.where(2 * i >= 3, acc_i + i * a[i], a[0])).end(i))


def counted_by_numpy(a: Any) -> Any:
    acc = 0.0
    for k, x in enumerate(a):
        acc = acc + k * x if 2 * k >= 3 else a[0]
    return acc


def fold_and_scan(range_: Range, a: Any) -> Any:
    """A state, and an output of each round: one loop."""
    i, acc, out = range_(a.shape[0]), 0.0 * a[0], Tensor.empty(a.shape[0])
    acc_i = acc.after(i)
    both = UOp.sink(acc_i.store(0.5 * acc_i + np.sin(a[i])), out[i].store(acc_i * a[i])).end(i)
    return acc.after(both) + out.after(both)


def fold_and_scan_by_numpy(a: Any) -> Any:
    acc, out = 0.0, []
    for x in a:
        out.append(acc * x)
        acc = 0.5 * acc + np.sin(x)
    return acc + np.array(out)


def two_scans(range_: Range, a: Any) -> Any:
    """Two arrays, each of which reads the other's element before."""
    i, x, y = range_(a.shape[0]), Tensor.empty(a.shape[0]), a.contiguous()
    u, v = (np.where(i == 0, 1.0, z[np.maximum(i - 1, 0)]) for z in (x, y))
    both = UOp.sink(x[i].store(u + 0.3 * v * a[i]), y[i].store(v - 0.2 * u)).end(i)
    return x.after(both) * y.after(both)


def two_scans_by_numpy(a: Any) -> Any:
    u, v, found = 1.0, 1.0, []
    for x in a:
        u, v = u + 0.3 * v * x, v - 0.2 * u
        found.append(u * v)
    return np.array(found)


def rows_folded(range_: Range, a: Any) -> Any:
    i, r, acc = range_(a.shape[1]), range_(a.shape[0]), 0.0 * a[:, 0]
    now = acc.after(r, i)[r]
    return acc.after(now.store(0.5 * now + np.sin(a[r, i])).end(i, r))


def rows_folded_from_empty(range_: Range, a: Any) -> Any:
    i, r, out = range_(a.shape[1]), range_(a.shape[0]), Tensor.empty(a.shape[0])
    return out.after(out[r].store(np.where(i == 0, 0.0, out[r]) * 0.5 + np.sin(a[r, i])).end(i, r))


def sweeps(range_: Range, a: Any) -> Any:
    """Over one array, again and again."""
    j, i = range_(a.shape[0] - 1), range_(3)
    return a.after(a[j + 1].store(0.5 * a[j] + a[j + 1]).end(j, i))


def sweeps_by_numpy(a: Any) -> Any:
    a = a.copy()
    for _ in range(3):
        for j in range(len(a) - 1):
            a[j + 1] = 0.5 * a[j] + a[j + 1]
    return a


def products_of_rows(range_: Range, a: Any) -> Any:
    """By slices of an array that both loops fill."""
    j, i = range_(a.shape[1]), range_(a.shape[0])
    x = a[0].contiguous()
    return x.after(x[j].store(0.5 * x[j] + a[i, j] * x[0]).end(j, i))


def products_of_rows_by_numpy(a: Any) -> Any:
    x = a[0].copy()
    for row in a:
        for j, e in enumerate(row):
            x[j] = 0.5 * x[j] + e * x[0]
    return x


def rows_and_a_sum(range_: Range, a: Any) -> Any:
    """Each row's own fold, and one of all elements, in the same loops."""
    i, r, acc, total = range_(a.shape[1]), range_(a.shape[0]), 0.0 * a[:, 0], 0.0 * a[0, 0]
    now, sum_ = acc.after(i, r)[r], total.after(i, r)
    both = UOp.sink(now.store(0.5 * now + a[r, i]), sum_.store(np.cos(sum_) + a[r, i])).end(i, r)
    return acc.after(both) * total.after(both)


def rows_and_a_sum_by_numpy(a: Any) -> Any:
    total = 0.0
    for x in a.ravel():
        total = np.cos(total) + x
    return folded_columns(a, np.zeros(len(a))) * total


ROWS, LINE = RNG.normal(size=(5, 3)), RNG.normal(size=7)
MATS = (RNG.normal(size=(1, 4)), RNG.normal(size=(3, 4, 4)))
CASES = {
    "range plus one": Case(lambda rg, x: closed(x[r := rg(5)] + 1.0, r), lambda x: x + 1.0, (ROWS,)),
    "transposed": Case(lambda rg, x: closed(x[:, (r := rg(3))], r), lambda x: x.T, (ROWS,)),
    "flipped": Case(lambda rg, x: closed(x[4 - (r := rg(5))], r), lambda x: x[::-1], (ROWS,)),
    "diagonal": Case(lambda rg, x: closed(x[(r := rg(3)), r], r), np.diag, (ROWS,)),
    "beside an array": Case(lambda rg, x: closed(x[(r := rg(5)), [2, 0, 2]], r), lambda x: x[:, [2, 0, 2]], (ROWS,)),
    "reduce": Case(total, lambda x: x.sum(0), (ROWS,)),
    "fold": Case(fold, folded, (ROWS,)),
    "fold of columns": Case(
        fold_of_columns, lambda a: folded_columns(a * a[0], np.zeros(len(a))), (ROWS,)),
    "fold of each row": Case(fold_of_each_row, lambda a: folded_columns(a, a[:, 0]), (ROWS,)),
    "matmuls folded": Case(matmuls_folded, lambda v, m: products(v, m)[-1], MATS),
    "matmuls folded from empty": Case(matmuls_folded_from_empty, lambda v, m: products(v, m)[-1], MATS),
    "matmuls scanned": Case(matmuls_scanned, lambda v, m: np.stack(products(v, m)), MATS),
    "two before": Case(two_before, two_before_by_numpy, (LINE,)),
    "backward": Case(backward, backward_by_numpy, (LINE,)),
    "in place": Case(in_place, in_place_by_numpy, (LINE,)),
    "along the last axis": Case(last_axis, lambda a: np.cumprod(a, 1), (ROWS,)),
    "anywhere": Case(anywhere, anywhere_by_numpy, (LINE, np.array([3, 0, 3, 6, 3]))),
    "fold in a fold": Case(fold_in_a_fold, fold_in_a_fold_by_numpy, (ROWS,)),
    "reduce in a fold": Case(reduce_in_a_fold, reduce_in_a_fold_by_numpy, (ROWS,)),
    "windows": Case(windows, windows_by_numpy, (LINE,)),
    "twice": Case(twice, twice_by_numpy, (LINE,)),
    "fold and scan": Case(fold_and_scan, fold_and_scan_by_numpy, (LINE,)),
    "two scans": Case(two_scans, two_scans_by_numpy, (LINE,)),
    "rows folded": Case(rows_folded, lambda a: folded_columns(np.sin(a), np.zeros(len(a))), (ROWS,)),
    "rows folded from empty": Case(
        rows_folded_from_empty, lambda a: folded_columns(np.sin(a), np.zeros(len(a))), (ROWS,)),
    "products of rows": Case(products_of_rows, products_of_rows_by_numpy, (ROWS,)),
    "sweeps": Case(sweeps, sweeps_by_numpy, (LINE,)),
    "rows and a sum": Case(rows_and_a_sum, rows_and_a_sum_by_numpy, (ROWS,)),
    "counted": Case(counted, counted_by_numpy, (LINE,)),
}
cases = pytest.mark.parametrize("name", CASES)


def by(kind: AxisType) -> Range:
    return lambda n: UOp.range(n, None, kind)


def with_gradient(case: Case, kind: AxisType) -> Callable[..., Any]:
    """Values, and the derivative of a weighted sum of them in the first array."""

    def f(x: Any, *rest: Any) -> Any:
        def weighted(x: Any) -> Any:
            y = case.program(by(kind), x, *rest)
            return (np.cos(np.arange(float(y.size)).reshape(y.shape)) * y).sum(), y

        gradient, y = ft.grad(weighted, has_aux=True)(x)
        return y, gradient

    return f


def along(case: Case, x: Any, *rest: Any) -> Any:
    """The derivative of the same sum along a direction, by a complex step through NumPy."""
    direction = np.sin(np.arange(float(x.size)).reshape(x.shape))
    slope = np.asarray(complex_step(lambda x: case.meaning(x, *rest), (x,), (direction,)))
    return (np.cos(np.arange(float(slope.size)).reshape(slope.shape)) * slope).sum(), direction


@cases
def test_values_at_the_prompt_and_compiled(name: str) -> None:
    case = CASES[name]
    wanted = case.meaning(*case.arrays)
    for kind in KINDS:
        f = functools.partial(case.program, by(kind))
        assert_close(ft.jit(f)(*case.arrays), wanted)
        assert_close(f(*map(Tensor, case.arrays)).numpy(), wanted)
        assert_close(interpreted(f, *case.arrays)[0], wanted)


@cases
def test_every_way_to_map_with_gradients(name: str) -> None:
    """By three methods and two axis types, of loops of two types: one set of bits, which each lane has alone."""
    case = CASES[name]
    first, *rest = case.arrays
    batch = np.stack([first, first[::-1], 0.5 * first])
    axes = (0, *(None for _ in rest))
    found = {}
    for method, axis_type, kind in itertools.product(METHODS, AXIS_TYPES, KINDS[:2]):
        f = with_gradient(case, kind)
        got = ft.jit(ft.vmap(f, axes, method=method, axis_type=axis_type))(batch, *rest)
        found[method, axis_type, kind] = tuple(x.tobytes() for x in got)
    values, gradients = got
    assert len(set(found.values())) == 1, found.keys()
    assert_close(values, loop(case.meaning, axes)(batch, *rest))
    for k, x in enumerate(batch):
        alone = ft.jit(with_gradient(case, AxisType.LOOP))(x, *rest)
        assert [a.tobytes() for a in alone] == [values[k].tobytes(), gradients[k].tobytes()]
        slope, direction = along(case, x, *rest)
        assert_close((gradients[k] * direction).sum(), slope, 1e-11)


@cases
def test_forward_mode(name: str) -> None:
    case = CASES[name]
    first, *rest = case.arrays
    direction = np.cos(3.0 * first)
    given = list(map(Tensor, rest))
    got = ft.jvp(lambda x: case.program(by(AxisType.LOOP), x, *given), (first,), (direction,))[1]
    assert_close(got, complex_step(lambda x: case.meaning(x, *rest), (first,), (direction,)), 1e-11)


# what they become


def loops(f: Callable[..., Any], *arrays: Any) -> list[Any]:
    """The arguments of the SCANs of a program."""
    return [u.arg for u in ft.make_graph(f)(*arrays).outputs[0].toposort() if u.op is Ops.SCAN]


def test_a_scan_carries_the_elements_that_it_reads() -> None:
    (one,) = loops(functools.partial(backward, UOp.range), LINE)
    (two,) = loops(functools.partial(two_before, UOp.range), LINE)
    assert [p.shape for p in one.body.params[: one.carries]] == [(), ()]  # the element before, and a count of rounds
    assert [p.shape for p in two.body.params[: two.carries]] == [(), (), ()]
    (whole,) = loops(functools.partial(anywhere, UOp.range), LINE, np.array([3, 0]))
    assert [p.shape for p in whole.body.params[: whole.carries]] == [LINE.shape]


def test_elements_that_read_none_of_the_others_are_no_loop() -> None:
    def program(a: Any) -> Any:
        i, out = UOp.range(7), Tensor.empty(9)
        return out.after(out[i + 1].store(np.sin(a[i])).end(i))[1:8]

    assert loops(program, LINE) == []
    assert_close(ft.jit(program)(LINE), np.sin(LINE))


def test_a_chain_of_matmuls_is_one_kernel() -> None:
    for program in (matmuls_folded, matmuls_scanned):
        assert len(ft.jit(functools.partial(program, by(AxisType.OUTER))).lower(*MATS).kernels) == 1


def test_several_stores_are_one_loop() -> None:
    for program in (fold_and_scan, two_scans):
        assert len(loops(functools.partial(program, UOp.range), LINE)) == 1


def test_rows_that_are_folded_by_themselves_carry_no_others() -> None:
    for program in (rows_folded, rows_folded_from_empty):
        (one,) = loops(functools.partial(program, UOp.range), ROWS)
        assert [p.shape for p in one.body.params[: one.carries]][0] == () and one.length == ROWS.shape[1]


def test_no_round() -> None:
    i, acc = UOp.range(0), Tensor(LINE)
    acc_i = acc.after(i)
    assert_close(acc.after(acc_i.store(2.0 * acc_i).end(i)).numpy(), LINE)


def test_what_is_stored_is_what_was_before_elsewhere() -> None:
    """A window, another shape and the memory of an array that is stored into are what it holds in the round."""
    wanted = np.arange(6.0) + 1
    for k in range(4):
        wanted[k + 1] = wanted[1] + wanted[0:2].sum() + 2 * wanted[k] - wanted.reshape(2, 3)[0, 1]
    for x in (Tensor(np.arange(6.0) + 1), Tensor((np.arange(6.0) + 1).reshape(1, 6))[0].contiguous()):
        i = UOp.range(4)
        new = x[1] + x[0:2].sum() + 2 * x[i] - x.reshape(2, 3)[0, 1]
        assert_close(x.after(x[i + 1].store(new).end(i)).numpy(), wanted)
        assert_close(x.numpy(), np.arange(6.0) + 1)


def test_rows_are_what_was_stored_in_other_shapes_too() -> None:
    wanted = np.arange(8.0).reshape(4, 2)
    for k in range(3):
        wanted[k + 1] = wanted[k] + wanted.reshape(8)[2] + wanted.reshape(8)[2:4].sum() + wanted.T[1, 1]

    def program(x: Any) -> Any:
        i = UOp.range(3)
        return x.after(x[i + 1].store(x[i] + x.reshape(8)[2] + x.reshape(8)[2:4].sum() + x.T[1, 1]).end(i))

    rows = np.arange(8.0).reshape(4, 2)
    assert_close(program(Tensor(rows)).numpy(), wanted)
    assert_close(ft.jit(program)(rows), wanted)
    assert_close(ft.jit(lambda x: program(x.reshape(4, 2)))(rows.reshape(8)), wanted)


# what is refused


def test_an_index_that_was_made_of_what_is_stored_into() -> None:
    """At the prompt it is the value from before the loop: only what after gives is read in each round."""
    x, y, i = Tensor(np.zeros(4, np.int64)), Tensor(np.arange(5) * 2 + 1), UOp.range(3)
    with pytest.raises(ft.SpecError, match="of which an index was made"):
        x.after(x[i + 1].store(y[x[0]] + x[i]).end(i))
    x_i = x.after(i)
    assert_close(x.after(x_i[i + 1].store(y[x_i[0]] + x_i[i]).end(i)).numpy(), [0, 1, 2, 3])

A, E, R, J = Tensor(LINE), Tensor.empty(7), UOp.range(7), UOp.range(7)
LATER, SOON = np.maximum(R - 1, 0), np.minimum(R + 1, 6)


def stores(x: Any, at: Any, value: Any) -> Any:
    return x.after(x[at].store(value).end(R))


REFUSED: dict[str, tuple[Callable[[], Any], str]] = {
    "a fold of nothing": (lambda: E.after(E.after(R).store(E.after(R) + A).end(R)), "round 0 .* reads the array"),
    "a fold that reads around its round": (
        lambda: E.after(E.after(R).store(np.where(R == 0, A, E.after(R)) + E).end(R)), "an array without values"),
    "without a guard": (lambda: stores(E, R, E[LATER] + A[R]), "round 0 .* element 0 along axis 0"),
    "another guard": (lambda: stores(E, R, np.where(R == 1, 0.0, E[LATER])), "round 0 .* element 0"),
    "a guard of the other side": (lambda: stores(E, R, np.where(R != 0, 0.0, E[LATER])), "round 0 .* element 0"),
    "itself": (lambda: stores(E, R, np.where(R == 0, 0.0, E[R])), "round 1 .* element 1"),
    "the next one": (lambda: stores(E, R, np.where(R == 0, 0.0, E[SOON])), "round 1 .* element 2"),
    "all of it": (lambda: stores(E, R, np.where(R < 3, 0.0, E.sum())), "round 3 .* all of the array"),
    "somewhere": (lambda: stores(E, R, E[(A[R] > 0).astype(int)] * A[R]), "round 0 .* all of the array"),
    "from the wrong end": (lambda: stores(E, 6 - R, np.where(R == 0, 0.0, E[np.maximum(5 - R, 0)])), "round 1"),
    "a part": (lambda: (x := Tensor.cat(E, A).contiguous()).after(x[R].store(x[R + 7] + x[R]).end(R)), "element 0"),
    "a constant": (lambda: stores(fnp.zeros(7), R, A[R]), "no memory of its own"),
    "an expression": (lambda: stores(A + 1.0, R, A[R]), "no memory of its own"),
    "another array": (lambda: E.after(A[R].store(A[R]).end(R)), "expected the array that this is after"),
    "two axes": (
        lambda: (x := Tensor.empty(7, 7)).after(x[R, R].store(A[R]).end(R)), "expected the array that this is after"),
    "a window": (lambda: E.after(E[0:3].store(A[0:3] * R).end(R)), "expected the array that this is after"),
    "an index outside": (lambda: A[R + 1], "an offset from 1 to 7 for 1 of 7"),
    "a RANGE that is closed within": (
        lambda: A.after((a := A.after(R)).store(a + (a[R] * A[R]).reduce(Ops.ADD, R)).end(R)), "closes"),
    "an array that is open in the RANGE": (lambda: (A[R] * A).after(R), "still open in the array"),
    "an end without a store": (lambda: A.uop.end(R), "expected a store and a RANGE"),
    "a store without an end": (lambda: A.after(A.after(R).store(A)), "expected an array and a RANGE"),
    "an end by no RANGE": (lambda: A[R].store(A[R]).end(R + 1), "expected a store and a RANGE"),
    "an array twice": (
        lambda: A.after(UOp.sink((a := A.after(R)).store(a + 1.0), a.store(a * 2.0)).end(R)), "once in a round"),
    "a sink of nothing": (lambda: UOp.sink().end(R), "a SINK of stores"),
    "a RANGE twice": (lambda: A.after(R).store(A).end(R, R), "END: twice by"),
    "an array of none of the stores": (
        lambda: E.after(UOp.sink((a := A.after(R)).store(a + 1.0)).end(R)), "expected the array that this is after"),
    "a constant in a nest": (lambda: (z := fnp.zeros(7)).after(z[R].store(z[R] + A[J]).end(R, J)), "no memory"),
    "a nest of nothing": (lambda: E.after(E[R].store(E[R] + A[J]).end(J, R)), "round 0 .* reads the array"),
    "expand of an axis that is not one": (lambda: A.expand(R), "expected a RANGE for an axis of size 1"),
    "a fold that nothing ends": (lambda: ft.schedule((A.after(R) + 1.0).uop), "RANGE"),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_refusals(name: str) -> None:
    program, text = REFUSED[name]
    with pytest.raises(ft.SpecError, match=text):
        program()


def test_shapes_and_dtypes_of_stores() -> None:
    with pytest.raises(ft.ShapeError, match=r"\(3,\) does not broadcast"):
        A[R].store(np.ones(3))
    with pytest.raises(ft.DtypeError, match="complex128 does not go into"):
        A[R].store(np.complex128(1j))
    with pytest.raises(ft.SpecError, match=r"STORE: \(7,\) float64 into \(\) float64"):
        A.uop.after(A[R].uop.store(A.uop).end(R))


def test_an_open_fold_has_no_value() -> None:
    with pytest.raises(ft.TracedValueError):
        A.after(R).numpy()
    with pytest.raises(ft.TracedValueError, match="differs from round to round"):
        bool(R == 0)


def test_loop_variables_in_functions_of_numpy() -> None:
    def program() -> Any:
        parts = [R == 2, R != 2, R < 2, R <= 2, R > 2, R >= 2, 2 < R, np.equal(R, 6 - R), np.where(R == 0, 1.5, 2)]
        parts += [np.maximum(2 * R - 3, 0), np.int64(2) * R + 0.5, R * A[R], np.array([1.0, 2.0]).sum() * R]
        parts += [R / 4, R % 3, R // 2, R - 0.5]
        return tuple(Tensor.from_uop(p).vmapout((R,)) if isinstance(p, UOp) else p.vmapout((R,)) for p in parts)

    k = np.arange(7)
    wanted = [k == 2, k != 2, k < 2, k <= 2, k > 2, k >= 2, 2 < k, k == 6 - k, np.where(k == 0, 1.5, 2)]
    wanted += [np.maximum(2 * k - 3, 0), 2 * k + 0.5, k * LINE, 3.0 * k, k / 4, k % 3, k // 2, k - 0.5]
    for got, want in zip(program(), wanted, strict=True):
        assert got.numpy().tolist() == want.tolist() and got.dtype == want.dtype
    assert isinstance(np.int64(2) * R, UOp) and isinstance(np.subtract(R, 1), UOp)
    assert (R == J) is False and (R == R) is True and R != J  # of two nodes: whether they are one
    with pytest.raises(ft.SpecError, match="for nodes of dtype index alone"):
        A.uop * R
