"""The law of sharding: a function of sharded arrays is the function of the whole arrays, on any number of domains."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import functrans as ft
from tests.laws.drawn import Program, programs, sample
from tests.laws.references import assert_close

LAWS = settings(max_examples=60, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
DOMAINS = ("CPU", "CPU:1", "CPU:2")


def as_tuple(x: Any) -> tuple[Any, ...]:
    return x if isinstance(x, tuple) else (x,)


@st.composite
def sharded(draw: Any) -> tuple[Program, list[np.ndarray[Any, Any]], list[Any]]:
    """A program, its arguments, and the same sharded over one to three domains, along any axis or none."""
    p = draw(programs())
    args = sample(p.shapes, draw(st.integers(0, 9)))
    devices = DOMAINS[: draw(st.integers(1, 3))]
    laid: list[Any] = []
    for x in args:
        axis = draw(st.sampled_from([None, "plain", *range(x.ndim)]))
        laid.append(x if axis == "plain" else ft.Tensor(x).shard(devices, axis=axis))
    return p, args, laid


@pytest.mark.usefixtures("compiler")
@LAWS
@given(sharded())
def test_sharded_is_whole(case: tuple[Program, list[Any], list[Any]]) -> None:
    p, args, laid = case
    wanted = ft.jit(p)(*args)
    try:
        got = ft.jit(p)(*laid)
    except ft.UnsupportedError as error:
        assert "values that lie differently" in str(error)
        return
    for g, w in zip(as_tuple(got), as_tuple(wanted), strict=True):
        assert_close(g, w, 1e-12, p)
