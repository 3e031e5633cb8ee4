"""`ft.custom_c`: a user's own C as an elementwise function."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Any

from functrans import dtypes
from functrans.backend.codegen.prelude import DECLARED
from functrans.errors import ArgumentError, DtypeError, ShapeError, at_user_line
from functrans.ops import build as B
from functrans.ops.c_text import PLACE, CText
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp
from functrans.tensor.core import Tensor
from functrans.tensor.lift import lift, promote

_OPENED = {")": "(", "]": "[", "}": "{"}
_LITERAL = re.compile(r"\"(?:[^\"\n])*\"|'[^'\n]*'")
_NUMBER = re.compile(r"(?<![\w.])\.?\d[\w.]*")
_TYPES = frozenset(
    "int long double float unsigned signed char short const _Bool _Complex _Float16 sizeof __real__ __imag__".split()
)
_CONTROL = frozenset("if for while switch do else".split())
_REFUSED = frozenset("return goto asm __asm__ static extern typedef volatile register".split())


def custom_c(
    expr: str | None = None, *, statements: str | None = None, numpy: Callable[..., Any], dtype: Any = None,
    partials: Sequence[Callable[..., Any] | None] | None = None, name: str = "custom_c",
) -> CustomC:  # fmt: skip
    """An elementwise function whose compiled code is C of yours: an expression, or statements that set the result.

    ``{0}``, ``{1}``, ... stand for the arguments, and in ``statements`` ``{out}`` for the result, which begins as zero;
    other braces are C's. ``numpy`` is the same function of NumPy arrays: its meaning, by which it is computed
    without a compiler, and checked. The arguments are broadcast and promoted to one dtype, which the C sees; the
    result has it too unless ``dtype`` says otherwise. ``partials`` are the derivatives by each argument, functions of
    the arguments written as any function that is traced, None for one that is zero; without them derivatives are
    refused. vmap, sparsity and fusion are those of any elementwise function.

    The text is used as it is given, once for each use of the value, or not at all: it must compute its result from its
    arguments and do nothing else. There are no headers: the functions of the C library's mathematics are declared,
    others are had as ``__builtin_...``.

    Raises ArgumentError for a text that is no expression or statements (placeholders, brackets, comments, names) and
    for a wrong number of arguments, DtypeError and ShapeError where ``numpy`` or ``partials`` return what does not
    fit, CompileError with the text where the compiler refuses it.

    >>> import numpy as np, functrans as ft
    >>> slopes = (lambda a, b: 2 * a, lambda a, b: 1.0)
    >>> f = ft.custom_c("{0} * {0} + {1}", numpy=lambda a, b: a * a + b, partials=slopes)
    >>> ft.jit(f)(np.arange(3.0), 1.0)
    array([1., 2., 5.])
    >>> ft.jvp(lambda x: f(x, 1.0), (3.0,), (1.0,))
    (np.float64(10.0), np.float64(6.0))
    """
    if not isinstance(name, str) or not name:
        raise ArgumentError(f"custom_c name is {name!r}; expected a non-empty text{at_user_line()}")
    if (expr is None) == (statements is None):
        raise ArgumentError(f"{name}: expected either an expression or statements={at_user_line()}")
    if not callable(numpy):
        raise ArgumentError(f"{name}: numpy= is {numpy!r}; expected a function of NumPy arrays{at_user_line()}")
    text = _checked(name, expr) if statements is None else _checked(name, statements, True)
    arity = CText(name, text, numpy).count
    if partials is not None:
        partials = tuple(partials)
        if len(partials) != arity or not all(p is None or callable(p) for p in partials):
            raise ArgumentError(
                f"{name}: partials are {partials!r}; expected a function or None for each of {arity} arguments"
                f"{at_user_line()}"
            )
    traced = None if partials is None else [_on_nodes(name, k, p) for k, p in enumerate(partials)]
    made = CText(name, text, numpy, traced, at_user_line())
    return CustomC(made, statements is not None, None if dtype is None else dtypes.from_numpy(dtype))


class CustomC:
    """An elementwise function of the user's C; made by `custom_c`."""

    def __init__(self, text: CText, statements: bool, dtype: dtypes.DType | None) -> None:
        self._text, self._op, self._dtype = text, Ops.CUSTOM if statements else Ops.CUSTOMI, dtype
        self.__name__ = text.name

    def __repr__(self) -> str:
        return f"<{self.__name__}: {self._text.text}>"

    def __call__(self, *args: Any) -> Tensor:
        """The value for arguments that broadcast together, as a Tensor."""
        if len(args) != self._text.count:
            raise ArgumentError(
                f"{self.__name__} takes {self._text.count} arguments, as its text says, and got {len(args)}"
                f"{at_user_line()}"
            )
        nodes = promote(*args)
        return Tensor.from_uop(UOp(self._op, self._dtype or nodes[0].dtype, tuple(nodes), self._text))


