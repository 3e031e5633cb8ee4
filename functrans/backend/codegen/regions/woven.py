"""How records of a block are cut up to be moved between memory and vectors: squares, and vectors chosen from others."""

from __future__ import annotations


def chosen_from(names: list[str], places: list[tuple[int, int]]) -> str:
    """A vector of the lanes of others: of which, and which lane of it."""
    found, lanes = names[0], len(places)
    for v in range(1, len(names)):
        first = [k if of == 0 else 0 for of, k in places] if v == 1 else range(lanes)
        picked = [lanes + k if of == v else f for (of, k), f in zip(places, first, strict=True)]
        found = f"__builtin_shufflevector({found}, {names[v]}, {', '.join(map(str, picked))})"
    return found


def woven(names: list[str], lanes: int, in_: bool) -> list[str]:
    """Short records, as many vectors as they have numbers, as the vectors of these; or back."""
    n = len(names)
    flat = [[k * n + j if in_ else j * lanes + k for k in range(lanes)] for j in range(n)]
    return [chosen_from(names, [divmod(x, lanes) if in_ else divmod(x, n)[::-1] for x in row]) for row in flat]


def squares(n: int, lanes: int) -> list[int]:
    """Where squares of numbers begin in a record, the last one so that it ends there."""
    return [0] if n < lanes else [*range(0, n - lanes + 1, lanes), *([n - lanes] if n % lanes else [])]
