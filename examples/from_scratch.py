"""The idea of functrans in plain Python and NumPy: a graph, and three interpreters of it.

A function is run once on placeholders, which record its operations. Interpreters then run the recorded graph on pairs
of value and tangent (`jvp`), on batches (`vmap`), and on sets of inputs (`pattern`). What an interpreter computes goes
through `call` again, so that it can be recorded itself: that is why transforms nest.
"""

from __future__ import annotations

import itertools
import operator

import numpy as np

LEVELS = itertools.count()

# For each elementwise operation its partial derivatives by each source.
PARTIALS = {
    np.add: (lambda x, y: 1.0, lambda x, y: 1.0),
    np.subtract: (lambda x, y: 1.0, lambda x, y: -1.0),
    np.multiply: (lambda x, y: y, lambda x, y: x),
    np.divide: (lambda x, y: 1.0 / y, lambda x, y: -x / (y * y)),
    np.power: (lambda x, k: k * x ** (k - 1),),  # the exponent is a constant
    np.negative: (lambda x: -1.0,),
    np.sin: (lambda x: np.cos(x),),
    np.cos: (lambda x: -np.sin(x),),
    np.exp: (lambda x: np.exp(x),),
}


class Graph:
    """The operations of one function, in the order in which they were recorded."""

    def __init__(self):
        self.level, self.nodes, self.output = next(LEVELS), [], None

    def add(self, op, sources, how, shape):
        node = Node()
        node.graph, node.place, node.op, node.sources, node.how = self, len(self.nodes), op, sources, how
        node.shape, node.ndim = shape, len(shape)
        self.nodes.append(node)
        return node

    def holds(self, x):
        return isinstance(x, Node) and x.graph is self


class Node(np.lib.mixins.NDArrayOperatorsMixin):
    """The result of one operation. NumPy hands its functions over to `__array_ufunc__`; the mixin adds + - * / **."""

    def __array_ufunc__(self, ufunc, method, *sources, **options):
        if method != "__call__" or options or ufunc not in PARTIALS:
            return NotImplemented  # NumPy raises a TypeError that names the function
        return call(ufunc, *sources)

    def __getitem__(self, key):  # along the first axis; axes are counted from the last, so that a batch may come before
        return call(np.take, self, indices=np.arange(self.shape[0])[key], axis=-self.ndim)

    def sum(self):
        return call(np.sum, self, axis=tuple(range(-self.ndim, 0)))


def call(op, *sources, **how):
    """Compute op on arrays. If a source is a Node, record it, in the graph that was begun last."""
    graphs = [x.graph for x in sources if isinstance(x, Node)]
    if not graphs:
        return op(*sources, **how)
    shape = np.shape(op(*(np.ones(np.shape(x)) for x in sources), **how))
    return max(graphs, key=operator.attrgetter("level")).add(op, sources, how, shape)


def trace(f, *shapes):
    """Run f once on placeholders of these shapes, and return what it did."""
    graph = Graph()
    graph.output = f(*(graph.add(None, (), {}, shape) for shape in shapes))
    return graph


def interpret(graph, inputs, rule, constant):
    """Run a graph on values of any kind: rule(node, values of its sources) gives the value of a node."""
    known = list(inputs)

    def value(x):
        return known[x.place] if graph.holds(x) else constant(x)

    for node in graph.nodes[len(inputs) :]:
        known.append(rule(node, [value(x) for x in node.sources]))
    return value(graph.output)


def jvp(f, x, v):
    """The value of f at x, and its derivative in the direction v: pairs (value, tangent), None for no tangent."""
    graph = trace(f, np.shape(x))

    def rule(node, pairs):
        values, tangents = zip(*pairs)
        result = call(node.op, *values, **node.how)
        if all(t is None for t in tangents):
            return result, None
        if node.op not in PARTIALS:  # np.take, np.sum and np.expand_dims are linear
            return result, call(node.op, *tangents, **node.how)
        total = np.zeros(node.shape)
        for t, partial in zip(tangents, PARTIALS[node.op]):
            if t is not None:
                total = total + partial(*values) * t
        return result, total

    result, tangent = interpret(graph, [(x, v)], rule, lambda c: (c, None))
    return result, np.zeros(np.shape(result)) if tangent is None else tangent


def aligned(x, rank):
    """Insert axes behind the first, up to this rank: a batch of vectors beside a batch of matrices."""
    while np.ndim(x) < rank:
        x = call(np.expand_dims, x, axis=-np.ndim(x))
    return x


def vmap(f):
    """f for each element along the first axis of its arguments: pairs (value, whether it has the batch axis)."""

    def mapped(*batches):
        graph = trace(f, *(np.shape(b)[1:] for b in batches))

        def rule(node, pairs):
            batched = any(has for _, has in pairs)
            rank = len(node.shape) + 1 if node.op in PARTIALS else 0
            values = [aligned(x, rank) if has else x for x, has in pairs]
            return call(node.op, *values, **node.how), batched

        result, has = interpret(graph, [(b, True) for b in batches], rule, lambda c: (c, False))
        return result if has else result + np.zeros(np.shape(batches[0])[:1] + np.shape(result))

    return mapped


def pattern(f, size):
    """Which outputs of f, from a vector to a vector, depend on which inputs: for each value a set of inputs."""

    def rule(node, sets):
        if all(s is None for s in sets):
            return None
        if node.op in PARTIALS:  # an element depends on all that its sources depend on
            found = np.zeros((size, *node.shape), bool)
            for s in sets:
                found |= False if s is None else aligned(s, found.ndim)
            return found
        return node.op(sets[0], **node.how) > 0  # elements move; a sum of sets has what any of them has

    graph = trace(f, (size,))
    found = interpret(graph, [np.eye(size, dtype=bool)], rule, lambda c: None)
    return np.zeros((*np.shape(graph.output), size), bool) if found is None else found.T


def coloring(structure):
    """A number for each column; columns that share a row have different numbers. Greedy, in order."""
    colors = np.full(structure.shape[1], -1)
    for column in range(len(colors)):
        rows = structure[:, column]
        taken = set(colors[(structure & rows[:, None]).any(axis=0)])
        colors[column] = next(c for c in itertools.count() if c not in taken)
    return colors


def sparse_jacobian(f, x):
    """Rows, columns and values of the Jacobian: one tangent for all columns of a color, read at the pattern."""
    structure = pattern(f, len(x))
    colors = coloring(structure)
    seeds = (colors == np.arange(colors.max() + 1)[:, None]).astype(float)
    products = vmap(lambda s: jvp(f, x, s)[1])(seeds)
    rows, columns = np.nonzero(structure)
    return rows, columns, products[colors[columns], rows]
