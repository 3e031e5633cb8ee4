"""What to write instead of a function that does not take Tensors, and which function was called.

A hint names a function of the same meaning that exists, or a recipe. It is chosen by hand: a name that is spelled alike
means something else more often than not. What functrans has under the same name needs no hint here, it is found.
"""

from __future__ import annotations

import ast
import builtins
import dis
import linecache
import sys
from itertools import islice
from types import FrameType, FunctionType, ModuleType
from typing import Any

import numpy as np

from functrans._lazy import find

NOTHING = "there is no counterpart; functrans.numpy lists what there is"
ELSEWHERE = (
    "call a function of functrans.numpy on the Tensor itself: fnp.stack([t, u]) for an array of Tensors, "
    "ft.Tensor(a)[t] for a[t]"
)
STATIC = (
    "a size that is an argument goes in as a constant: through functools.partial, or static_argnums or static_argnames "
    "of jit"
)
NUMBERS = f"functrans needs the number while it traces; {STATIC}"
_KNOWN = "a list of results whose length depends on values"

# an expression, and after a semicolon what is to be said about it
HINTS: dict[str, str] = {
    "np.copyto": "fnp.where(mask, v, x); in place of np.full(n, t) fnp.full(n, t), for an update x.at[i].set(v)",
    "np.put": "x.at[i].set(v)",
    "np.place": "fnp.where(mask, v, x)",
    "np.putmask": "fnp.where(mask, v, x)",
    "np.put_along_axis": "x.at[np.arange(len(i))[:, None], i].set(v); along the last axis of a matrix x",
    "np.fill_diagonal": "fnp.where(fnp.eye(n, dtype=bool), v, x)",
    "np.r_": "fnp.concatenate([t, u])",
    "np.c_": "fnp.column_stack([t, u])",
    "np.mgrid": "fnp.meshgrid(x, y, indexing='ij')",
    "np.ogrid": "fnp.meshgrid(x, y, indexing='ij', sparse=True)",
    "np.arange": "start + np.arange(n); with a length that does not depend on values",
    "np.array": "fnp.stack([t, u]); or fnp.array for nested lists, and for one Tensor the Tensor itself",
    "np.asarray": "fnp.stack([t, u]); or fnp.asarray for nested lists, and for one Tensor the Tensor itself",
    "np.vectorize": "ft.vmap(f)(t)",
    "np.frompyfunc": "ft.vmap(f)(t)",
    "np.fromiter": "fnp.stack(list(ts))",
    "np.choose": "fnp.stack(choices)[i, np.arange(n)]; for choices of n elements, or fnp.where for two",
    "np.trim_zeros": "x[start:stop]; with constant bounds",
    "np.diag_indices_from": "np.diag_indices(n)",
    "np.tril_indices_from": "np.tril_indices(n)",
    "np.triu_indices_from": "np.triu_indices(n)",
    "np.ix_": "x[i[:, None], j]; for the rows i and the columns j",
    "np.unravel_index": "divmod(i, n); for a shape (m, n), and so on for more axes",
    "np.ravel_multi_index": "i * n + j; for a shape (m, n), and so on for more axes",
    "np.sort_complex": "fnp.sort(x.astype(complex))",
    "np.linalg.eig": "fnp.linalg.eigh(a); where a is Hermitian; there are no general eigenvalues",
    "np.linalg.eigvals": "fnp.linalg.eigvalsh(a); where a is Hermitian; there are no general eigenvalues",
    "ndarray[...]": "ft.Tensor(a)[t]; or fnp.take(a, t, axis=0)",
    "ndarray[...] = t": "a = ft.at(a)[i].set(t); with a traced mask a = fnp.where(mask, t, a)",
    "ndarray.dot": "a @ t",
    "scipy.sparse": "ft.sparse(A) @ t; for a product with a constant sparse matrix",
    "np.spacing": "fnp.finfo(x.dtype).eps * abs(x); up to a factor of 2",
    "np.bitwise_count": "sum((x >> k) & 1 for k in range(bits))",
    **dict.fromkeys(
        ("np.setxor1d", "np.unique_all", "np.unique_counts", "np.unique_inverse", "np.unique_values"),
        f"fnp.unique(x, size=n); the function itself gives {_KNOWN}",
    ),
    "scipy.special.round": "fnp.floor(x + 0.5); NumPy's fnp.round(x) rounds ties to even",
    "scipy.special.cosm1": "-2 * fnp.sin(x / 2) ** 2",
    "scipy.special.sindg": "fnp.sin(fnp.deg2rad(x))",
    "scipy.special.cosdg": "fnp.cos(fnp.deg2rad(x))",
    "scipy.special.tandg": "fnp.tan(fnp.deg2rad(x))",
    "scipy.special.cotdg": "1 / fnp.tan(fnp.deg2rad(x))",
    "scipy.special.radian": "fnp.deg2rad(d + m / 60 + s / 3600)",
    "scipy.special.boxcox": "fnp.expm1(p * fnp.log(x)) / p; where p is not 0",
    "scipy.special.boxcox1p": "fnp.expm1(p * fnp.log1p(x)) / p; where p is not 0",
    "scipy.special.inv_boxcox": "fnp.exp(fnp.log1p(p * x) / p); where p is not 0",
    "scipy.special.inv_boxcox1p": "fnp.expm1(fnp.log1p(p * x) / p); where p is not 0",
    "scipy.special.powm1": "fnp.expm1(y * fnp.log(x))",
    "scipy.special.exprel": "fnp.expm1(x) / x; where x is not 0",
    "scipy.special.huber": "fnp.where(abs(r) <= d, r * r / 2, d * (abs(r) - d / 2))",
    "scipy.special.pseudo_huber": "d * d * (fnp.sqrt(1 + (r / d) ** 2) - 1)",
    "scipy.special.softplus": "fnp.logaddexp(0, x)",
    **{f"scipy.linalg.{name}": f"fnp.linalg.{name}(a)" for name in
       ("inv", "det", "svdvals", "qr", "pinv", "norm")},
    **{f"scipy.linalg.{name}": f"fnp.linalg.{name}(a); a problem with b has the eigenvalues of c @ a @ c.T with "
       "c = fnp.linalg.inv(fnp.linalg.cholesky(b))" for name in ("eigh", "eigvalsh")},
    "scipy.linalg.svd": "fnp.linalg.svd(a)",
    "scipy.linalg.solve": "fnp.linalg.solve(a, b)",
    "scipy.linalg.lstsq": "fnp.linalg.lstsq(a, b)",
    "scipy.linalg.pinvh": "fnp.linalg.pinv(a)",
    "scipy.linalg.ldl": "fnp.linalg.solve(a, b); which factors a and solves at once",
    "scipy.linalg.eig": "fnp.linalg.eigh(a); where a is Hermitian; there are no general eigenvalues",
    "scipy.linalg.eigvals": "fnp.linalg.eigvalsh(a); where a is Hermitian; there are no general eigenvalues",
    "scipy.linalg.circulant": "c[(np.arange(n)[:, None] - np.arange(n)) % n]; of n elements",
    "scipy.stats.norm.pdf": "fnp.exp(-x * x / 2) / np.sqrt(2 * np.pi); of (x - loc) / scale, and over scale",
    "scipy.stats.norm.logpdf": "-x * x / 2 - np.log(2 * np.pi) / 2; of (x - loc) / scale, and less fnp.log(scale)",
    "scipy.stats.norm.cdf": "scipy.special.ndtr(x); of (x - loc) / scale",
    "scipy.stats.norm.logcdf": "scipy.special.log_ndtr(x); of (x - loc) / scale",
    "scipy.stats.norm.sf": "scipy.special.ndtr(-x); of (x - loc) / scale",
    "scipy.stats.norm.ppf": "scipy.special.ndtri(x); times scale, and plus loc",
    "scipy.stats.zscore": "(x - x.mean(0)) / x.std(0)",
    "scipy.stats.pearsonr": "fnp.corrcoef(x, p)[0, 1]",
    "scipy.interpolate.interp1d": "fnp.interp(x, xp, fp); for linear pieces",
    **{f"scipy.interpolate.{name}": f"scipy.interpolate.{name}(xp, np.eye(n))(x) @ y; for n values y at constant "
       "points, and else fnp.interp(x, xp, y) of linear pieces" for name in ("CubicSpline", "make_interp_spline")},
    "scipy.signal.convolve": "fnp.convolve(x, p, mode); for vectors",
    "scipy.signal.correlate": "fnp.correlate(x, p, mode); for vectors",
    "scipy.signal.fftconvolve":
        "fnp.fft.irfft(fnp.fft.rfft(x, n) * fnp.fft.rfft(p, n), n); with n = len(x) + len(p) - 1",
    "scipy.signal.lfilter": "fnp.convolve(b, x)[:len(x)]; where a is 1, else ft.scan",
    "scipy.ndimage.gaussian_filter1d": "fnp.convolve(fnp.pad(x, r, mode='symmetric'), w / w.sum(), 'valid'); with "
        "r = int(4 * sigma + 0.5) and w = np.exp(-np.arange(-r, r + 1) ** 2 / (2 * sigma * sigma))",
    "scipy.ndimage.convolve1d": "fnp.convolve(fnp.pad(x, r, mode='symmetric'), w, 'valid'); for 2 r + 1 weights w",
    "scipy.ndimage.correlate1d": "fnp.correlate(fnp.pad(x, r, mode='symmetric'), w, 'valid'); for 2 r + 1 weights w",
    "scipy.linalg.hankel": "c[np.arange(n)[:, None] + np.arange(n)]; of 2 n - 1 elements",
}  # fmt: skip


