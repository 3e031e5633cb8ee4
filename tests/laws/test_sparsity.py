"""Laws of sparse Jacobians on random programs: the pattern covers, the values are the dense ones, vmap is a loop."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np
from hypothesis import assume, given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans.errors import FunctransWarning, UnsupportedError
from functrans.transforms.sparse.spjacobian import spjacobian
from tests.laws.references import interpreted
from tests.transforms.sparse.programs import Program

SEEDS = st.integers(0, 10**9)
LAW = settings(max_examples=20, deadline=None, derandomize=True)


def drawn(seed: int, smooth: bool) -> tuple[Program, list[Any]]:
    program = Program(seed, smooth)
    return program, program.args


def flat(result: Any) -> Any:
    parts = [np.reshape(np.asarray(r), -1) for r in result]
    return np.concatenate([p if p.dtype.kind in "fc" else np.zeros(p.shape) for p in parts])


def evaluated(program: Program, args: list[Any], **options: Any) -> Any:
    """J of all arguments, and their matrices; programs that jvp refuses by name are passed over."""
    J = spjacobian(program, argnums=tuple(range(len(args))), **options)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FunctransWarning)
        try:
            return J, J(*args)
        except UnsupportedError:
            assume(False)


@given(SEEDS)
@LAW
def test_smooth_programs_against_the_complex_step(seed: int) -> None:
    program, args = drawn(seed, smooth=True)
    _, matrices = evaluated(program, args)
    h = 1e-100
    for k, matrix in enumerate(matrices):
        columns = []
        for j in range(args[k].size):
            z = np.array(args[k], complex)
            z.reshape(-1)[j] += 1j * h
            columns.append(np.imag(flat(program(*args[:k], z, *args[k + 1 :]))) / h)
        want = np.stack(columns, 1) if columns else np.zeros(matrix.shape)
        scale = np.abs(want).max(initial=1.0)
        np.testing.assert_allclose(matrix.toarray(), want, rtol=1e-11, atol=1e-12 * scale, err_msg=repr(program))
        outside = matrix.copy()
        outside.data = np.ones_like(outside.data)
        assert not np.any(want[outside.toarray() == 0]), program


@given(SEEDS)
@LAW
def test_any_program_against_columns_of_jvp(seed: int) -> None:
    program, args = drawn(seed, smooth=False)
    _, matrices = evaluated(program, args, format="csc")
    for k, matrix in enumerate(matrices):
        n = args[k].size
        tangents = [np.zeros((n, *np.shape(a))) for a in args]
        tangents[k] = np.eye(n).reshape(n, *np.shape(args[k]))
        columns = interpreted(ft.vmap(lambda *t: ft.jvp(program, tuple(args), t)[1]), *tangents) if n else []
        for j in range(n):
            have, want = matrix[:, [j]].toarray()[:, 0], flat([c[j] for c in columns])
            np.testing.assert_allclose(have, want, rtol=1e-11, atol=1e-12, err_msg=repr(program))


@given(SEEDS, st.booleans())
@LAW
def test_vmap_of_values_is_a_loop_and_out_is_filled(seed: int, smooth: bool) -> None:
    program, args = drawn(seed, smooth)
    J, matrices = evaluated(program, args)
    lanes = [[a, a * 0.5, a + 0.25] for a in args]
    mapped = ft.vmap(J.values)(*(np.stack(lane) for lane in lanes))
    for lane in range(3):
        alone = J.values(*(a[lane] for a in lanes))
        for have, want in zip(mapped, alone, strict=True):
            np.testing.assert_allclose(have[lane], want, rtol=1e-12, atol=1e-13, err_msg=repr(program))
    out = J.empty_values(*args)
    fixed = [o.copy() for o in out]
    assert J.values(*args, out=out) is out
    for o, f, m in zip(out, fixed, matrices, strict=True):
        np.testing.assert_array_equal(o, m.data)
        # what was filled in ahead is what every evaluation gives
        np.testing.assert_allclose(f[f != 0], m.data[f != 0], rtol=1e-12, err_msg=repr(program))


@given(SEEDS)
@LAW
def test_a_pattern_that_lacks_an_entry_is_found(seed: int) -> None:
    program, args = drawn(seed, smooth=True)
    J, matrices = evaluated(program, args)
    patterns = list(J.pattern(*args))
    k = max(range(len(args)), key=lambda k: np.abs(matrices[k].data).max(initial=0))
    assume(np.abs(matrices[k].data).max(initial=0) > 1e-3)
    lost = int(np.abs(matrices[k].data).argmax())
    keep = np.arange(patterns[k].nnz) != lost
    patterns[k] = (patterns[k].rows[keep], patterns[k].cols[keep], patterns[k].shape)
    checked = spjacobian(program, argnums=tuple(range(len(args))), pattern=tuple(patterns), check=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FunctransWarning)
        try:
            checked(*args)
        except ft.SparsityError:
            return
    raise AssertionError(f"entry {lost} of argument {k} was taken away unnoticed in {program!r}")
