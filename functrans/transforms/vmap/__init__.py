"""Functions mapped over an axis."""

from functrans.transforms.vmap.mapped import vmap as vmap