# of arrays, of torch and of pandas
ATTRIBUTES: dict[str, str] = {
    "flat": "t.ravel()",
    "view": "t.reshape(shape) for another shape, t.astype(dtype) for another dtype",
    "resize": "t.reshape(shape)",
    "nonzero": "fnp.nonzero(t) of a constant t, else fnp.where(condition, a, b)",
    "put": "t.at[i].set(v)",
    "itemset": "t.at[i].set(v)",
    "partition": "fnp.partition(t, k)",
    "choose": "fnp.where(condition, a, b)",
    "compress": "t[mask] with a constant mask",
    "append": "fnp.append(t, v)",
    **dict.fromkeys(("data", "values", "to_numpy", "cpu"), "t.numpy() outside of traced functions"),
    **dict.fromkeys(("grad", "backward"), "ft.grad(f)(x), of the function that computes t"),
    "block_until_ready": "t.realize()",
}


_SPACES = {
    "np": ("functrans.numpy", "fnp"), "scipy": ("functrans.scipy", "functrans.scipy"),
    "ndarray": ("functrans.numpy", "fnp"),
}  # fmt: skip


_STORE = dis.opmap["STORE_SUBSCR"]
_LONGEST = 60  # characters of an expression that a message repeats


def hint(name: str) -> str:
    """What to write instead of a function, given by its full name, as the end of a message."""
    if name in HINTS:
        return f"write {HINTS[name]}"
    if name.partition(".")[0] not in _SPACES:
        return ELSEWHERE
    ours = native(name)
    return NOTHING if ours is None else f"write {ours}"


