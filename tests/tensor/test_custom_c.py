"""A user's C: compiled as interpreted, under every transform; texts that are no expression are refused at once."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.backend.pipeline import Program
from functrans.backend.ready import _ready
from functrans.backend.structure import structure
from functrans.errors import ArgumentError, CompileError, DtypeError, ShapeError, SpecError, UnsupportedError
from functrans.ops import Ops, UOp, dtypes, source
from functrans.ops import build as B
from functrans.ops.c_text import CText
from functrans.ops.interpret import interpret
from functrans.ops.printer import from_text, to_text

pytestmark = pytest.mark.usefixtures("compiler")  # the C is what is tested

RNG = np.random.default_rng(5)

FMA = ft.custom_c(
    "{0} * {0} + {1}", numpy=lambda a, b: a * a + b, partials=(lambda a, b: 2 * a, lambda a, b: 1.0), name="fma"
)
SINES = ft.custom_c(
    statements="double t = {0};\nfor (int k = 0; k < 3; k++) { t = sin(t); }\n"
    "if (t > 0.5) { {out} = t; } else { {out} = -t; }",
    numpy=lambda a: np.where(np.sin(np.sin(np.sin(a))) > 0.5, np.sin(np.sin(np.sin(a))), -np.sin(np.sin(np.sin(a)))),
    name="three sines; }",
)  # fmt: skip
CLIP = ft.custom_c(
    statements="if ({0} < {1}) {out} = {1}; else if ({0} > {2}) {out} = {2}; else {out} = {0};",
    numpy=np.clip, partials=(lambda x, a, b: ((x >= a) & (x <= b)) * 1.0, None, None),
)  # fmt: skip
BOTH = {"expression": (FMA, lambda a, b: a * a + b), "statements": (lambda a, b: SINES(a) + b, None)}


def want(name: str, a: Any, b: Any) -> Any:
    return a * a + b if name == "expression" else SINES._text.numpy(a) + b


both = pytest.mark.parametrize("name", BOTH)


@both
@pytest.mark.parametrize("shapes", [((3, 4, 5), (4, 1)), ((2, 0, 3), ()), ((), ()), ((1, 1), (1,)), ((4,), (3, 1))])
def test_compiled_is_interpreted_is_numpy(name: str, shapes: Any) -> None:
    f = BOTH[name][0]
    a, b = (RNG.normal(size=s) for s in shapes)
    expected = want(name, a, b)
    np.testing.assert_allclose(ft.jit(f)(a, b), expected, rtol=1e-14)
    np.testing.assert_allclose(f(a, b).numpy(), expected, rtol=1e-14)
    assert ft.jit(f)(a, b).shape == np.broadcast_shapes(*shapes)


@both
@pytest.mark.parametrize("method", ["vmapin", "rewrite", "pad_reduce"])
@pytest.mark.parametrize("axis_type", ["loop", "outer"])
@pytest.mark.parametrize("axes", [(0, 0), (2, None), (None, -1)])
def test_vmap_is_a_loop(name: str, method: str, axis_type: str, axes: Any) -> None:
    f = BOTH[name][0]
    lanes = [RNG.normal(size=(3, 2, 4)), RNG.normal(size=(3, 2, 1))]
    expected = np.stack([want(name, *(x[0] if a is None else x[k] for x, a in zip(lanes, axes, strict=True)))
                         for k in range(3)])  # fmt: skip
    given = [x[0] if a is None else np.moveaxis(x, 0, a) for x, a in zip(lanes, axes, strict=True)]
    got = ft.vmap(f, in_axes=axes, method=method, axis_type=axis_type)(*given)
    np.testing.assert_allclose(got, expected, rtol=1e-14)
    empty = [x if a is None else np.take(x, [], axis=a) for x, a in zip(given, axes, strict=True)]
    assert ft.vmap(f, in_axes=axes, method=method, axis_type=axis_type)(*empty).shape == (0, 2, 4)


def test_fused_with_what_stands_around_it() -> None:
    f = ft.jit(ft.vmap(lambda x: np.exp(FMA(np.sin(x), x.sum())) + SINES(x)))
    x = RNG.normal(size=(3, 4))
    np.testing.assert_allclose(
        f(x), np.exp(np.sin(x) ** 2 + x.sum(1, keepdims=True)) + SINES._text.numpy(x), rtol=1e-13
    )
    assert len(f.lower(x).kernels) == 1


def test_derivatives_by_the_partials() -> None:
    a, b, s, t = RNG.normal(size=(4, 3, 4))
    value, tangent = ft.jvp(FMA, (a, b), (s, t))
    np.testing.assert_allclose(value, a * a + b)
    np.testing.assert_allclose(tangent, 2 * a * s + t)
    ga, gb = ft.grad(lambda a, b: (FMA(a, b) * t).sum(), argnums=(0, 1))(a, b)
    np.testing.assert_allclose(ga, 2 * a * t)
    np.testing.assert_allclose(gb, t)
    np.testing.assert_allclose(ft.vmap(ft.grad(lambda x: FMA(x, x).sum()))(a), 2 * a + 1)
    np.testing.assert_allclose(ft.hessian(lambda x: FMA(x, x).sum())(a[0]), 2 * np.eye(4))
    np.testing.assert_allclose(ft.grad(lambda x: CLIP(x, -0.5, 0.5).sum())(a), (np.abs(a) <= 0.5) * 1.0)
    assert not ft.jvp(lambda b: CLIP(0.0, b, 1.0), (0.5,), (1.0,))[1]


def test_derivatives_that_are_not_given() -> None:
    x = RNG.normal(size=3)
    with pytest.raises(UnsupportedError, match=r"CUSTOM 'three sines; }' \(test_custom_c.py:\d+\).*partials="):
        ft.jvp(SINES, (x,), (x,))
    with pytest.raises(UnsupportedError, match="CUSTOM 'three sines; }'"):
        ft.grad(lambda x: SINES(x).sum())(x)
    np.testing.assert_allclose(ft.grad(lambda x: (x * SINES(ft.stop_gradient(x))).sum())(x), SINES._text.numpy(x))
    real = ft.custom_c("__real__ {0}", numpy=np.real, dtype=np.float64, partials=(lambda z: 1.0,))
    with pytest.raises(UnsupportedError, match="from complex128 to float64, is not defined"):
        ft.jvp(real, (1j,), (1j,))


def test_sparsity_is_elementwise() -> None:
    x = RNG.normal(size=5)
    J = ft.spjacobian(lambda x: FMA(x[1:], x[:-1]))
    expected = np.zeros((4, 5))
    expected[np.arange(4), np.arange(1, 5)] = 2 * x[1:]
    expected[np.arange(4), np.arange(4)] = 1
    np.testing.assert_allclose(J(x).toarray(), expected)
    assert J.pattern(x).nnz == 8
    assert ft.spjacobian(lambda x: CLIP(x, x[::-1], 2.0)).pattern(x).nnz == 5  # what has no derivative is no entry


@pytest.mark.parametrize("dtype", [d.numpy for d in dtypes.ALL if d.name != "float16"], ids=str)
def test_dtypes(dtype: Any) -> None:
    a = np.array([0, 1, 1, 0, 1]).astype(dtype)
    b = np.array([1, 1, 0, 0, 1]).astype(dtype)
    f = ft.custom_c("{0} == {1} ? {0} : {1}", numpy=lambda a, b: np.where(a == b, a, b))
    same = ft.custom_c("{0} == {1}", numpy=lambda a, b: a == b, dtype=bool)
    got = ft.jit(lambda a, b: (f(a, b), same(a, b)))(a, b)
    np.testing.assert_array_equal(got[0], np.where(a == b, a, b))
    np.testing.assert_array_equal(got[1], a == b)
    assert (got[0].dtype, got[1].dtype) == (np.dtype(dtype), np.dtype(bool))


def test_promotion_is_numpys() -> None:
    for a, b in ((np.float32(2), 3), (np.int8(2), np.int32(4)), (2, 3.0), (np.float32(1), np.float64(2)), (True, 2)):
        assert FMA(np.asarray(a) if isinstance(a, np.generic) else a, b).dtype == np.result_type(a, b)
    assert ft.jit(FMA)(np.ones(2, np.float32), 2.0).dtype == np.float32


def test_the_text_is_a_key_of_the_plans_and_the_python_functions_are_not() -> None:
    def unit(text: str, name: str = "f") -> Any:
        f = ft.custom_c(text, numpy=lambda a: a, name=name)
        x = source.param((3,), dtypes.float64)
        return structure([f(ft.Tensor.from_uop(x)).uop], [x])

    assert unit("{0} + 1") == unit("{0} + 1")
    assert len({unit("{0} + 1"), unit("{0} + 2"), unit("{0} + 1", "g")}) == 3
    before = len(_ready)
    for k in (1.0, 2.0, 3.0):
        f = ft.custom_c("{0} - 0.25", numpy=lambda a: a - 0.25)
        assert ft.jit(f)(k) == k - 0.25
    assert len(_ready) <= before + 1


def test_the_same_name_twice_is_two_functions() -> None:
    up, down = (ft.custom_c(statements=f"{{out}} = {{0}} {s} 1;", numpy=lambda a: a, name="step") for s in "+-")
    got = ft.jit(lambda x: (up(x), down(x), up(x.astype(np.float32))))(3.0)
    assert [float(g) for g in got] == [4.0, 2.0, 4.0]


def test_names_of_the_users_do_not_meet_those_of_the_library() -> None:
    f = ft.custom_c(
        statements="double v0 = 2 * {0}, a0 = v0, o0 = a0, acc0 = o0, i0 = acc0, scratch = i0, n0 = scratch;\n"
        "{ double v0 = n0; {out} = v0 + {0}; }",
        numpy=lambda a: 3 * a,
    )  # fmt: skip
    x = RNG.normal(size=(3, 4))
    np.testing.assert_allclose(ft.jit(lambda x: f(x).sum(axis=1) + f(x.sum(axis=1)))(x), 6 * x.sum(1))
    arguments = ft.custom_c("{0} - {1}", numpy=np.subtract)
    np.testing.assert_allclose(ft.jit(lambda a, b: arguments(a, b - a))(x, 1.0), x - (1 - x))  # parenthesised


def test_arguments_stand_in_parentheses() -> None:
    minus = ft.custom_c("{0} -{1}", numpy=np.subtract)
    assert ft.jit(lambda x: minus(x, -1.0))(2.0) == 3.0  # not x --1.0
    assert CText("f", "{1} % {0}", np.fmod).filled(["a + b", "c ? d : e"]) == "(c ? d : e) % (a + b)"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("", "empty"), (3, "empty"), ("1.0", "one for each argument"), ("{1}", "none left out"),
        ("{0} + {2}", "none left"),
        ("{0} + {x}", "unknown placeholder {x}"), ("{}", "unknown placeholder {}"), ("{0} + {out}", "no {out}"),
        ("{0}); (1", "no statements"), ("({0}", "( is not closed"), ("{0})", ") closes nothing"), ("[{0})", ") closes"),
        ("{0} // one", "no comments"), ("{0} /* one */", "no comments"), ("{0} \\", "backslashes"), ("#if {0}", "#"),
        ("{0} + v0", "v0 is not known"), ("{0} + INFINITY", "INFINITY is not known"),
        ("ft_max_f64({0}, 1)", "ft_max_f64"),
        ("system({0})", "__builtin_system"), ("{0} ? return : 1", "return"), ("{0} \u00d7 2", "ASCII"),
        ("{0}\n+ 1", "one line"),
    ],
)  # fmt: skip
def test_texts_that_are_no_expression(text: Any, what: str) -> None:
    with pytest.raises(ArgumentError, match=rf"(?s)pump: .*{re.escape(what)}.*test_custom_c.py"):
        ft.custom_c(text, numpy=lambda *a: a[0], name="pump")


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("{0};", "statements set {out}"), ("{out} = 1;", "one for each argument"),
        ("{out} = {0}; }", "} closes nothing"),
        ("{out} = {0}; return;", "return has no place"), ("static int k; {out} = {0};", "static has no place"),
        ("goto end; end: {out} = {0};", "goto"), ("{out} = {0} + {y};", "unknown placeholder {y}"),
        ("printf(\"{0}\"); {out} = {0};", "__builtin_printf"), ("{out} = ft_out;{0};", "ft_out"),
    ],
)  # fmt: skip
def test_texts_that_are_no_statements(text: str, what: str) -> None:
    with pytest.raises(ArgumentError, match=rf"(?s)pump: .*{re.escape(what)}"):
        ft.custom_c(statements=text, numpy=lambda *a: a[0], name="pump")


def test_braces_and_builtins_are_those_of_c() -> None:
    f = ft.custom_c(
        statements="double pair[] = { {0}, {1} }; char c = '}';\n"
        "{out} = pair[c == '}'] + __builtin_fma(1e0, .5f, 0x1p1);",
        numpy=lambda a, b: b + 2.5,
    )  # fmt: skip
    assert ft.jit(f)(1.0, 3.0) == 5.5
    g = ft.custom_c("pow ({0}, 2.) + (double)((int){0}) + (sizeof(int) == 4)", numpy=lambda a: a**2 + int(a) + 1)
    assert ft.jit(g)(3.5) == 3.5**2 + 4


def test_wrong_arguments() -> None:
    with pytest.raises(ArgumentError, match="fma takes 2 arguments, as its text says, and got 1"):
        FMA(1.0)
    with pytest.raises(ShapeError, match="do not broadcast"):
        FMA(np.ones(2), np.ones(3))
    for kwargs, what in (
        ({"expr": "{0}"}, "numpy= is None"), ({"expr": "{0}", "partials": ()}, "numpy= is None"),
        ({}, "either an expression or statements"),
        ({"expr": "{0}", "statements": "{out}={0};"}, "either an expression"),
        ({"expr": "{0}", "name": ""}, "name is ''"),
    ):  # fmt: skip
        with pytest.raises(ArgumentError, match=what):
            ft.custom_c(**{"numpy": None, **kwargs})
    for partials in ((), (abs, abs), (3,)):
        with pytest.raises(ArgumentError, match="a function or None for each of 1 arguments"):
            ft.custom_c("{0}", numpy=lambda a: a, partials=partials)
    with pytest.raises(DtypeError):
        ft.custom_c("{0}", numpy=lambda a: a, dtype=object)


def test_python_functions_that_return_what_does_not_fit() -> None:
    x = np.ones((2, 3))
    for numpy, error, what in (
        (np.sum, ShapeError, r"numpy= of odd \(test_custom_c.py:\d+\) returned shape \(\)"),
        (lambda a: a * 1j, DtypeError, "returned dtype complex128; the result is float64"),
        (lambda a: a.astype(str), DtypeError, "returned dtype"),
    ):
        with pytest.raises(error, match=what):
            ft.custom_c("{0}", numpy=numpy, name="odd")(x).numpy()
    for partial, error, what in (
        (lambda a: a[0, :2], ShapeError, r"partial 0 of odd has shape \(2,\).*expected \(2, 3\)"),
        (lambda a: a * 1j, DtypeError, "partial 0 of odd has dtype complex128"),
    ):
        f = ft.custom_c("{0}", numpy=lambda a: a, partials=[partial], name="odd")
        with pytest.raises(error, match=what):
            ft.jvp(f, (x,), (x,))

    def spoil(a: Any) -> Any:
        a += 1
        return a

    with pytest.raises(ValueError, match="read-only"):
        ft.custom_c("{0}", numpy=spoil)(x).numpy()


@pytest.mark.usefixtures("compiler")
def test_what_the_compiler_refuses_is_shown() -> None:
    f = ft.custom_c("{0} + sin({0}, 2)", numpy=lambda a: a, name="bad")
    with pytest.raises(CompileError, match=r"(?s)bad \(test_.*py:\d+\): \{0\} \+ sin\(\{0\}, 2\).*too many") as caught:
        ft.jit(f)(1.0)
    assert caught.value.command
    assert caught.value.stderr
    g = ft.custom_c(statements="double t = {0}\n{out} = t;", numpy=lambda a: a)
    with pytest.raises(CompileError, match=r"(?s)double t = \{0\}\n\{out\} = t;"):
        ft.jit(g)(1.0)


def test_at_the_level_of_the_graph() -> None:
    text = CText("twice", "2 * {0}", lambda a: 2 * a)
    x = source.param((2, 3), dtypes.float64)
    node = UOp(Ops.CUSTOMI, dtypes.float64, (B.neg(x),), text)
    assert from_text(to_text(node))[0] is node
    assert "'twice'" in to_text(node)
    a = RNG.normal(size=(2, 3))
    for (got,) in (interpret([node], {x: a}), Program([node], [x])([a])):
        np.testing.assert_array_equal(got, -2 * a)
    for wrong in ((), (x, x), (x, B.reshape(x, (6,)))):
        with pytest.raises(SpecError):
            UOp(Ops.CUSTOMI, dtypes.float64, wrong, text)
    with pytest.raises(SpecError, match="expected a CText"):
        UOp(Ops.CUSTOM, dtypes.float64, (x,), "2 * {0}")
    add = CText("add", "{0} + {1}", np.add)
    mixed = UOp(Ops.CUSTOMI, dtypes.float64, (x, B.cast(x, dtypes.int64)), add)
    with pytest.raises(SpecError, match="not legal at the tensor stage"):
        Program([mixed], [x])([a])
