"""Assembly of stages: equal blocks along a diagonal, side by side or overlapping, as one sparse matrix."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from functrans.errors import ShapeError, at_user_line
from functrans.tensor import scatter
from functrans.tensor.core import Tensor

if TYPE_CHECKING:
    from functrans.transforms.sparse.pattern import SparsityPattern

__all__ = ["Stages"]


class Stages(NamedTuple):
    """The matrix that blocks make along a diagonal; made by `SparsityPattern.along_diagonal`.

    ``places[k, e]`` is where entry e of block k stands among the values of ``pattern``.
    """

    pattern: SparsityPattern
    places: NDArray[np.intp]

    def values(self, blocks: Any) -> Any:
        """The values of the matrix from those of the blocks, of shape (blocks, entries); overlapping ones are added.

        Without copying where they stand in that order already. Blocks may be traced, and so is the result then.
        """
        shape = tuple(np.shape(blocks)) if not isinstance(blocks, Tensor) else blocks.shape
        if shape != self.places.shape:
            raise ShapeError(
                f"values of stages: blocks have shape {shape}, expected {self.places.shape}{at_user_line()}"
            )
        flat = blocks.reshape(-1) if isinstance(blocks, Tensor) else np.asarray(blocks).reshape(-1)
        places = self.places.reshape(-1)
        if np.array_equal(places, np.arange(self.pattern.nnz)):
            return flat
        if isinstance(flat, Tensor):
            return Tensor.from_uop(scatter.segment_sum(flat, places, self.pattern.nnz))
        out = np.zeros(self.pattern.nnz, flat.dtype)
        np.add.at(out, places, flat)
        return out