def native(name: str) -> str | None:
    """The full name under which functrans has a function of NumPy or SciPy, or None."""
    root, _, path = name.partition(".")
    if root not in _SPACES or not path:
        return None
    where, spelled = _SPACES[root]
    *inner, last = path.split(".")
    module = find(".".join((where, *inner)))
    if last not in getattr(module, "__all__", ()):
        return None
    return f"t.astype({name})" if isinstance(getattr(module, last), type) else f"{spelled}.{path}"


def full_name(function: Any) -> str:
    """The name by which a user finds a function of NumPy or SciPy: ``np.linalg.eig``, ``scipy.special.gamma``."""
    plain = getattr(function, "__name__", repr(function))
    if plain.endswith(" (vectorized)"):
        return "np.frompyfunc"
    module = getattr(function, "__module__", None)
    for place in (public(module),) if module else ("numpy", "scipy.special"):  # a ufunc does not say where it is from
        if getattr(sys.modules.get(place), plain, None) is function:
            return _spelled(place, plain)
    return _spelled(module, plain) if module else plain


def called(frame: FrameType | None) -> str | None:
    """The function of NumPy or SciPy that a user called, from the frames in which it runs and the line that calls it.

    None where neither tells: in a function of C that was called from where no source is kept.
    """
    found = None
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        root = module.partition(".")[0]
        if root not in ("numpy", "scipy", "functrans"):
            return found or _of_source(frame)
        if root != "functrans":
            found = _of_frame(frame, module) or found
        frame = frame.f_back
    return found


