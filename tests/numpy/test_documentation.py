"""What every public function promises: a docstring with an example that runs, and NumPy's dispatch."""

import doctest
import inspect

import numpy as np
import pytest

import functrans.numpy as fnp
from functrans.tensor import protocols

FUNCTIONS = [n for n in fnp.__all__ if inspect.isfunction(getattr(fnp, n)) and getattr(np, n, 0) is not getattr(fnp, n)]

UNDISPATCHED = (
    "broadcast_shapes from_dlpack arange array asarray asanyarray ascontiguousarray isscalar astype isdtype"
).split()


@pytest.mark.parametrize("name", FUNCTIONS)
def test_example(name):
    function = getattr(fnp, name)
    examples = doctest.DocTestParser().get_doctest(function.__doc__, {}, name, None, None)
    assert examples.examples
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    assert runner.run(examples).failed == 0


@pytest.mark.parametrize("name", FUNCTIONS)
def test_numpy_finds_it(name):
    theirs = getattr(np, name, None)
    if name in UNDISPATCHED:
        pytest.skip("NumPy dispatches these on no argument")
    if theirs is not None and not isinstance(theirs, np.ufunc):
        assert theirs in protocols.FUNCTIONS


def test_no_name_twice_and_all_are_there():
    assert len(set(fnp.__all__)) == len(fnp.__all__)
    assert all(hasattr(fnp, n) for n in fnp.__all__)
