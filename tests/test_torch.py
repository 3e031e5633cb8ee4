"""Functions as operators of PyTorch: the numbers of functrans, the gradients of PyTorch's own functions."""

from __future__ import annotations

import gc
from typing import Any

import numpy as np
import pytest

import functrans as ft

torch = pytest.importorskip("torch")

pytestmark = [pytest.mark.usefixtures("compiler"), pytest.mark.filterwarnings("default")]  # theirs
X = np.random.default_rng(0).uniform(0.5, 1.5, (3, 4))


def f(x: Any, y: Any) -> Any:
    return np.sin(x * y) + (x * y).sum()


def of_torch(x: Any, y: Any) -> Any:
    return torch.sin(x * y) + (x * y).sum()


def points(grad: bool = False) -> tuple[Any, Any]:
    return torch.tensor(X, requires_grad=grad), torch.tensor(X[0], requires_grad=grad)


def test_values_are_those_of_functrans() -> None:
    x, y = points()
    assert (ft.torch.wrap(f)(x, y).numpy() == ft.jit(f)(X, X[0])).all()
    assert (ft.torch.wrap(f)(x[:, ::2], y[1::2]).numpy() == ft.jit(f)(X[:, ::2], X[0, 1::2])).all()


def test_pytrees_and_keywords_go_in_and_out() -> None:
    def of(d: Any, k: Any) -> Any:
        return {"a": d["x"] * k, "b": (d["x"].sum(), d["n"] + 1)}

    found = ft.torch.wrap(of)({"x": torch.tensor(X, dtype=torch.float32), "n": np.arange(3)}, k=0.1)
    assert found["a"].dtype == torch.float32  # the number took the dtype of the tensor beside it
    np.testing.assert_array_equal(found["a"], X.astype(np.float32) * np.float32(0.1))
    assert found["b"][0].shape == () and found["b"][1].tolist() == [1, 2, 3] and found["b"][1].dtype == torch.int64


def test_what_is_returned_is_not_what_was_given() -> None:
    x, _ = points()
    same, column = ft.torch.wrap(lambda x: (x, np.broadcast_to(x[:1], (3, 4))))(x)
    same += 1
    column += 1
    np.testing.assert_array_equal(x, X)


def test_backward() -> None:
    mine, theirs = points(True), points(True)
    weights = torch.cos(torch.tensor(X))
    (ft.torch.wrap(f)(*mine) * weights).sum().backward()
    (of_torch(*theirs) * weights).sum().backward()
    for a, b in zip(mine, theirs, strict=True):
        torch.testing.assert_close(a.grad, b.grad, rtol=1e-12, atol=1e-12)
    assert torch.autograd.gradcheck(ft.torch.wrap(f), points(True))


def test_some_arguments_and_results_alone() -> None:
    x, y = points()
    x.requires_grad_(True)
    one, two = ft.torch.wrap(lambda x, y, n: (x * y, (x * x, n + 1)))(x, y, torch.arange(4))
    assert two[1].tolist() == [1, 2, 3, 4] and not two[1].requires_grad and one.requires_grad
    two[0].sum().backward()
    torch.testing.assert_close(x.grad, 2 * x.detach())
    assert y.grad is None


WORDS = {
    "second gradient": lambda g: lambda x, y: torch.autograd.grad(
        torch.autograd.grad(g(x, y).sum(), (x, y), create_graph=True)[0].sin().sum(), (x, y)
    ),
    "func.grad": lambda g: torch.func.grad(lambda x, y: g(x, y).sum(), (0, 1)),
    "vjp": lambda g: lambda x, y: torch.func.vjp(g, x, y)[1](torch.cos(x)),
    "vmap": lambda g: torch.vmap(g, (0, None)),
    "vmap of the other axis": lambda g: torch.vmap(g, (1, 0), 1),
    "nested vmap": lambda g: lambda x, y: torch.vmap(torch.vmap(g, (0, 0)), (0, None))(x, y),
    "vmap of grad": lambda g: torch.vmap(torch.func.grad(lambda x, y: g(x, y).sum()), (0, None)),
    "grad of vmap": lambda g: torch.func.grad(lambda x, y: torch.vmap(g, (0, None))(x, y).sum(), (0, 1)),
    "jvp": lambda g: lambda x, y: torch.func.jvp(g, (x, y), (torch.cos(x), y * y)),
    "half a jvp": lambda g: lambda x, y: torch.func.jvp(lambda x: g(x, y), (x,), (torch.cos(x),)),
    "jacfwd of jacrev": lambda g: lambda x, y: torch.func.jacfwd(torch.func.jacrev(lambda y: g(x, y).sum()))(y),
    "jacrev": lambda g: torch.func.jacrev(g, 1),
}