def public(module: str) -> str:
    """The module that offers what a private one defines."""
    parts = module.split(".")
    kept = parts[: next((k for k, p in enumerate(parts) if p.startswith("_")), len(parts))]
    return "numpy" if kept[:2] == ["numpy", "lib"] else ".".join(kept)


def _of_frame(frame: FrameType, module: str) -> str | None:
    """The public name of the function that a frame runs, or that it wraps."""
    if module.startswith("scipy.sparse"):
        return "scipy.sparse"
    held = frame.f_locals
    owner = held.get("self")
    for name in ("r_", "c_", "mgrid", "ogrid"):
        if owner is not None and owner is getattr(np, name):
            return f"np.{name}"
    if owner is not None:
        return _offered(module, type(owner).__name__) or _method(module, owner, frame.f_code.co_name)
    wrapped = [v for v in held.values() if isinstance(v, FunctionType)]
    names = [(module, frame.f_code.co_name), *((v.__module__, v.__name__) for v in wrapped)]
    return next((n for n in (_offered(m, plain) for m, plain in names) if n is not None), None)


def _of_source(frame: FrameType) -> str | None:
    """The function, or the indexing of an array, that the source says is being called at a frame."""
    line, end, left, right = next(islice(frame.f_code.co_positions(), frame.f_lasti // 2, None))
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    if line is None or end is None or left is None or right is None or end > len(lines):
        return None
    rows = [row.encode() for row in lines[line - 1 : end]]
    rows[-1] = rows[-1][:right]
    rows[0] = rows[0][left:]
    try:
        node = ast.parse(b"(" + b"".join(rows) + b")", mode="eval").body
    except SyntaxError:
        return None
    if isinstance(node, ast.Subscript):
        stores = frame.f_code.co_code[frame.f_lasti] == _STORE
        name = "ndarray[...] = t" if stores else "ndarray[...]"
        return name if isinstance(_value(node.value, frame), np.ndarray | None) else None
    if not isinstance(node, ast.Call):
        return None
    if isinstance(node.func, ast.Attribute) and hasattr(np.ndarray, node.func.attr):
        if isinstance(_value(node.func.value, frame), np.ndarray | None):
            return f"ndarray.{node.func.attr}"
    function = _value(node.func, frame)
    if str(getattr(function, "__module__", "")).partition(".")[0] in ("numpy", "scipy"):
        return full_name(function)
    text = ast.unparse(node.func)
    return text if len(text) <= _LONGEST else None


def _value(node: ast.expr, frame: FrameType) -> Any:
    """What a name, or a name in a module, stands for at a frame; None for what would have to be computed."""
    if isinstance(node, ast.Name):
        return frame.f_locals.get(node.id, frame.f_globals.get(node.id, getattr(builtins, node.id, None)))
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, frame)
        return getattr(owner, node.attr, None) if isinstance(owner, ModuleType) else None
    return None


def _method(module: str, owner: Any, plain: str) -> str | None:
    """The name of a method of an object that a module offers: ``scipy.stats.norm.pdf``."""
    place = public(module)
    offered = sys.modules.get(place)
    name = next((n for n in getattr(offered, "__all__", ()) if getattr(offered, n, None) is owner), None)
    return None if name is None else f"{_spelled(place, name)}.{plain}"


def _offered(module: str, plain: str) -> str | None:
    place = public(module)
    names = getattr(sys.modules.get(place), "__all__", ())
    return _spelled(place, plain) if plain in names else None


def _spelled(module: str, plain: str) -> str:
    root, dot, rest = module.partition(".")
    return f"{'np' if root == 'numpy' else root}{dot}{rest}.{plain}"
