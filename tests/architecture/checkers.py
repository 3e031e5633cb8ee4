"""What the rules of the house look for in a module, found in its syntax tree alone."""

from __future__ import annotations

import ast
import functools
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2] / "functrans"
Function = ast.FunctionDef | ast.AsyncFunctionDef
FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)

ENVIRONMENT = {"environ", "environb", "getenv", "getenvb", "putenv", "unsetenv", "expanduser", "expandvars"}


def modules() -> dict[str, Path]:
    """Every module of the library by its dotted name; a package stands under its own name."""
    found = {}
    for path in sorted(ROOT.rglob("*.py")):
        parts = path.relative_to(ROOT.parent).with_suffix("").parts
        found[".".join(parts[:-1] if parts[-1] == "__init__" else parts)] = path
    return found


@functools.cache
def read(path: Path) -> ast.Module:
    """The syntax tree of a file, which no rule changes."""
    return ast.parse(path.read_text(encoding="utf-8"), str(path))


@functools.cache
def nodes(tree: ast.AST) -> tuple[ast.AST, ...]:
    """The nodes of a syntax tree; all rules look at them."""
    return tuple(ast.walk(tree))


def typing_only(tree: ast.Module) -> set[ast.AST]:
    """The nodes under ``if TYPE_CHECKING:``, which never run."""
    inside: set[ast.AST] = set()
    for node in nodes(tree):
        if isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING":
            for child in node.body:
                inside.update(ast.walk(child))
    return inside


def imports(tree: ast.Module, known: Iterable[str]) -> set[str]:
    """The modules of the library that a module imports when it is loaded."""
    known = set(known)
    found = set()
    skipped = typing_only(tree)
    for node in nodes(tree):
        if node in skipped:
            continue
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "relative imports hide the floor they come from"
            for alias in node.names:  # a name of a package is a module of its own where there is such a file
                below = f"{node.module}.{alias.name}"
                found.add(below if below in known else str(node.module))
    return found & known


def cycle(graph: Mapping[str, set[str]]) -> list[str]:
    """Modules that import one another in a circle, or nothing."""
    color: dict[str, int] = {}
    for start in graph:
        path = [(start, iter(sorted(graph[start])))] if start not in color else []
        color.setdefault(start, 1)
        while path:
            name, rest = path[-1]
            step = next(rest, None)
            if step is None:
                color[name] = 2
                path.pop()
            elif color.get(step) == 1:
                names = [n for n, _ in path]
                return names[names.index(step) :] + [step]
            elif step not in color:
                color[step] = 1
                path.append((step, iter(sorted(graph.get(step, ())))))
    return []


def functions(tree: ast.Module) -> Iterator[Function]:
    """Every function and method, nested ones included."""
    return (node for node in nodes(tree) if isinstance(node, FUNCTIONS))


def late_imports(tree: ast.Module) -> list[int]:
    """Lines of imports inside functions."""
    late: set[int] = set()
    if any(isinstance(node, ast.Import | ast.ImportFrom) and node.col_offset for node in nodes(tree)):
        inside = (node for function in functions(tree) for node in ast.walk(function))
        late = {node.lineno for node in inside if isinstance(node, ast.Import | ast.ImportFrom)}
    calls = {
        node.lineno
        for node in nodes(tree)
        if isinstance(node, ast.Call) and _spelled(node.func, "__import__", "importlib.import_module")
    }
    return sorted(late | calls)


def _spelled(node: ast.expr, *names: str) -> bool:
    """Whether an expression is one of these names; few are written out to be compared."""
    last = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else None
    return last in {name.rpartition(".")[2] for name in names} and ast.unparse(node) in names


def long_functions(tree: ast.Module, limit: int) -> list[str]:
    """Functions of more than ``limit`` lines, their docstrings not counted."""
    lengths = [(f.name, _span(f) - (_span(f.body[0]) if ast.get_docstring(f) else 0)) for f in functions(tree)]
    return [f"{name} ({lines} lines)" for name, lines in lengths if lines > limit]


def _span(node: ast.stmt) -> int:
    return (node.end_lineno or node.lineno) - node.lineno + 1


def environment_reads(tree: ast.Module) -> list[str]:
    """Expressions that read the environment or the home directory."""
    return [
        f"line {node.lineno}: {ast.unparse(node)}"
        for node in nodes(tree)
        if (isinstance(node, ast.Attribute) and (node.attr in ENVIRONMENT or _spelled(node, "Path.home")))
        or (isinstance(node, ast.Name) and node.id in ENVIRONMENT)
        or (isinstance(node, ast.ImportFrom) and any(a.name in ENVIRONMENT for a in node.names))
    ]


def prints(tree: ast.Module) -> list[int]:
    """Lines that write to standard output, or print anywhere."""
    return [
        node.lineno
        for node in nodes(tree)
        if (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("print", "pprint"))
        or (isinstance(node, ast.Attribute) and _spelled(node, "sys.stdout", "sys.__stdout__"))
    ]


def undocumented(tree: ast.Module, name: str) -> list[str]:
    """The module, and its public classes, functions and methods, that have no docstring."""
    missing = [] if ast.get_docstring(tree) else [name]
    todo: list[tuple[str, ast.stmt]] = [("", statement) for statement in tree.body]
    while todo:
        prefix, node = todo.pop()
        if not isinstance(node, (ast.ClassDef, *FUNCTIONS)) or node.name.startswith("_") or _is_overload(node):
            continue
        path = f"{prefix}.{node.name}" if prefix else node.name
        if not ast.get_docstring(node):
            missing.append(path)
        if isinstance(node, ast.ClassDef):
            todo.extend((path, statement) for statement in node.body)
    return missing


def _is_overload(node: ast.ClassDef | Function) -> bool:
    # the setter of a property speaks under the property's own docstring
    names = [ast.unparse(d) for d in node.decorator_list]
    return any(n in ("overload", "typing.overload") or n.endswith((".setter", ".deleter")) for n in names)
