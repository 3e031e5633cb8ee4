"""Host steps: where a graph is cut, what crosses a cut, batches, launches, and refusals."""

from __future__ import annotations

import numpy as np
import pytest

from functrans.backend.dense import expansion
from functrans.backend.pipeline import Program
from functrans.backend.schedule.host import cut
from functrans.backend.schedule.passes import schedule
from functrans.errors import LinAlgError, SpecError
from functrans.ops import AxisType, GroupOp, Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.interpret import interpret

pytestmark = pytest.mark.usefixtures("compiler")
F = dtypes.float64
ZERO = UOp.const(dtypes.index, 0)
A, RHS = source.param((4, 3, 3), F), source.param((3, 2), F)


@pytest.fixture(params=["steps", "written out"], autouse=True)
def large(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether matrices count as large, as they are in life where there are host steps."""
    if request.param == "steps":
        monkeypatch.setattr(expansion, "is_small", lambda node, inside: False)
        monkeypatch.setattr(expansion, "is_routine", lambda node, inside, shares: False)
    return request.param == "steps"


def matrices(shape: tuple[int, ...], seed: int = 0) -> np.ndarray:
    """Distinct well-conditioned matrices."""
    return np.random.default_rng(seed).normal(size=shape) + 4 * np.eye(shape[-1])


def values() -> dict[UOp, np.ndarray]:
    return {A: matrices((4, 3, 3)), RHS: np.random.default_rng(1).normal(size=(3, 2))}


def same(roots: list[UOp], bound: dict[UOp, np.ndarray]) -> Program:
    p = Program(roots, list(bound))
    for got, want in zip(p(list(bound.values())), interpret(roots, bound), strict=True):
        assert got.dtype == want.dtype
        np.testing.assert_allclose(got, want, rtol=1e-12, atol=1e-14)
    return p


@pytest.mark.parametrize("kind", [AxisType.LOOP, AxisType.OUTER])
def test_steps_under_a_bracket(kind: AxisType, large: bool) -> None:
    r = UOp.range(4, None, kind)
    a = A.vmapin((r, ZERO, ZERO))
    square = B.mul(a, a)
    x = B.solve(square, B.mul(RHS, RHS))
    total = B.broadcast(B.reduce_axis(square, Ops.ADD, (0, 1)), (3, 2))
    y = B.add(B.solve(a, x), B.mul(x, total)).vmapout((ZERO, r, ZERO))
    ops = [UOp(Ops.SLOGDET, F, (a,), 1), B.det(a), B.adjugate(a)]
    roots = [y, *(o.vmapout((*(ZERO,) * o.ndim, r)) for o in ops), A]
    p = same(roots, values())
    assert all(not {u.op for u in k.roots[0].toposort()} & GroupOp.Host for k in p.kernels)
    if not large:
        return
    assert sum(k.launches for k in p.kernels if k.outer) == (0 if kind is AxisType.LOOP else 4 * len(p.kernels) - 8)


def test_brackets_in_brackets() -> None:
    x = source.param((2, 5, 3, 3), F)
    r, q = UOp.range(2), UOp.range(5, None, AxisType.OUTER)
    outer = x.vmapin((r, ZERO, ZERO, ZERO))
    shared = B.solve(B.reshape(B.shrink(outer, ((0, 1), (0, 3), (0, 3))), (3, 3)), RHS)
    inner = outer.vmapin((q, ZERO, ZERO))
    y = B.add(B.solve(inner, shared), B.solve(B.mul(inner, inner), RHS)).vmapout((ZERO, q, ZERO))
    root = B.solve(B.reshape(B.shrink(outer, ((1, 2), (0, 3), (0, 3))), (3, 3)), B.reshape(y, (3, 10)))
    same([root.vmapout((ZERO, r, ZERO))], {x: matrices((2, 5, 3, 3)), RHS: values()[RHS]})


@pytest.mark.parametrize("batch", [0, 1])
@pytest.mark.parametrize("n", [0, 1, 2])
def test_empty_and_single(batch: int, n: int) -> None:
    x, r = source.param((batch, n, n), F), UOp.range(batch)
    a = x.vmapin((r, ZERO, ZERO))
    roots = [B.solve(a, a).vmapout((r, ZERO, ZERO)), B.det(a).vmapout((r,)), B.adjugate(a).vmapout((r, ZERO, ZERO))]
    roots.append(UOp(Ops.CHOLESKY, F, (a,)).vmapout((r, ZERO, ZERO)))
    same(roots, {x: matrices((batch, n, n))})


def test_what_crosses_a_cut_is_computed_once() -> None:
    a = B.reshape(B.shrink(A, ((0, 1), (0, 3), (0, 3))), (3, 3))
    heavy = UOp(Ops.CUMULATE, F, (B.alu(Ops.EXP, a),), (Ops.ADD, 0))
    late = B.alu(Ops.SIN, a)  # needed after the step alone: nothing of it is stored before
    root = B.add(B.add(B.solve(heavy, a), heavy), late)
    segments, (place,) = cut([root])
    assert [len(s.steps) for s in segments] == [1, 0]
    first = [u for s in segments[:1] for u in s.outputs]
    assert {u.op for u in first} == {Ops.CUMULATE, Ops.SHRINK}
    assert not {u.op for u in UOp.sink(*segments[1].outputs).toposort()} & {Ops.CUMULATE, Ops.EXP}
    assert place in segments[1].places
    same([root], values())


@pytest.mark.parametrize("kind", [AxisType.LOOP, AxisType.OUTER])
def test_a_value_inside_crosses_a_cut(kind: AxisType) -> None:
    r = UOp.range(4, None, kind)
    inner = B.alu(Ops.EXP, A.vmapin((r, ZERO, ZERO)))  # no source of the step, but of both segments
    root = B.mul(B.solve(B.add(inner, B.like(inner, 1)), RHS), B.shrink(inner, ((0, 3), (1, 3))))
    segments, _ = cut([root.vmapout((r, ZERO, ZERO))])
    assert [len(s.outputs) for s in segments] == [2, 1]
    assert Ops.EXP not in {u.op for u in UOp.sink(*segments[1].outputs).toposort()}
    same([root.vmapout((r, ZERO, ZERO))], values())


def test_constants_are_not_stored() -> None:
    a = B.reshape(B.shrink(A, ((0, 1), (0, 3), (0, 3))), (3, 3))
    eye = B.cast(B.eq(B.broadcast(B.reshape(B.iota(3), (3, 1)), (3, 3)), B.broadcast(B.iota(3), (3, 3))), F)
    root = B.add(B.mul(B.solve(B.add(a, eye), a), eye), B.broadcast(B.det(eye), (3, 3)))
    segments, _ = cut([root])
    assert sum(len(s.outputs) for s in segments[:-1]) == 3  # the matrix, the right-hand side, the identity of DET
    same([root], values())


def test_results_that_are_steps_and_arguments() -> None:
    a = B.reshape(B.shrink(A, ((0, 1), (0, 3), (0, 3))), (3, 3))
    x = B.solve(a, RHS)
    p = same([x, B.reshape(x, (6,)), RHS, B.neg(RHS), B.det(a), x], values())
    first, second, *_, last = p(list(values().values()))
    first[...] = 0  # each in memory of its own
    assert second.all()
    assert last.all()


def test_a_result_that_only_changes_its_shape_is_not_copied(large: bool) -> None:
    if not large:
        pytest.skip("nothing is a step here")
    r, q = UOp.range(4), UOp.range(2)
    a = A.vmapin((r, ZERO, ZERO))
    x = B.solve(a, RHS)
    flat, stacked = B.reshape(x, (6,)), B.reshape(x, (2, 3))
    assert not same([flat.vmapout((r, ZERO))], values()).kernels
    assert len(same([flat.vmapout((ZERO, r))], values()).kernels) == 1
    p = same([flat.vmapout((r, ZERO)), stacked.vmapout((r, ZERO, ZERO)), x.vmapout((r, ZERO, ZERO))], values())
    first, *others = p(list(values().values()))
    first[...] = 0  # each in memory of its own
    assert all(other.all() for other in others)
    one = B.solve(B.reshape(B.shrink(A, ((0, 1), (0, 3), (0, 3))), (3, 3)), RHS)
    first, second = same([B.reshape(one, (6,)), one], values())(list(values().values()))
    first[...] = 0
    assert second.all()
    nested = B.reshape(B.solve(a, B.reshape(RHS.vmapin((ZERO, q)), (3, 1))), (3,))
    assert not same([nested.vmapout((q, ZERO)).vmapout((r, ZERO, ZERO))], values()).kernels
    swapped = nested.vmapout((r, ZERO)).vmapout((q, ZERO, ZERO))
    assert len(same([swapped], values()).kernels) == 1


def test_nothing_is_copied_for_a_step_to_read(large: bool) -> None:
    if not large:
        pytest.skip("nothing is a step here")
    r, q = UOp.range(4), UOp.range(2)
    captured = source.buffer(matrices((2, 3, 3), 5))
    a, b = A.vmapin((r, ZERO, ZERO)), B.permute(captured.vmapin((q, ZERO, ZERO)), (1, 0))
    x = B.solve(B.permute(a, (1, 0)), B.expand(B.reshape(B.reshape(RHS, (2, 3)).vmapin((q, ZERO)), (3, 1)), (3, 4)))
    y = B.solve(b, B.permute(B.solve(a, B.shrink(x, ((0, 3), (1, 4)))), (1, 0)))
    p = same([y.vmapout((ZERO, q, ZERO, r))], values())
    assert len(p.kernels) == 2  # the window of x, and the axes of the result


def test_an_axis_in_the_middle_is_mapped_by_a_view(large: bool) -> None:
    if not large:
        pytest.skip("nothing is a step here")
    x, q, r = source.param((3, 4, 3, 2), F), UOp.range(2), UOp.range(4)
    a = x.vmapin((ZERO, r, ZERO, q))
    bound = {x: np.moveaxis(matrices((4, 2, 3, 3)), (0, 1), (1, 3)), RHS: values()[RHS]}
    for inner, outer in (((ZERO, q, ZERO), (ZERO, ZERO, ZERO, r)), ((ZERO, r, ZERO), (q, ZERO, ZERO, ZERO))):
        root = B.solve(a, RHS).vmapout(inner).vmapout(outer)
        assert len(same([root], bound).kernels) == 1


def test_one_value_for_two_places() -> None:
    r = UOp.range(4)
    a = A.vmapin((r, ZERO, ZERO))
    inside = B.add(a, a)
    outside = inside.vmapout((r, ZERO, ZERO))  # what the step reads, closed, is a node of the graph itself
    same([B.solve(inside, a).vmapout((r, ZERO, ZERO)), outside, B.neg(outside)], values())


def test_into_given_arrays() -> None:
    r = UOp.range(4)
    root = B.neg(B.solve(A.vmapin((r, ZERO, ZERO)), RHS)).vmapout((r, ZERO, ZERO))
    out = np.empty((4, 3, 2))
    (got,) = Program([root], [A, RHS])(list(values().values()), [out])
    assert got is out
    np.testing.assert_allclose(out, interpret([root], values())[0], rtol=1e-13)


def test_one_matrix_for_a_batch_is_factored_once(monkeypatch: pytest.MonkeyPatch, large: bool) -> None:
    if not large:
        pytest.skip("nothing is a step here")
    rows, r = source.param((50, 3), F), UOp.range(50)
    a = B.reshape(B.shrink(A, ((0, 1), (0, 3), (0, 3))), (3, 3))
    root = B.solve(a, B.reshape(rows.vmapin((r, ZERO)), (3, 1))).vmapout((r, ZERO, ZERO))
    bound = {A: values()[A], rows: np.random.default_rng(2).normal(size=(50, 3))}
    p = same([root], bound)
    seen = []
    plain = np.linalg.solve
    monkeypatch.setattr(np.linalg, "solve", lambda a, b: seen.append((a.shape, b.shape)) or plain(a, b))
    p(list(bound.values()))
    assert seen == [((3, 3), (3, 50))]


def test_refusals_name_the_matrix() -> None:
    q, r = UOp.range(2), UOp.range(4)
    a = A.vmapin((r, ZERO, ZERO))
    bad = values()
    bad[A][2] = 0.0
    with pytest.raises(LinAlgError, match="solve: the matrix at batch index 2 is singular"):
        Program([B.solve(a, RHS).vmapout((r, ZERO, ZERO))], [A, RHS])(list(bad.values()))
    with pytest.raises(np.linalg.LinAlgError, match=r"singular.* in lane"):
        interpret([B.solve(a, RHS).vmapout((r, ZERO, ZERO))], bad)
    bad[A][2] = -np.eye(3)
    lower = UOp(Ops.CHOLESKY, F, (a,)).vmapout((r, ZERO, ZERO))
    with pytest.raises(LinAlgError, match=r"cholesky: the matrix at batch index 2 is not positive definite"):
        Program([lower], [A])([bad[A]])
    two = source.param((2, 4, 3, 3), F)
    pair = UOp(Ops.CHOLESKY, F, (two.vmapin((q, r, ZERO, ZERO)),)).vmapout((q, r, ZERO, ZERO))
    with pytest.raises(LinAlgError, match=r"at batch index \(0, 2\)"):
        Program([pair], [two])([np.stack([bad[A], bad[A]])])


def test_wrong_nodes() -> None:
    for a, message in [
        (source.param((2, 3), F), "expected square matrices"), (source.param((3,), F), "expected square matrices"),
        (source.param((2, 2), dtypes.int64), "LAPACK has"),
    ]:  # fmt: skip
        with pytest.raises(SpecError, match=message):
            B.det(a)
    with pytest.raises(SpecError, match="right-hand sides of shape"):
        B.solve(source.param((2, 2), F), source.param((3, 1), F))
    r = UOp.range(4)
    with pytest.raises(SpecError, match="left with open ranges of sizes"):
        Program([B.det(A.vmapin((r, ZERO, ZERO)))], [A])([values()[A]])


def test_schedule_shows_all_kernels() -> None:
    e = UOp(Ops.EMPTY, F, (), (3, 3))
    assert len(schedule(B.neg(B.solve(B.mul(e, e), B.add(e, e))))) == 2  # both arguments in one loop
