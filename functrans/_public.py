"""The public names that need the whole library; ``functrans`` imports this when one of them is first read."""

from __future__ import annotations

import functrans.numpy  # noqa: F401  (what NumPy's functions do on Tensors)
from functrans.backend.schedule.passes import schedule as schedule
from functrans.export.callback import CFunction as CFunction
from functrans.export.callback import cfunc as cfunc
from functrans.export.exported import export_c as export_c
from functrans.export.file import Exported as Exported
from functrans.export.loading import load_c as load_c
from functrans.ops import AxisType as AxisType
from functrans.ops import UOp as UOp
from functrans.programs.nlp import nlp as nlp
from functrans.reporting.explain import explain as explain
from functrans.tensor import Tensor as Tensor
from functrans.tensor.at_array import at as at
from functrans.tensor.at_array import segment_sum as segment_sum
from functrans.tensor.custom_c import custom_c as custom_c
from functrans.tensor.factor import Factor as Factor
from functrans.tensor.sparse import SparseMatrix as SparseMatrix
from functrans.tensor.sparse import sparse as sparse
from functrans.tensor.sparse import spsolve as spsolve
from functrans.tensor.variable import Variable as Variable
from functrans.trace import ShapeDtype as ShapeDtype
from functrans.transforms.custom import SymbolicZero as SymbolicZero
from functrans.transforms.custom import checkpoint as checkpoint
from functrans.transforms.custom import custom_jvp as custom_jvp
from functrans.transforms.custom import custom_vjp as custom_vjp
from functrans.transforms.custom import stop_gradient as stop_gradient
from functrans.transforms.grad import grad as grad
from functrans.transforms.grad import value_and_grad as value_and_grad
from functrans.transforms.hessians import hessian as hessian
from functrans.transforms.jacobians import hvp as hvp
from functrans.transforms.jacobians import jacfwd as jacfwd
from functrans.transforms.jacobians import jacrev as jacrev
from functrans.transforms.jit import jit as jit
from functrans.transforms.jit import make_graph as make_graph
from functrans.transforms.jvp import jvp as jvp
from functrans.transforms.loops.associative import associative_scan as associative_scan
from functrans.transforms.loops.branch import cond as cond
from functrans.transforms.loops.branch import switch as switch
from functrans.transforms.loops.mapping import map as map
from functrans.transforms.loops.scan import scan as scan
from functrans.transforms.loops.while_loop import fori_loop as fori_loop
from functrans.transforms.loops.while_loop import while_loop as while_loop
from functrans.transforms.sparse.coloring import Coloring as Coloring
from functrans.transforms.sparse.function import SparseFunction as SparseFunction
from functrans.transforms.sparse.pattern import SparsityPattern as SparsityPattern
from functrans.transforms.sparse.sphessian import lagrangian_hessian as lagrangian_hessian
from functrans.transforms.sparse.sphessian import sphessian as sphessian
from functrans.transforms.sparse.spjacobian import spjacobian as spjacobian
from functrans.transforms.vjp import linear_transpose as linear_transpose
from functrans.transforms.vjp import linearize as linearize
from functrans.transforms.vjp import vjp as vjp
from functrans.transforms.vmap import vmap as vmap
from functrans.tree import register_pytree as register_pytree
