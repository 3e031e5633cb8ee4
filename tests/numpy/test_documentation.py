"""What every public function promises: a docstring with an example, and NumPy's dispatch."""

import doctest
import inspect

import numpy as np

import functrans.numpy as fnp
from functrans.tensor import protocols

FUNCTIONS = [n for n in fnp.__all__ if inspect.isfunction(getattr(fnp, n)) and getattr(np, n, 0) is not getattr(fnp, n)]

UNDISPATCHED = (
    "broadcast_shapes from_dlpack arange array asarray asanyarray ascontiguousarray isscalar astype isdtype"
).split()


def test_every_function_shows_an_example():
    """That it runs, and gives what it says, is the business of doctest."""
    parser = doctest.DocTestParser()
    assert [n for n in FUNCTIONS if not parser.get_examples(getattr(fnp, n).__doc__ or "")] == []


def test_numpy_finds_them():
    """But for those that NumPy dispatches on no argument, and ufuncs, which are found by their meaning."""
    theirs = {n: getattr(np, n, None) for n in FUNCTIONS if n not in UNDISPATCHED}
    found = [n for n, f in theirs.items() if f is not None and not isinstance(f, np.ufunc)]
    assert len(found) > 100 and [n for n in found if theirs[n] not in protocols.FUNCTIONS] == []


def test_no_name_twice_and_all_are_there():
    assert len(set(fnp.__all__)) == len(fnp.__all__)
    assert all(hasattr(fnp, n) for n in fnp.__all__)
