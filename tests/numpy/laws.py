"""What holds for every function of the namespace, checked for one: compiled, mapped and differentiated."""

import numpy as np

import functrans as ft
from tests.numpy.cases import flat


def lanes(shape, count=3, seed=5, low=-2.0, high=2.0, dtype="float64"):
    """As many different arrays of one shape."""
    rng = np.random.default_rng([seed, *shape])
    x = rng.uniform(low, high, (count, *shape))
    if np.dtype(dtype).kind == "c":
        x = x + 1j * rng.uniform(low, high, x.shape)
    return x.astype(dtype)


def alike(ours, theirs, rtol=1e-12):
    for a, b in zip(flat(ours), flat(theirs), strict=True):
        assert np.asarray(a).dtype == np.asarray(b).dtype
        np.testing.assert_allclose(a, b, rtol=rtol, atol=rtol)


def compiled(f, *args, rtol=1e-12):
    """``f`` compiled is f of arrays, which is NumPy's."""
    alike(ft.jit(f)(*args), f(*args), rtol)


def mapped(f, *batches, rtol=1e-12):
    """A map over different lanes is a Python loop, by every method."""
    want = [f(*row) for row in zip(*batches, strict=True)]
    want = [np.stack(parts) for parts in zip(*map(flat, want), strict=True)]
    for method in ("vmapin", "rewrite", "pad_reduce"):
        alike(ft.vmap(f, method=method)(*batches), want, rtol)
    alike(ft.vmap(f, axis_type="outer")(*batches), want, rtol)
    none = ft.vmap(f)(*(b[:0] for b in batches))
    assert [np.shape(a) for a in flat(none)] == [(0, *w.shape[1:]) for w in want]


def differentiated(f, *args, h=1e-6, rtol=2e-6):
    """Forward by central differences along a random direction, and backward by the product of both with cotangents."""
    rng = np.random.default_rng(3)

    def direction(a):
        v = rng.standard_normal(a.shape)
        return v + 1j * rng.standard_normal(a.shape) if a.dtype.kind == "c" else v

    args = tuple(map(np.asarray, args))
    tangents = tuple(map(direction, args))
    out, tangent = ft.jvp(f, args, tangents)
    up, down = (flat(f(*(a + s * h * v for a, v in zip(args, tangents, strict=True)))) for s in (1, -1))
    for t, p, q in zip(flat(tangent), up, down, strict=True):
        np.testing.assert_allclose(t, (np.asarray(p) - np.asarray(q)) / (2 * h), rtol=rtol, atol=rtol)
    _, pullback = ft.vjp(f, *args)
    cotangents = [direction(np.asarray(o)) for o in flat(out)]
    back = pullback(cotangents[0] if len(cotangents) == 1 else type(out)(cotangents))
    left = sum(np.real(np.sum(np.asarray(t) * c)) for t, c in zip(flat(tangent), cotangents, strict=True))
    right = sum(np.real(np.sum(v * np.asarray(b))) for v, b in zip(tangents, back, strict=True))
    np.testing.assert_allclose(left, right, rtol=1e-9, atol=1e-9)


def patterned(f, x, want):
    """The pattern of the Jacobian is exactly the places of ``want``, and its values are those of jvp."""
    j = ft.spjacobian(f)
    found = j.pattern(x)
    np.testing.assert_array_equal(found.to_scipy().toarray() != 0, np.asarray(want) != 0)
    dense = ft.jacfwd(f)(x)
    np.testing.assert_allclose(j(x).toarray(), np.reshape(dense, (-1, x.size)), rtol=1e-12, atol=1e-13)
