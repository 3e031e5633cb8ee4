"""Derivative rules of the user's own."""

from functrans.transforms.custom.checkpoint import checkpoint as checkpoint
from functrans.transforms.custom.custom_jvp import custom_jvp as custom_jvp
from functrans.transforms.custom.custom_vjp import custom_vjp as custom_vjp
from functrans.transforms.custom.stop_gradient import stop_gradient as stop_gradient
from functrans.transforms.custom.zeros import SymbolicZero as SymbolicZero
