"""Numeric thresholds of the library: constants of a module that a decision compares with, found in the syntax trees.

A *constant* is a name in capitals that a module binds once, at its top level, to a number, to a tuple of numbers, or
to arithmetic on such constants. It is a *threshold* where its name stands

- in an operand of ``<``, ``<=``, ``>`` or ``>=``, whatever else is in that operand;
- in an argument of ``min``, ``max`` or ``divmod``;
- in what a ``for`` or a comprehension goes through, for a tuple of numbers.

Names are followed through ``from module import NAME`` and ``module.NAME``, so that a constant counts once, in the
module that binds it, wherever it is compared with. A constant that only enters the value of another one counts where
that one is a threshold.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping

from tests.architecture.checkers import nodes

COMPARES = (ast.Lt, ast.LtE, ast.Gt, ast.GtE)
BOUNDS = {"min", "max", "divmod"}


def thresholds(trees: Mapping[str, ast.Module]) -> dict[str, list[str]]:
    """The thresholds of modules, by dotted name: ``{"module.NAME": modules that compare with it}``."""
    values = {f"{name}.{k}": v for name, tree in trees.items() for k, v in _bound(tree).items()}
    known = {name: set(_names(name, tree)) for name, tree in trees.items()}
    numbers = {k for k, v in values.items() if _is_number(v, known[k.rpartition(".")[0]])}
    found: dict[str, list[str]] = {}
    for name, tree in trees.items():
        names = _names(name, tree)
        for node in _decisions(tree):
            for key in _references(node, names) & numbers:
                users = found.setdefault(key, [])
                if name not in users:
                    users.append(name)
    return found


def _bound(tree: ast.Module) -> dict[str, ast.expr]:
    """The names in capitals that a module binds to something."""
    found: dict[str, ast.expr] = {}
    for s in tree.body:
        if isinstance(s, ast.Assign) and len(s.targets) == 1 and isinstance(s.targets[0], ast.Name):
            found[s.targets[0].id] = s.value
        elif isinstance(s, ast.AnnAssign) and isinstance(s.target, ast.Name) and s.value is not None:
            found[s.target.id] = s.value
    return {k: v for k, v in found.items() if k.upper() == k and k.strip("_")}


def _is_number(value: ast.expr, constants: set[str]) -> bool:
    """Whether an expression is made of numbers, and there is a number or a constant in it."""
    match value:
        case ast.Constant(value=v):
            return isinstance(v, int | float) and not isinstance(v, bool)
        case ast.Name(id=name):
            return name in constants and name.upper() == name
        case ast.UnaryOp(operand=x):
            return _is_number(x, constants)
        case ast.BinOp(left=a, right=b):
            return _is_number(a, constants) and _is_number(b, constants)
        case ast.Tuple(elts=elements):
            return bool(elements) and all(_is_number(e, constants) for e in elements)
    return False


def _names(module: str, tree: ast.Module) -> dict[str, str]:
    """What each name of a module stands for: ``module.NAME`` of the library, or a module of it."""
    found = {k: f"{module}.{k}" for k in _bound(tree)}
    for node in nodes(tree):
        if isinstance(node, ast.ImportFrom):
            found.update({a.asname or a.name: f"{node.module}.{a.name}" for a in node.names})
    return found


def _decisions(tree: ast.Module) -> Iterator[ast.expr]:
    """The expressions that a decision compares."""
    for node in nodes(tree):
        if isinstance(node, ast.Compare):
            sides = [node.left, *node.comparators]
            for k, op in enumerate(node.ops):
                if isinstance(op, COMPARES):
                    yield from sides[k : k + 2]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in BOUNDS:
            yield from node.args
        elif isinstance(node, ast.For | ast.comprehension) and isinstance(node.iter, ast.Name):
            yield node.iter


def _references(node: ast.expr, known: Mapping[str, str]) -> set[str]:
    """The constants of the library that an expression names."""
    found = set()
    for u in ast.walk(node):
        if isinstance(u, ast.Name) and u.id in known:
            found.add(known[u.id])
        elif isinstance(u, ast.Attribute) and isinstance(u.value, ast.Name) and u.value.id in known:
            found.add(f"{known[u.value.id]}.{u.attr}")
    return found
