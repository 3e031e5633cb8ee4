"""The rules of the house, on the library's own files; and that each rule can fail."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from hypothesis import HealthCheck, settings

from tests.architecture.checkers import (
    cycle,
    environment_reads,
    imports,
    late_imports,
    long_functions,
    modules,
    prints,
    read,
    undocumented,
)

# imports go downwards only: a floor sees itself and the floors before it
FLOORS: tuple[tuple[str, ...], ...] = (
    (
        "errors",
        "config",
        "dtypes",
        "tree",
        "_collector",
        "_lazy",
        "_locks",
        "_members",
        "_recent",
        "_records",
        "_sources",
        "debug",
    ),
    ("ops",),
    ("backend", "viz"),
    ("tensor", "numpy", "trace"),
    ("transforms",),
    ("implicit",),
    ("ode", "scipy", "export", "dask", "jax", "torch"),
    ("programs",),
    ("", "_public", "testing", "reporting", "__main__"),
)
# what a floor would allow and the design forbids: {who: whom it never sees}
APART = {"viz": ("backend",), "backend": ("viz",), "transforms": ("backend",)}
# but for these: how a compiled function is made and called, what it costs, what is kept of it on disk, and C of an
# algorithm's own
DOORS = {f"functrans.backend.{name}" for name in ("facts", "kept", "launch", "pipeline", "signature", "runtime.native")}
LINES, FUNCTION_LINES = 400, 60
LONG_FILES: dict[str, str] = {}  # module: the reason
GENERATED = {"functrans.backend.runtime._abi"}  # written by cffi

MODULES = modules()


def own() -> dict[str, ast.Module]:
    """The modules that somebody wrote, read when the first rule asks."""
    return {name: read(path) for name, path in sorted(MODULES.items()) if name not in GENERATED}


def part(name: str) -> str:
    """The part of the house a module belongs to; the top package itself is ''."""
    return name.partition(".")[2].partition(".")[0]


def floor(name: str) -> int:
    """The number of the floor of a module."""
    found = [k for k, names in enumerate(FLOORS) if part(name) in names]
    assert found, f"{name} is on no floor: enter it in FLOORS"
    return found[0]


def length(name: str) -> int:
    """The lines of a module's file."""
    return len(MODULES[name].read_text(encoding="utf-8").splitlines())


def test_there_is_something_to_check() -> None:
    assert {"functrans.config", "functrans.ops", "functrans.ops.uop", "functrans.backend.pipeline"} <= set(MODULES)


def test_imports_go_down() -> None:
    edges = [(name, other) for name, tree in own().items() for other in imports(tree, MODULES)]
    assert [f"{a} imports {b}, which is a floor above it" for a, b in edges if floor(b) > floor(a)] == []
    apart = [(a, b) for a, b in edges if part(b) in APART.get(part(a), ()) and b not in DOORS]
    assert [f"{a} imports {b}: kept apart by design" for a, b in apart] == []


def test_a_module_gives_out_what_is_its_own() -> None:
    """What `trace` gives on is of its own files: who needs more imports it from where it is."""
    (names,) = [imports(tree, MODULES) for name, tree in own().items() if name == "functrans.trace"]
    assert [n for n in names if part(n) != "trace"] == []


def test_no_cycles() -> None:
    graph = {name: imports(read(path), MODULES) - {name} for name, path in MODULES.items()}
    assert cycle(graph) == []


def test_no_import_inside_a_function() -> None:
    # in _lazy an import is late on purpose
    assert {n: found for n, tree in own().items() if n != "functrans._lazy" and (found := late_imports(tree))} == {}


def test_files_are_short() -> None:
    long = {n: length(n) for n in own() if length(n) > LINES and n not in LONG_FILES}
    assert long == {}, "split it, or state a reason"
    assert [n for n in LONG_FILES if length(n) <= LINES] == [], "it needs no exception any more"


def test_functions_are_short() -> None:
    assert {n: found for n, tree in own().items() if (found := long_functions(tree, FUNCTION_LINES))} == {}


def test_the_environment_is_read_by_config_alone() -> None:
    assert [n for n, tree in own().items() if environment_reads(tree)] == ["functrans.config"]


def test_nothing_is_printed() -> None:
    # a command line prints
    assert {n: found for n, tree in own().items() if n != "functrans.__main__" and (found := prints(tree))} == {}


def test_what_is_public_is_documented() -> None:
    assert {n: found for n, tree in own().items() if (found := undocumented(tree, n))} == {}


# each checker finds what it is there to find


def test_checkers_see_imports(tmp_path: Path) -> None:
    text = "import functrans.ops.uop\nfrom functrans.ops import enums, UOp\nimport numpy\n"
    known = ["functrans.ops", "functrans.ops.uop", "functrans.ops.enums", "functrans.config"]
    assert imports(ast.parse(text), known) == {"functrans.ops.uop", "functrans.ops.enums", "functrans.ops"}
    assert imports(ast.parse("if TYPE_CHECKING:\n    import functrans.config"), known) == set()


def test_checkers_see_cycles() -> None:
    assert cycle({"a": {"b"}, "b": {"c"}, "c": {"b"}}) == ["b", "c", "b"]
    assert cycle({"a": {"b", "c"}, "b": {"c"}, "c": set()}) == []


def test_checkers_see_faults() -> None:
    bad = ast.parse(
        "def f():\n    import os\n    print(os.environ['HOME'])\n    return 1\n"
        "class C:\n    def m(self):\n        sys.stdout.write('')\n    def _private(self):\n        pass\n"
        "x = importlib.import_module('y')\n"
    )
    assert late_imports(bad) == [2, 10]
    assert long_functions(bad, 3) == ["f (4 lines)"]
    assert long_functions(bad, 4) == []
    assert long_functions(ast.parse('def f():\n    """One.\n\n    Two."""\n    return 1'), 2) == []
    assert environment_reads(bad) == ["line 3: os.environ"]
    assert prints(bad) == [3, 7]
    assert sorted(undocumented(bad, "module")) == ["C", "C.m", "f", "module"]
    fine = '"""M."""\ndef f():\n    """F."""\ndef _g():\n    pass\n'
    assert undocumented(ast.parse(fine), "module") == []


# and a rule of the tests


def test_no_law_has_a_deadline() -> None:
    """A loaded machine is slow: what an example may take is nowhere limited, by the profile of tests/conftest.py."""
    assert settings.default is not None and settings.default.deadline is None
    assert HealthCheck.too_slow in settings.default.suppress_health_check
    tests = Path(__file__).parent.parent
    limited = [str(p) for p in tests.rglob("*.py") if re.search(r"deadline=(?!None\b)\w", p.read_text())]
    assert limited == []