def _on_nodes(name: str, k: int, partial: Callable[..., Any] | None) -> Callable[..., UOp] | None:
    """A partial derivative as a function of nodes; it has the shape of the sources."""
    if partial is None:
        return None

    def made(*sources: UOp) -> UOp:
        found, shape = lift(partial(*map(Tensor.from_uop, sources))), sources[0].sized
        if found.dtype.kind == "c" and sources[0].dtype.kind != "c":
            raise DtypeError(f"partial {k} of {name} has dtype {found.dtype.name}{at_user_line()}; expected a real one")
        if len(found.sized) > len(shape) or any(
            n not in (1, m) for n, m in zip(reversed(found.sized), reversed(shape), strict=False)
        ):
            raise ShapeError(f"partial {k} of {name} has shape {found.shape}{at_user_line()}; expected {shape}")
        return B.broadcast(found, shape)

    return made


def _checked(name: str, text: Any, statements: bool = False) -> str:
    """The text, or ArgumentError where it is no expression (or no statements) that can stand for itself."""

    def wrong(what: str) -> ArgumentError:
        return ArgumentError(f"{name}: {what}, in {text!r}{at_user_line()}")

    if not isinstance(text, str) or not text.strip():
        raise wrong("the C text is empty or no text")
    if not all(c.isascii() and (c.isprintable() or (statements and c in "\n\t")) for c in text):
        raise wrong("C text is ASCII" + ("" if statements else ", an expression one line"))
    bare = _LITERAL.sub('""', PLACE.sub(" ft_place ", text))
    for sign in ("//", "/*", "#", "\\"):
        if sign in bare or (sign == "\\" and sign in text):
            raise wrong(f"no comments, directives or backslashes: {sign}")
    _check_places(text, statements, wrong)
    if not statements and set(bare) & set(";{}"):
        raise wrong("an expression holds no statements and no braces but placeholders; use statements=")
    _check_brackets(bare, wrong)
    _check_names(_NUMBER.sub("0", bare), statements, wrong)
    return text


def _check_places(text: str, statements: bool, wrong: Callable[[str], ArgumentError]) -> None:
    stray = re.search(r"\{\s*(?!out\})([A-Za-z_]\w*)?\}", text)
    if stray is not None:
        raise wrong(f"unknown placeholder {stray[0]}; expected {{0}}, {{1}}, ...{' and {out}' if statements else ''}")
    found = set(PLACE.findall(text))
    if ("out" in found) is not statements:
        raise wrong("statements set {out}" if statements else "an expression has no {out}: it is the result")
    numbers = {int(p) for p in found - {"out"}}
    if not numbers or numbers != set(range(len(numbers))):
        raise wrong(f"placeholders {sorted(numbers)}; expected {{0}} and so on, one for each argument, none left out")


def _check_brackets(bare: str, wrong: Callable[[str], ArgumentError]) -> None:
    opened: list[str] = []
    for c in bare:
        if c in "([{":
            opened.append(c)
        elif c in ")]}" and (not opened or opened.pop() != _OPENED[c]):
            raise wrong(f"{c} closes nothing")
    if opened:
        raise wrong(f"{opened[-1]} is not closed")


def _check_names(bare: str, statements: bool, wrong: Callable[[str], ArgumentError]) -> None:
    for m in re.finditer(r"(?<![\w.])([A-Za-z_]\w*)\s*(\(?)", bare):
        word, called = m[1], m[2] == "("
        if word == "ft_place":
            continue
        if word.startswith("ft_") or word in _REFUSED or (word in _CONTROL and not statements):
            raise wrong(f"{word} has no place here: the text computes its result from its arguments, and nothing else")
        if called and word not in DECLARED | _TYPES | _CONTROL and not word.startswith("__builtin_"):
            raise wrong(f"{word} is not declared; use __builtin_{word}, or write it out")
        if not called and not statements and word not in _TYPES:
            raise wrong(f"{word} is not known to an expression, which sees its arguments alone")
