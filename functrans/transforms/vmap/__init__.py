"""Functions mapped over an axis."""

from functrans.transforms.vmap.vmapin import vmap as vmap
