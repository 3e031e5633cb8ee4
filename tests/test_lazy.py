"""Heavy modules stay out until they are used, and say how to get them when they are absent."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import types
from pathlib import Path

import pytest
import scipy.sparse

import functrans as ft
from functrans import _public
from functrans._lazy import _OLDEST, LazyModule, scipy_sparse


def test_an_attribute_is_the_modules_own() -> None:
    assert scipy_sparse.csr_array is scipy.sparse.csr_array
    assert scipy_sparse.csr_array is scipy_sparse.csr_array


def test_nothing_is_imported_before_use_or_by_a_probe() -> None:
    program = (
        "import sys\n"
        "from functrans._lazy import scipy_sparse\n"
        "assert not hasattr(scipy_sparse, '__wrapped__') and not hasattr(scipy_sparse, '__file__')\n"
        "assert 'scipy' not in sys.modules\n"
        "scipy_sparse.csr_array\n"
        "assert 'scipy.sparse' in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_an_unknown_attribute() -> None:
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = LazyModule("math").no_such_name


def test_an_absent_module_says_how_to_get_it() -> None:
    with pytest.raises(ModuleNotFoundError, match=r"absent_package\.part is needed.*pip install absent_package"):
        _ = LazyModule("absent_package.part").name


@pytest.mark.parametrize("package", ["dask.array", "cloudpickle"])
def test_row_69_an_absent_module_of_an_extra(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in {package, package.partition(".")[0]}:  # another test may have imported it
        monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(ModuleNotFoundError, match=rf"{package} is needed.*: pip install functrans\[dask\]$"):
        _ = LazyModule(package).array


@pytest.mark.parametrize("package", ["jax", "torch"])
def test_row_69_a_neighbour_that_is_absent(package: str, monkeypatch: pytest.MonkeyPatch) -> None:
    neighbour = getattr(ft, package)
    for name in ("jax_core", "torch_module"):
        if hasattr(neighbour, name):
            absent = LazyModule("jax.extend.core" if name == "jax_core" else "torch")
            monkeypatch.setattr(neighbour, name, absent)
    for name in [n for n in sys.modules if n.partition(".")[0] == package] or [package]:
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("_primitive", "_call", "_operator", "_dtypes"):
        if hasattr(neighbour, name):
            getattr(neighbour, name).cache_clear()
    with pytest.raises(ModuleNotFoundError, match=rf"{package}.* is needed.*: pip install {package}"):
        neighbour.wrap(abs)


def test_row_69_an_older_package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By what is installed, before anything of it is used; the oldest that is good, and one that is newer, are."""
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setitem(sys.modules, "piqp", types.SimpleNamespace(SparseSolver=1))
    for version, good in {"0.5.1": False, "0.6": True, "0.6.0": True, "0.10.2.post1": True}.items():
        place = tmp_path / f"piqp-{version}.dist-info"
        place.mkdir()
        (place / "METADATA").write_text(f"Metadata-Version: 2.1\nName: piqp\nVersion: {version}\n")
        importlib.invalidate_caches()
        if good:
            assert LazyModule("piqp").SparseSolver == 1
        else:
            with pytest.raises(ImportError, match=r"^piqp 0\.5\.1 is installed.*: pip install 'piqp>=0\.6'$"):
                _ = LazyModule("piqp").SparseSolver
        shutil.rmtree(place)


def test_row_69_versions_are_those_of_the_extra() -> None:
    text = (Path(__file__).parents[1] / "pyproject.toml").read_text()
    assert f'"dask[array]>={_OLDEST["dask"]}"' in text


