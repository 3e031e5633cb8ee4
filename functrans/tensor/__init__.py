"""Tensors: lazy arrays over nodes, with the meaning NumPy gives to every operation."""

from functrans.tensor.core import Tensor as Tensor
