"""Random programs for users: the same for a seed, of every rank, valid on NumPy and Tensors; what is wrong raises."""

from __future__ import annotations

import itertools

import numpy as np
import pytest

from functrans.errors import ArgumentError
from functrans.testing import RandomProgram, check_jvp, check_vjp, check_vmap, random_programs


def test_a_seed_decides_everything() -> None:
    first, again, other = (list(random_programs(6, seed)) for seed in (3, 3, 4))
    assert [repr(f) for f, _ in first] == [repr(f) for f, _ in again] != [repr(f) for f, _ in other]
    for (f, args), (g, same) in zip(first, again, strict=True):
        for a, b in zip((*args, *f(*args)), (*same, *g(*same)), strict=True):
            np.testing.assert_array_equal(a, b)


def test_ranks_and_sizes() -> None:
    pairs = list(random_programs(60, 0, steps=3))
    shapes = {s for f, _ in pairs for s in f.shapes}
    assert {len(s) for s in shapes} == {0, 1, 2, 3}
    assert {0, 1, 2, 3} <= set(itertools.chain(*shapes))
    assert all(isinstance(f, RandomProgram) and f.shapes == tuple(a.shape for a in args) for f, args in pairs)
    given = next(random_programs(1, 0, shapes=[(2, 0), ()]))
    assert [a.shape for a in given[1]] == [(2, 0), ()]


def test_options() -> None:
    texts = {smooth: "".join(repr(f) for f, _ in random_programs(80, 1, smooth=smooth)) for smooth in (True, False)}
    for rough in ("floor", "argmax", "sort", "< "):
        assert rough in texts[False]
        assert rough not in texts[True]
    plain = "".join(repr(f) for f, _ in random_programs(80, 1, smooth=True, pieces=False, matrices=False))
    assert not any(word in plain for word in ("= max(v", "= where(", "= det(", "= solve(", "= inv("))
    for f, args in random_programs(20, 2, smooth=True):
        assert all(np.iscomplexobj(y) or not np.size(y) for y in f(*(a + 0j for a in args)))


def test_every_step_is_listed() -> None:
    f, _ = next(random_programs(1, 9, steps=4))
    lines = repr(f).splitlines()
    assert lines[0] == "program:"
    assert len(lines) >= 1 + len(f.shapes) + 4 + 1


def test_the_laws_hold() -> None:
    for f, args in random_programs(4, 5, steps=5, smooth=True, pieces=False):
        check_jvp(f, args, rtol=1e-6, atol=1e-6)
        check_vjp(f, args, rtol=1e-6, atol=1e-6)
        check_vmap(f, [np.stack([x, x / 2]) for x in args])


def test_what_is_wrong() -> None:
    with pytest.raises(ArgumentError, match=r"count -1 and steps 8.*expected count >= 0 and steps >= 1"):
        random_programs(-1)
    with pytest.raises(ArgumentError, match="count 2 and steps 0"):
        random_programs(2, steps=0)
    assert list(random_programs(0)) == []
