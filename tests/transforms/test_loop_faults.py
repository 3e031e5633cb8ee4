"""Rows 49 and 61 to 64 of the table of faults: loops and branches that are given what they cannot use."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import functrans as ft

HERE = __file__.rsplit("/", 1)[-1]
X = np.arange(6.0).reshape(3, 2)
V = X[:, 0]
kept: list[Any] = []


def add(c: Any, x: Any) -> Any:
    return c + x, c


def keeping(c: Any, x: Any) -> Any:
    kept.append(c)
    return c + x, c


def keep(v: Any) -> Any:
    kept.append(v)
    return v


def up(c: Any) -> Any:
    return c + 1


def small(c: Any) -> Any:
    return c < 3


WRONG: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    # bodies that change the carry (61)
    "shape": (lambda: ft.scan(lambda c, x: (np.stack([c, c]), x), 0.0, V), ft.ShapeError,
              "carry of scan of <lambda> has shape (), but its body makes it (2,)"),
    "shape of a leaf": (lambda: ft.scan(lambda c, x: ({"a": c["a"], "b": c["b"][None]}, x), {"a": 0.0, "b": 1.0}, V),
                        ft.ShapeError, "carry['b'] of scan of <lambda> has shape (), but its body makes it (1,)"),
    "dtype": (lambda: ft.scan(lambda c, x: (c * 1j, x), np.zeros(2), X), ft.DtypeError,
              "has dtype float64, but its body makes it complex128"),
    "integer that becomes a float": (lambda: ft.scan(add, np.int64(0), V), ft.DtypeError,
                                     "has dtype int64, but its body makes it float64"),
    "float that becomes an integer": (lambda: ft.scan(lambda c, x: (x, c), 3.5, np.arange(3)), ft.DtypeError,
                                      "has dtype float64, but its body makes it int64"),
    "bool that becomes a number": (lambda: ft.scan(lambda c, x: (c + 1, c), False, V), ft.DtypeError,
                                   "has dtype bool, but its body makes it int64"),
    "number that becomes a bool": (lambda: ft.scan(lambda c, x: (c > 1, c), 0, V), ft.DtypeError,
                                   "has dtype int64, but its body makes it bool"),
    "number that does not fit": (lambda: ft.scan(lambda c, x: (300, c), np.int8(3), V), ft.IntegerOutOfRange,
                                 "300 is out of bounds for int8"),
    "start that does not fit": (lambda: ft.scan(lambda c, x: (c * x, c), 300, np.ones(3, np.int8)),
                                ft.IntegerOutOfRange, "300 is out of bounds for int8"),
    "start that does not fit, in a trace": (
        lambda: ft.jit(lambda x: ft.scan(lambda c, x: (c * x, c), 300, x))(np.ones(3, np.int8)),
        ft.IntegerOutOfRange, "300 is out of bounds for int8"),
    "structure": (lambda: ft.scan(lambda c, x: ((c, c), x), 0.0, X), ft.ArgumentError,
                  "the carry of scan of <lambda> has the structure *, but its body gives back (*, *)"),
    "structure with None": (lambda: ft.scan(lambda c, x: (None, x), 0.0, X), ft.ArgumentError, "gives back None"),
    "no pair": (lambda: ft.scan(lambda c, x: c, 0.0, V), ft.ArgumentError, "must return a pair"),
    "no pair but an array of two": (lambda: ft.scan(lambda c, x: np.stack([c, x]), 0.0, V), ft.ArgumentError,
                                    "must return a pair"),
    "no value": (lambda: ft.scan(lambda c, x: None, 0.0, V), ft.ArgumentError, "but returned NoneType"),
    "result that is no array": (lambda: ft.scan(lambda c, x: (c, "a"), 0.0, V), ft.ArgumentError, "'a' of type str"),
    "carry that is no array": (lambda: ft.scan(lambda c, x: ("c", x), 0.0, V), ft.ArgumentError, "'c' of type str"),
    "shape in a while_loop": (lambda: ft.while_loop(small, lambda c: c + np.ones(2), 0), ft.ShapeError,
                              "carry of while_loop of <lambda> has shape (), but its body makes it (2,)"),
    "dtype in a while_loop": (lambda: ft.while_loop(small, lambda c: c + 1.5, np.int32(0)), ft.DtypeError,
                              "has dtype int32, but its body makes it float64"),
    "dtype in a fori_loop": (lambda: ft.fori_loop(0, 3, lambda i, c: c * 0.5, np.int64(1)), ft.DtypeError,
                             "carry of fori_loop of <lambda> has dtype int64"),
    # lengths and bounds (62)
    "lengths": (lambda: ft.scan(add, 0.0, (X, X[:2])), ft.ShapeError, "xs[0] has 3 elements, xs[1] has 2 elements"),
    "length": (lambda: ft.scan(add, np.zeros(2), X, length=4), ft.ShapeError, "xs has 3 elements, length is 4"),
    "negative length": (lambda: ft.scan(add, 0.0, None, length=-1), ft.ArgumentValueError, "length=-1 of scan of add"),
    "length that is a float": (lambda: ft.scan(add, 0.0, None, length=2.0), ft.ArgumentValueError,  # type: ignore[arg-type]
                               "length=2.0"),
    "traced length": (lambda: ft.jit(lambda n: ft.scan(add, 0.0, None, length=n))(3), ft.ArgumentValueError, "traced"),
    "neither xs nor length": (lambda: ft.scan(add, 0.0), ft.ArgumentError, "no sequence to loop over, and no length"),
    "xs without leaves": (lambda: ft.scan(add, 0.0, {}), ft.ArgumentError, "no sequence to loop over, and no length"),
    "xs that is a number": (lambda: ft.scan(add, 0.0, 3.0), ft.ShapeError, "xs of scan of add is a number"),
    "xs of numbers": (lambda: ft.scan(add, 0.0, [1.0, 2.0]), ft.ShapeError, "xs[0] of scan of add is a number"),
    "unroll": (lambda: ft.scan(add, 0.0, V, unroll=0), ft.ArgumentValueError, "unroll=0 of scan of add"),
    "unroll of a fori_loop": (lambda: ft.fori_loop(0, 3, lambda i, c: c, 0, unroll=0), ft.ArgumentValueError,
                              "unroll=0 of fori_loop"),
    "checkpoint_every": (lambda: ft.scan(add, 0.0, V, checkpoint_every=0), ft.ArgumentValueError,
                         "checkpoint_every=0"),
    "float bound": (lambda: ft.fori_loop(0.0, 3, lambda i, c: c, 0), ft.DtypeError,
                    "lower of fori_loop of <lambda> is float64; expected an integer"),
    "bool bound": (lambda: ft.fori_loop(0, True, lambda i, c: c, 0), ft.DtypeError, "upper of fori_loop"),
    "bound with axes": (lambda: ft.fori_loop(np.zeros(2, int), 3, lambda i, c: c, 0), ft.ShapeError,
                        "lower of fori_loop of <lambda> has shape (2,)"),
    "no bound": (lambda: ft.fori_loop(None, 3, lambda i, c: c, 0), ft.ArgumentError, "lower of fori_loop of <lambda>"),
    "bound beyond int64": (lambda: ft.fori_loop(0, 2**70, lambda i, c: c, 0), ft.DtypeError, "does not fit into int64"),
    "index that does not fit": (lambda: ft.fori_loop(0, 200, lambda i, c: c + i, np.int8(0)), ft.IntegerOutOfRange,
                                "199 is out of bounds for int8"),
    "index that may not fit": (lambda: ft.jit(lambda n: ft.fori_loop(0, n, lambda i, c: c + i, np.int8(0)))(3),
                               ft.DtypeError, "the index of fori_loop of <lambda> meets int8"),
    "max_steps": (lambda: ft.while_loop(small, up, 0, max_steps=-1), ft.ArgumentValueError, "max_steps=-1"),
    # functions that are none
    "scan of None": (lambda: ft.scan(None, 0.0, X), ft.ArgumentError, "f of scan is None of type NoneType"),  # type: ignore[arg-type]
    "while_loop without a body": (lambda: ft.while_loop(small, 3, 0), ft.ArgumentError, "body_fun of while_loop is 3"),  # type: ignore[arg-type]
    "while_loop without a condition": (lambda: ft.while_loop(3, up, 0), ft.ArgumentError, "cond_fun of while_loop"),  # type: ignore[arg-type]
    "fori_loop of a number": (lambda: ft.fori_loop(0, 3, 4, 0), ft.ArgumentError, "body_fun of fori_loop is 4"),  # type: ignore[arg-type]
    "cond of numbers": (lambda: ft.cond(True, 3, 4), ft.ArgumentError, "true_fun of cond is 3 of type int"),  # type: ignore[arg-type]
    "switch of a number": (lambda: ft.switch(0, [up, 3], 1), ft.ArgumentError, "branches[1] of switch is 3"),  # type: ignore[list-item]
    "switch without branches": (lambda: ft.switch(0, []), ft.ArgumentError, "switch got the branches []"),
    "switch of no list": (lambda: ft.switch(0, 3), ft.ArgumentError, "switch got the branches 3"),  # type: ignore[arg-type]
    # predicates (63)
    "array for a predicate": (lambda: ft.cond(X > 0, lambda: 1, lambda: 2), ft.ShapeError, "has shape (3, 2)"),
    "one element for a predicate": (lambda: ft.cond(np.array([True]), lambda: 1, lambda: 2), ft.ShapeError, "(1,)"),
    "tuple for a predicate": (lambda: ft.cond((True,), lambda: 1, lambda: 2), ft.ArgumentError, "is a tuple"),
    "None for a predicate": (lambda: ft.cond(None, lambda: 1, lambda: 2), ft.ArgumentError, "pred of cond"),
    "text for a predicate": (lambda: ft.cond("a", lambda: 1, lambda: 2), ft.ArgumentError, "'a' of type str"),
    "float for an index": (lambda: ft.switch(0.0, [lambda: 1]), ft.DtypeError, "float64; expected an integer"),
    "bool for an index": (lambda: ft.switch(True, [lambda: 1]), ft.DtypeError, "is bool; expected an integer"),
    "array in a condition": (lambda: ft.while_loop(small, up, np.zeros(2)), ft.ShapeError, "gives [(2,)]"),
    "number in a condition": (lambda: ft.while_loop(lambda c: c - 3, up, 0), ft.DtypeError, "gives int64; expected"),
    "pair in a condition": (lambda: ft.while_loop(lambda c: (c < 3, c < 4), up, 0), ft.ShapeError, "gives [(), ()]"),
    "nothing in a condition": (lambda: ft.while_loop(lambda c: None, up, 0), ft.ShapeError, "gives []"),
    "branches of other shapes": (lambda: ft.cond(True, lambda x: x, lambda x: x[0], X), ft.ShapeError,
                                 "has shape (2,) in false_fun and (3, 2) in true_fun"),
    "branches of other structure": (lambda: ft.cond(True, lambda x: x, lambda x: (x,), X), ft.ArgumentError,
                                    "false_fun of cond of <lambda> and <lambda> returns the structure (*,)"),
    "branches of other dtypes": (lambda: ft.cond(True, lambda x: x, lambda x: x.astype(np.float32), X), ft.DtypeError,
                                 "is float32 in false_fun, float64 in true_fun"),
    "a number that a branch cannot hold": (lambda: ft.cond(True, lambda x: x, lambda x: 1.5, np.int64(2)),
                                           ft.DtypeError, "is float64 in false_fun, int64 in true_fun"),
    "a number too large for a branch": (lambda: ft.cond(True, lambda x: x, lambda x: 300, np.int8(2)),
                                        ft.IntegerOutOfRange, "300 is out of bounds for int8"),
    # values that are read, and that leave
    "if in a body": (lambda: ft.scan(lambda c, x: (c if x > 0 else -c, c), 0.0, V), ft.TracedValueError, "bool"),
    "float in a body": (lambda: ft.scan(lambda c, x: (float(c), c), 0.0, V), ft.TracedValueError, "float()"),
    "carry that leaves": (lambda: ft.jit(lambda x: (ft.scan(keeping, 0.0, x), kept[-1] * 2)[1])(V),
                          ft.LeakedValueError, "of scan of keeping"),
    "carry that leaves under vmap": (lambda: ft.vmap(lambda x: (ft.scan(keeping, 0.0, x), kept[-1])[1])(X),
                                     ft.LeakedValueError, "of scan of keeping"),
    "carry that leaves an inner loop": (
        lambda: ft.scan(lambda c, x: (ft.scan(keeping, c, V), (kept[-1] + x, c))[1], 0.0, V), ft.LeakedValueError,
        "of scan of keeping"),
    "operand that leaves": (
        lambda: ft.jit(lambda x: (ft.cond(True, keep, lambda v: v, x), kept[-1])[1])(3.0),
        ft.LeakedValueError, "of cond of keep"),
    "carry that leaves a condition": (
        lambda: ft.jit(lambda x: (ft.while_loop(lambda v: keep(v) < 3, up, x), kept[-1])[1])(1.0),
        ft.LeakedValueError, "of while_loop of up"),
    "index that leaves": (lambda: (ft.fori_loop(0, 3, lambda i, v: v + keep(i), 1.0), kept[-1].item()),
                          ft.LeakedValueError, "of fori_loop of <lambda>"),
    # reverse (64)
    "reverse of a while_loop": (lambda: ft.grad(lambda x: ft.while_loop(lambda c: c < 9, lambda c: c * x, 1.0))(3.0),
                                ft.UnsupportedError, "give max_steps, or use scan, or jvp"),
    "reverse of traced bounds": (lambda: ft.grad(lambda x, n: ft.fori_loop(0, n, lambda i, c: c * x, x))(4.0, 3),
                                 ft.UnsupportedError, "a fori_loop with traced bounds"),
}  # fmt: skip


@pytest.mark.parametrize("name", WRONG)
def test_what_is_refused(name: str) -> None:
    call, error, text = WRONG[name]
    with pytest.raises(error, match=re.escape(text)) as caught:
        call()
    assert isinstance(caught.value, ft.FunctransError)
    assert HERE in str(caught.value)
