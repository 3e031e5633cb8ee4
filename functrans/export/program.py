"""A nonlinear program as a C file: what it is made of is computed by a few routines, solvers' functions call these."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from functrans import tree
from functrans._records import replace
from functrans.errors import ArgumentError, ArgumentValueError, DtypeError, at_user_line
from functrans.export import late
from functrans.export.derivatives import PRODUCTS, derivatives_of
from functrans.export.file import Exported, File, check_path
from functrans.export.names import check_name
from functrans.export.problem import Problem
from functrans.export.solvers import LAGRANGIAN, POINT, SOLVERS, signatures
from functrans.export.values import Entry, Part, Pattern, Routine, Value
from functrans.trace import ShapeDtype, argument_names, check_leaves, leaf_names, name_of, spec_of
from functrans.transforms.grad import grad
from functrans.transforms.sparse.sphessian import Lagrangian, joined, lagrangian_hessian, objective
from functrans.transforms.sparse.spjacobian import spjacobian

__all__ = ["export_program"]

Function = Callable[..., Any]
_DOUBLE = np.dtype(np.float64)
_INTEGER = "long long int"


def export_program(
    f: Function, g: Function, path: str | os.PathLike[str], specs: Sequence[Any], name: str, target: str, arch: str
) -> Exported:
    """What `NonlinearProgram.export` does."""
    check_name(name)
    place = check_path(path)
    if target != "functions" and target not in SOLVERS:
        listed = ", ".join(("functions", *SOLVERS))
        raise ArgumentValueError(f"target={target!r} of an exported nlp{at_user_line()}; expected one of {listed}")
    file = File(place, name, arch, _INTEGER, "int ")
    program = Flat(f, g, specs)
    if target == "functions":
        _functions(program, file)
    else:
        _entries(program, file, target)
    return file.write()


class Flat:
    """A nonlinear program of one vector of unknowns, and one of parameters.

    Attributes
    ----------
    unknowns, parameters, constraints : how many there are
    """

    def __init__(self, f: Function, g: Function, specs: Sequence[Any]) -> None:
        self.f, self.g, self.what = f, g, f"the nlp of {name_of(f)} and {name_of(g)}"
        if not specs:
            raise ArgumentError(f"{self.what} is exported for an x of some shape{at_user_line()}; give one like it")
        leaves, self.tree = tree.flatten(tuple(specs))
        roots = argument_names(f, specs)
        check_leaves(leaves, specs, {}, self.what, lambda: roots, spec=True)
        kinds = [spec_of(leaf) for leaf in leaves]
        for path, (_, dtype) in zip(leaf_names(roots, specs, {}), kinds, strict=True):
            if dtype.numpy != _DOUBLE:
                raise DtypeError(
                    f"argument {path} of {self.what} is {dtype.numpy.name}{at_user_line()}; this interface has float64 "
                    "alone"
                )
        self.shapes = [shape for shape, _ in kinds]
        self.count = len(tree.leaves(specs[0]))  # leaves of x
        sizes = [int(np.prod(shape, dtype=np.int64)) for shape in self.shapes]
        self.unknowns, self.parameters = sum(sizes[: self.count]), sum(sizes[self.count :])
        self.constraints = spjacobian(self.of_g).pattern(*self.point).shape[0]

    @property
    def point(self) -> tuple[ShapeDtype, ShapeDtype]:
        """What stands for the unknowns and the parameters."""
        return ShapeDtype((self.unknowns,), _DOUBLE), ShapeDtype((self.parameters,), _DOUBLE)

    def _natural(self, x: Any, p: Any) -> Any:
        leaves = [*_split(x, self.shapes[: self.count]), *_split(p, self.shapes[self.count :])]
        return self.tree.unflatten(leaves)

    def of_f(self, x: Any, p: Any) -> Any:
        """The objective."""
        return self._double(objective(self.f, *self._natural(x, p)), self.f).reshape(())

    def of_g(self, x: Any, p: Any) -> Any:
        """The constraints as one vector."""
        return self._double(self.g(*self._natural(x, p)), self.g)

    def _double(self, value: Any, function: Function) -> Any:
        """A result as a vector of float64."""
        found = joined(value, name_of(function))
        if found.dtype.kind == "c":
            text = f"{name_of(function)} in {self.what} is {found.dtype}"
            raise DtypeError(f"{text}{at_user_line()}; expected real numbers")
        return found.astype(_DOUBLE)


def _named(method: Function, function: Function) -> Function:
    """A method under the name of the user's function that it calls, for messages."""
    named = partial(method)
    vars(named)["__name__"] = name_of(function)
    return named


def _split(z: Any, shapes: Sequence[tuple[int, ...]]) -> list[Any]:
    """Arrays that lie in a vector one after another."""
    if len(shapes) == 1 and len(shapes[0]) == 1:
        return [z]
    ends = np.cumsum([0, *(int(np.prod(shape, dtype=np.int64)) for shape in shapes)]).tolist()
    return [z[a:b].reshape(s) for a, b, s in zip(ends[:-1], ends[1:], shapes, strict=True)]


def _functions(program: Flat, file: File) -> None:
    """Objective and constraints with their derivatives, as external functions for expressions of CasADi."""

    def f(x: Any, p: Any) -> Any:
        return program.of_f(x, p)

    def g(x: Any, p: Any) -> Any:
        return program.of_g(x, p)

    for function in (f, g) if program.constraints else (f,):
        problem = Problem(function, program.point, True)
        name = f"{file.name}_{function.__name__}"
        file.add(Routine(name, problem.inputs, problem.outputs, problem), program.what)
        for routine in derivatives_of(problem, name, PRODUCTS):
            file.add(routine, program.what)


