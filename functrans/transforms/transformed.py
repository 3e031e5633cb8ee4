"""What a transform of a function is: a function that is pickled as the transform and what it was given."""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable
from typing import Any

from functrans.errors import ArgumentError, at_user_line


class Transformed:
    """A function under the name of the one it was made of.

    It is pickled by its name, as functions are, where it is found under that name; else as ``make(*given)``. So it
    goes wherever the function goes that it was made of: functions of modules by reference, lambdas where the pickler
    takes them (cloudpickle does, pickle does not).
    """

    def __init__(self, call: Callable[..., Any], make: Callable[..., Any], *given: Any) -> None:
        functools.update_wrapper(self, given[0])
        self._call, self._make, self._given = call, make, given

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """The transformed function at the arguments."""
        return self._call(*args, **kwargs)

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        """Bind as a method of an instance."""
        return self if instance is None else functools.partial(self, instance)

    def __repr__(self) -> str:
        make = getattr(self._make, "func", self._make)  # options by keyword are bound to it
        return f"<{make.__name__} of {getattr(self, '__qualname__', self._given[0])}>"

    def __reduce__(self) -> str | tuple[Any, ...]:
        return own_name(self) or (_made, (self._make, self._given))


def _made(make: Callable[..., Any], given: tuple[Any, ...]) -> Any:
    return make(*given)


def own_name(thing: Any) -> str | None:
    """The name that a thing is found under in its module; None where another is, or nothing."""
    name: str = getattr(thing, "__qualname__", "")
    found: Any = sys.modules.get(getattr(thing, "__module__", None) or "")
    for part in name.split("."):
        found = getattr(found, part, None)
    return name if found is thing else None


class Carried:
    """Stands for a function that came as its graphs: it cannot be traced anew."""

    def __init__(self, name: str) -> None:
        self.__name__ = self.__qualname__ = name

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Raise ArgumentError."""
        raise ArgumentError(
            f"{self.__name__} came as the graphs of its jit, for the signatures that were traced before it was "
            f"pickled, and cannot be traced anew{at_user_line()}; call it so before that, or make it a "
            "function of a module"
        )
