"""Pytrees go apart and together again, and say where their leaves are."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import functrans as ft
from functrans import tree
from functrans.errors import ArgumentError


class Point(NamedTuple):
    x: Any
    y: Any


class Box:
    def __init__(self, inside: Any, label: str) -> None:
        self.inside, self.label = inside, label

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Box) and (self.inside, self.label) == (other.inside, other.label)


tree.register_pytree(Box, lambda b: ((b.inside,), b.label), lambda label, children: Box(*children, label))

LEAVES = st.one_of(st.integers(), st.floats(allow_nan=False), st.text(max_size=2))
TREES = st.recursive(
    st.one_of(LEAVES, st.none()),
    lambda t: st.one_of(
        st.lists(t, max_size=3),
        st.lists(t, max_size=3).map(tuple),
        st.dictionaries(st.sampled_from("abc"), t),
        st.builds(Point, t, t),
        st.builds(Box, t, st.sampled_from(["p", "q"])),
    ),
    max_leaves=8,
)


@settings(deadline=None)
@given(TREES)
def test_unflatten_undoes_flatten(value: Any) -> None:
    leaves, treedef = tree.flatten(value)
    assert treedef.num_leaves == len(leaves)
    again = treedef.unflatten(leaves)
    assert again == value
    assert type(again) is type(value)
    assert tree.flatten(again)[1] == treedef
    assert hash(tree.flatten(again)[1]) == hash(treedef)
    assert len(tree.paths(value)) == len(leaves)


@settings(deadline=None)
@given(TREES)
def test_one_entry_spreads_over_everything(value: Any) -> None:
    leaves, treedef = tree.flatten(value)
    assert tree.flatten_prefix(7, treedef, "axes") == [7] * len(leaves)
    assert tree.flatten_prefix(None, treedef, "axes") == [None] * len(leaves)
    full = treedef.unflatten(range(len(leaves)))
    assert tree.flatten_like(full, treedef) == list(range(len(leaves)))


def test_dicts_go_by_sorted_keys() -> None:
    assert tree.flatten({10: "c", 9: "b", 1: "a"})[0] == ["a", "b", "c"]
    assert tree.flatten({"b": 1, "a": 2})[1] == tree.flatten({"a": 5, "b": 6})[1]
    with pytest.raises(ArgumentError, match=r"keys \['a', 1\] of a dict cannot be sorted.*test_tree"):
        tree.flatten({"a": 1, 1: 2})


def test_paths_read_as_python() -> None:
    value = {"a": (1, [2]), "b": Point(3, None), "c": Box(4, "p")}
    assert tree.paths(value, "x") == ["x['a'][0]", "x['a'][1][0]", "x['b'].x", "x['c'].0"]


def test_a_prefix_may_stop_early_or_go_all_the_way() -> None:
    treedef = tree.flatten(([1, 2], {"k": 3, "l": 4}))[1]
    assert tree.flatten_prefix((0, {"k": None, "l": 1}), treedef, "axes") == [0, 0, None, 1]
    assert tree.flatten_prefix([(0, 5), 2], treedef, "axes") == [0, 5, 2, 2]  # a list fits a tuple


@pytest.mark.parametrize(
    ("prefix", "text"),
    [
        ((0, 1, 2), r"axes is a tuple of 3 where the values are a tuple of 2"),
        (([0, 1, 2], 0), r"axes\[0\] is a list of 3 where the values are a list of 2"),
        ((0, {"m": 1}), r"axes\[1\] is a dict of 1"),
        (([0, (1,)], 0), r"axes\[0\]\[1\] is a tuple of 1 where the values are a single array"),
    ],
)
def test_a_prefix_of_another_structure(prefix: Any, text: str) -> None:
    treedef = tree.flatten(([1, 2], {"k": 3}))[1]
    with pytest.raises(ArgumentError, match=text):
        tree.flatten_prefix(prefix, treedef, "axes")


def test_alike_is_strict_but_for_none() -> None:
    treedef = tree.flatten((1, [2, 3]))[1]
    assert tree.flatten_like((None, [4, None]), treedef) == [None, 4, None]
    for other in ((1, 2), (1, [2]), (1, (2, 3)), (1, [2, [3]]), [1, [2, 3]], 1):
        assert tree.flatten_like(other, treedef) is None


@pytest.mark.parametrize("cls", [tuple, dict, Box, type(None)])
def test_a_class_is_registered_once(cls: type) -> None:
    with pytest.raises(ArgumentError, match="is a pytree already"):
        tree.register_pytree(cls, lambda x: ((), None), lambda info, children: None)


def test_only_classes_are_registered() -> None:
    with pytest.raises(ArgumentError, match="expects a class, got 3 of type int"):
        tree.register_pytree(3, lambda x: ((), None), lambda info, children: None)  # type: ignore[arg-type]


def test_structures_print_as_their_containers() -> None:
    assert str(tree.flatten({"a": (1, None), "b": [2]})[1]) == "{'a': (*, None), 'b': [*]}"


def test_a_container_that_holds_itself_is_no_tree() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ArgumentError, match="a list of containers nested without end, or one that holds itself"):
        tree.flatten(loop)


# the public functions


def test_map_goes_through_all_trees_at_once() -> None:
    first = {"b": (1, None), "a": [2, Point(3, 4)], "c": Box(5, "p")}
    doubled = tree.map(lambda x: 2 * x, first)
    assert doubled == {"b": (2, None), "a": [4, Point(6, 8)], "c": Box(10, "p")}
    assert tree.map(lambda x, y, z: (x, y, z), [1, 2], [3, (4,)], [None, "a"]) == [(1, 3, None), (2, (4,), "a")]
    assert tree.map(lambda x: x is None, [None, {"k": 1}], is_leaf=lambda x: x is None) == [True, {"k": False}]
    assert tree.map(sum, [(1, 2), (3, 4)], is_leaf=lambda x: isinstance(x, tuple)) == [3, 7]


@settings(deadline=None)
@given(TREES)
def test_the_public_functions_agree(value: Any) -> None:
    leaves, treedef = tree.flatten(value)
    assert tree.leaves(value) == leaves
    assert tree.structure(value) == treedef
    assert tree.unflatten(tree.structure(value), iter(leaves)) == value
    assert tree.map(lambda x, y: x, value, value) == value
    assert tree.leaves(value, is_leaf=lambda x: True) == [value]
    assert tree.flatten(value, is_leaf=lambda x: False) == (leaves, treedef)


@pytest.mark.parametrize(
    ("rest", "text"),
    [
        ({"a": [1, 2, 3], "b": None}, r"rest\[1\]\['a'\] is a list of 3, where the first tree has a list of 2"),
        ({"a": (1, 2), "b": None}, r"rest\[1\]\['a'\] is a tuple of 2, where the first tree has a list of 2"),
        ({"a": 1, "b": None}, r"rest\[1\]\['a'\] is a single array, where the first tree has a list of 2"),
        ({"a": [1, 2], "b": 3}, r"rest\[1\]\['b'\] is a single array, where the first tree has None"),
        ({"a": [1, 2], "c": None}, r"rest\[1\] is a dict of 2 with the keys \['a', 'c'\]"),
    ],
)
def test_map_names_the_place_of_another_structure(rest: Any, text: str) -> None:
    first = {"a": [1, 2], "b": None}
    with pytest.raises(ArgumentError, match=f"tree.map: {text}.*test_tree.py"):
        tree.map(lambda *x: x, first, first, rest)


def test_unflatten_counts() -> None:
    treedef = tree.structure({"a": [1, 2]})
    for leaves in ([], [1], [1, 2, 3]):
        with pytest.raises(ArgumentError, match=rf"{len(leaves)} leaves for the structure .*'a'.*, which has 2"):
            tree.unflatten(treedef, leaves)
    with pytest.raises(ArgumentError, match="expects a structure and its leaves, but got"):
        tree.unflatten([1], [1])  # type: ignore[arg-type]


def test_it_is_public_and_transforms_take_it() -> None:
    assert ft.tree is tree
    assert set(tree.__all__) >= {"map", "flatten", "unflatten", "leaves", "structure"}
    params = {"w": np.ones(3), "b": 0.5}
    loss = lambda p: (p["w"] ** 2).sum() + p["b"]  # noqa: E731
    step = ft.jit(lambda p: ft.tree.map(lambda x, g: x - 0.25 * g, p, ft.grad(loss)(p)))
    assert ft.tree.map(lambda x: x.tolist(), step(params)) == {"w": [0.5] * 3, "b": 0.25}


def test_a_class_that_is_no_pytree_is_refused_with_the_way_to_make_it_one():
    class Net:
        def __init__(self, w):
            self.w = w

    with pytest.raises(ArgumentError, match=r"ft.register_pytree\(Net, flatten, unflatten\)"):
        ft.grad(lambda net: net.w.sum())(Net(np.ones(3)))
    with pytest.raises(ArgumentError, match="What is no array goes in by closure") as caught:
        ft.jit(lambda mode: 1.0)("text")
    assert "register_pytree" not in str(caught.value)