def _entries(program: Flat, file: File, solver: str) -> None:
    """The functions that a solver of CasADi looks for; for IPOPT those of its own interface too."""
    pieces = Pieces(program, file)
    for name, inputs, outputs in signatures(solver):
        pieces.show(name, inputs, outputs)
    if solver == "ipopt":
        work = max(pieces.part(n)[0].work for n in ("f", "g", "grad_f_x", "jac_g_x", "triu_hess_gamma_x_x"))
        patterns = pieces.pattern("jac_g_x"), pieces.pattern("triu_hess_gamma_x_x")
        late.ipopt.add(file, program.parameters, patterns, -(-work // 8))


class Pieces:
    """What solvers' functions are made of, by the names of CasADi; each is computed once in a file, if it is used."""

    def __init__(self, program: Flat, file: File) -> None:
        self.program, self.file = program, file
        n, p, m = program.unknowns, program.parameters, program.constraints
        self.vectors = {"x": n, "p": p, "lam_g": m, "g": m, "grad_f_x": n, "grad_gamma_x": n, "grad_gamma_p": p}
        f, g = _named(program.of_f, program.f), _named(program.of_g, program.g)
        self.matrices = {
            "jac_g_x": spjacobian(g, format="csc"),
            "triu_hess_gamma_x_x": lagrangian_hessian(f, g, triangle="upper", format="csc"),
            "hess_gamma_x_x": lagrangian_hessian(f, g, triangle="full", format="csc"),
        }
        self.lagrangian = Lagrangian(f, g)
        self._parts: dict[str, Part] = {}

    def value(self, name: str) -> Value:
        """An argument or a result."""
        if name in self.vectors:
            return Value(name, (self.vectors[name],), _DOUBLE)
        if name not in self.matrices:
            return Value(name, (), _DOUBLE)
        pattern = self.pattern(name)
        return Value(name, (pattern.nnz,), _DOUBLE, pattern)

    def pattern(self, name: str) -> Pattern:
        """The nonzeros of a matrix."""
        found = self._nonzeros(name)
        return Pattern.of(found.rows, found.cols, found.shape, True)

    def _nonzeros(self, name: str) -> Any:
        x, p = self.program.point
        multipliers = ShapeDtype((self.program.constraints,), _DOUBLE), ShapeDtype((), _DOUBLE)
        return self.matrices[name].pattern(*((x, *multipliers, p) if "gamma" in name else (x, p)))

    def part(self, name: str) -> tuple[Part, tuple[str, ...]]:
        """What computes a result of x, p and, of a Lagrangian, its multipliers; and its arguments."""
        inputs: tuple[str, ...] = LAGRANGIAN if "gamma" in name else POINT
        if name not in self._parts:
            given, made = tuple(map(self.value, inputs)), (self.value(name),)
            routine = Routine(f"{self.file.name}_{name}", given, made, self._run(name))
            work = self.file.compute(routine, self.program.what)
            self._parts[name] = Part(routine.name, work, tuple(range(len(inputs))), (0,))
        return self._parts[name], inputs

    def _run(self, name: str) -> Callable[..., Sequence[Any]]:
        """A piece as a function of x, p and the multipliers, which come last in the interface."""
        f, g = self.program.of_f, self.program.of_g
        first_order: dict[str, Function] = {"f": f, "g": g, "grad_f_x": grad(f)}
        if name in first_order:
            return lambda x, p: (first_order[name](x, p),)
        if name == "jac_g_x":
            return lambda x, p: (self.matrices[name].values(x, p),)
        of_x, of_p = grad(self.lagrangian), grad(self.lagrangian, 3)
        if name == "hess_gamma_x_x":
            return self._whole
        triangle = self.matrices["triu_hess_gamma_x_x"].values
        gamma = {"grad_gamma_x": of_x, "grad_gamma_p": of_p, "triu_hess_gamma_x_x": triangle}
        return lambda x, p, lam_f, lam_g: (gamma[name](x, lam_g, lam_f.reshape(()), p),)

    def _whole(self, x: Any, p: Any, lam_f: Any, lam_g: Any) -> Sequence[Any]:
        """All of the Hessian: its triangle, computed and stored once, put into both places."""
        upper, whole = self._nonzeros("triu_hess_gamma_x_x"), self._nonzeros("hess_gamma_x_x")
        n = self.program.unknowns
        keys = upper.cols.astype(np.int64) * n + upper.rows  # ascending: it goes by columns
        low, high = np.minimum(whole.rows, whole.cols), np.maximum(whole.rows, whole.cols)
        values = self.matrices["triu_hess_gamma_x_x"].values(x, lam_g, lam_f.reshape(()), p)
        return (values.contiguous()[np.searchsorted(keys, high.astype(np.int64) * n + low)],)

    def show(self, name: str, inputs: Sequence[str], outputs: Sequence[str]) -> None:
        """A function of a solver."""
        entry = Entry(name.format(self.file.name), tuple(map(self.value, inputs)), tuple(map(self.value, outputs)))
        parts = []
        for k, output in enumerate(outputs):
            part, given = self.part(output)
            parts.append(replace(part, inputs=tuple(map(inputs.index, given)), outputs=(k,)))
        self.file.show(entry, parts)