@pytest.mark.parametrize("word", WORDS)
def test_words_of_transforms_agree_with_torch(word: str) -> None:
    args = points(word == "second gradient")
    found, want = (WORDS[word](g)(*args) for g in (ft.torch.wrap(f), of_torch))
    found, want = (v if isinstance(v, tuple) else (v,) for v in (found, want))
    assert len(found) == len(want)
    for a, b in zip(found, want, strict=True):
        torch.testing.assert_close(a, b, rtol=1e-12, atol=1e-12)


def test_complex_gradients_are_those_of_torch() -> None:
    z = torch.tensor(X + 1j * X[::-1].copy())
    of = {"holomorphic": lambda n: lambda z: n.sin(z) * z, "not": lambda n: lambda z: n.conj(z) * z * (1 + 2j)}
    for make in of.values():
        found, want = z.clone().requires_grad_(True), z.clone().requires_grad_(True)
        weights = torch.tensor(X - 0.5j)
        (ft.torch.wrap(make(np))(found) * weights).sum().abs().backward()
        (make(torch)(want) * weights).sum().abs().backward()
        torch.testing.assert_close(found.grad, want.grad)
    torch.testing.assert_close(ft.torch.wrap(lambda z: z + 1)(z.conj()), z.conj() + 1)  # a view that is not computed


def test_the_operator_holds_the_law_of_custom_operators() -> None:
    g = ft.torch.wrap(f)
    g(*points())
    flat = next(v for v in ft.torch._FUNCTIONS.values() if v.name == "f" and v.jitted._compiled)
    tests = ("test_schema", "test_faketensor")
    torch.library.opcheck(ft.torch._operator(), (list(points()), flat.number), test_utils=tests)


def test_in_a_module_that_is_trained() -> None:
    model = torch.nn.Linear(4, 1, dtype=torch.float64)
    torch.nn.init.zeros_(model.weight)
    squares = ft.torch.wrap(lambda r: (r * r).mean())
    steps = torch.optim.SGD(model.parameters(), lr=0.1)
    losses = []
    for _ in range(5):
        steps.zero_grad()
        loss = squares(model(torch.tensor(X))[:, 0] - torch.tensor(X.sum(1)))
        loss.backward()
        steps.step()
        losses.append(loss.item())
    assert sorted(losses, reverse=True) == losses and losses[-1] < losses[0] / 2


def test_what_cannot_be_read_is_refused() -> None:
    g = ft.torch.wrap(np.sin)
    with pytest.raises(ft.DtypeError, match=r"sin got a tensor of torch.bfloat16.*, which NumPy has not"):
        g(torch.zeros(3, dtype=torch.bfloat16))
    with pytest.raises(ft.UnsupportedError, match=r"sin got a tensor on meta.* dense tensors on the CPU"):
        g(torch.zeros(3, device="meta"))
    with pytest.raises(ft.UnsupportedError, match=r"of layout torch.sparse_coo"):
        g(torch.eye(3).to_sparse())
    with pytest.raises(ft.DtypeError, match=r"gives uint16.*, which PyTorch has not"):
        ft.torch.wrap(lambda x: x.astype(np.uint16))(torch.zeros(3))


def test_functions_are_forgotten() -> None:
    gc.collect()
    before = len(ft.torch._FUNCTIONS)
    x = torch.tensor(X[0], requires_grad=True)
    made = ft.torch.wrap(lambda x: (x * x).sum())(x)
    gc.collect()
    made.backward()  # the graph holds it
    torch.testing.assert_close(x.grad, 2 * x.detach())
    del made
    gc.collect()
    assert len(ft.torch._FUNCTIONS) == before
