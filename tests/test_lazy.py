"""Heavy modules stay out until they are used, and say how to get them when they are absent."""

from __future__ import annotations

import subprocess
import sys

import pytest
import scipy.sparse

from functrans._lazy import LazyModule, scipy_sparse


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
