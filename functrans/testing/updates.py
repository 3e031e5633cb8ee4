"""Functional updates, spelt alike for ndarrays and Tensors."""

from __future__ import annotations

from typing import Any

import numpy as np

UFUNCS = {"add": np.add, "multiply": np.multiply, "min": np.minimum, "max": np.maximum}


def at(x: Any, key: Any, mode: str, value: Any) -> Any:
    """``x.at[key].mode(value)``; of an ndarray by the ufunc's own ``at``."""
    if not isinstance(x, (np.ndarray, np.generic)):
        return getattr(x.at[key], mode)(value)
    y = np.array(x, np.result_type(x, value) if np.iscomplexobj(value) else None)
    if mode == "set":
        y[key] = value
    else:
        UFUNCS[mode].at(y, key, value)
    return y