def test_the_library_is_loaded_when_it_is_used() -> None:
    program = (
        "import sys, numpy\n"
        "before = set(sys.modules)\n"
        "import functrans as ft\n"
        "loaded = {m for m in sys.modules if m.startswith('functrans')}\n"
        "own = {'functrans', *(f'functrans.{m}' for m in ('_lazy', '_sources', 'config', 'errors'))}\n"
        "assert loaded == own, loaded\n"
        "assert len(set(sys.modules) - before) < 12, set(sys.modules) - before\n"
        "assert ft.numpy.sin(0.0).shape == () and 'functrans.testing' not in sys.modules\n"
        "assert 'scipy' not in sys.modules and 'matplotlib' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


@pytest.mark.parametrize("name", ft.__all__)
def test_every_public_name_is_there(name: str) -> None:
    code = f"import functrans as ft; assert {name!r} in dir(ft); ft.{name}"
    if name in ("jit", "numpy", "testing", "dtypes", "grad", "spjacobian"):  # as the first name that is read
        subprocess.run([sys.executable, "-c", code], check=True, timeout=120)
    assert getattr(ft, name) is not None and name in dir(ft)


@pytest.mark.parametrize("name", ft._HOMES)  # type: ignore[attr-defined]
def test_a_name_with_a_home_is_the_public_one(name: str) -> None:
    assert getattr(ft, name) is getattr(_public, name)


def test_a_first_jit_loads_what_it_needs() -> None:
    program = (
        "import sys, numpy as np\n"
        "import functrans as ft\n"
        "f = ft.jit(lambda x: np.sin(x).sum() * np.cumsum(x))\n"
        "assert f.lower(np.ones(3)).graph is not None\n"
        "others = ('transforms.sparse', 'transforms.custom', 'transforms.hessians', 'reporting', 'testing')\n"
        "loaded = [m for m in sys.modules if m.startswith(tuple(f'functrans.{o}' for o in others))]\n"
        "assert not loaded, loaded\n"
        "assert not {'scipy', 'matplotlib', 'fractions', 'decimal', 'difflib'} & set(sys.modules)\n"
        "assert ft.spjacobian and ft.jit is type(f).__call__.__globals__['jit']\n"
    )
    subprocess.run([sys.executable, "-c", program], check=True, timeout=120)


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="module 'functrans' has no attribute 'vmapp'"):
        _ = ft.vmapp  # type: ignore[attr-defined]
    assert not hasattr(ft, "__wrapped__")


def test_a_call_whose_code_is_in_the_cache_loads_no_scheduler() -> None:
    program = (
        "import sys, numpy as np\n"
        "import functrans as ft\n"
        "assert ft.jit(lambda x: np.sin(x) + 0.625)(np.zeros(3)).tolist() == [0.625] * 3\n"
        "late = 'schedule.passes', 'codegen.lower', 'runtime.compiling', 'dense.policy', 'domains.multi'\n"
        "print(*(f'functrans.backend.{m}' in sys.modules for m in late))\n"
        "assert not {'functrans.numpy', 'functrans.tensor.special', 'functrans.viz.notebook'} & set(sys.modules)\n"
        "import functrans.numpy as fnp\n"
        "assert {'fft', 'linalg'} <= set(dir(fnp)) and 'functrans.numpy.linalg' not in sys.modules\n"
    )
    ran = [subprocess.run([sys.executable, "-c", program], check=True, timeout=120, capture_output=True) for _ in "ab"]
    first, second = (r.stdout.split() for r in ran)
    assert first[:3] == [b"True"] * 3 and second == [b"False"] * 5


def test_sparse_values_that_are_kept_load_no_planning(tmp_path: Path) -> None:
    """An earlier process kept the pattern and how its values are computed: nothing is detected or chosen."""
    program = (
        "import sys, numpy as np\n"
        "import functrans as ft\n"
        "J = ft.spjacobian(lambda x: x[1:] ** 2 - np.sin(x[:-1]))\n"
        "assert J.values(np.ones(400)).shape == (798,)\n"
        "planning = ('detection', 'method', 'choice', 'direct', 'compressed', 'notebook', 'draw')\n"
        "print(*(p for p in planning if f'functrans.transforms.sparse.{p}' in sys.modules))\n"
    )
    variables = {**os.environ, "FUNCTRANS_CACHE_DIR": str(tmp_path)}
    command = [sys.executable, "-c", program]
    first, second = (
        subprocess.run(command, check=True, timeout=120, env=variables, capture_output=True, text=True).stdout.split()
        for _ in range(2)
    )
    assert {"detection", "method"} <= set(first) and "draw" not in first and not second
