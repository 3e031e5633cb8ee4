"""Tracing: a function runs once on placeholders, and the graph it leaves is run or becomes part of another."""

from functrans.trace.arguments import Array as Array
from functrans.trace.arguments import ShapeDtype as ShapeDtype
from functrans.trace.arguments import argument_names as argument_names
from functrans.trace.arguments import as_array as as_array
from functrans.trace.arguments import check_bound as check_bound
from functrans.trace.arguments import check_leaves as check_leaves
from functrans.trace.arguments import fits as fits
from functrans.trace.arguments import leaf_names as leaf_names
from functrans.trace.arguments import lies as lies
from functrans.trace.arguments import name_of as name_of
from functrans.trace.arguments import placeholder as placeholder
from functrans.trace.arguments import spec_of as spec_of
from functrans.trace.arguments import traced as traced
from functrans.trace.arguments import wants_tensors as wants_tensors
from functrans.trace.held import held as held
from functrans.trace.held import others as others
from functrans.trace.run import Traced as Traced
from functrans.trace.run import call as call
from functrans.trace.run import hand_back as hand_back
from functrans.trace.run import results as results
from functrans.trace.run import trace_function as trace_function
from functrans.trace.scope import claim as claim
from functrans.trace.scope import trace as trace
from functrans.trace.scope import tracing as tracing
