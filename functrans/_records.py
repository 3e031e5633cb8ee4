"""Records: classes of named fields that never change, made several times as fast as a frozen dataclass.

A first call imports some hundred of them. A frozen dataclass compiles the text of six methods, .5 ms a class; a record
compiles that of its ``__init__`` alone, and shares the others. Method: PEP 557 (what the fields are) and PEP 681 (how
type checkers know).
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from inspect import get_annotations
from operator import attrgetter
from types import FunctionType
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")


@overload
def record(cls: type[T], /) -> type[T]: ...
@overload
def record(*, eq: bool = True, repr: bool = True) -> Callable[[type[T]], type[T]]: ...
@dataclass_transform(frozen_default=True)
def record(cls: Any = None, /, *, eq: bool = True, repr: bool = True) -> Any:
    """Make the annotated names of a class its fields, which are set once: by ``__init__``, in this order.

    A value in the class is the default of its field; fields of bases come first. ``__post_init__`` is called at the
    end where there is one, and methods that the class has are kept. With ``eq`` two records of one class are equal
    where all fields are, and hash alike; with ``repr`` a record shows its fields.

    >>> @record
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    >>> Point(1.0), Point(1.0) == Point(1.0, 0.0), hash(Point(1.0)) == hash(Point(1.0, 0.0))
    (Point(x=1.0, y=0.0), True, True)
    >>> Point(1.0).x = 2.0
    Traceback (most recent call last):
        ...
    AttributeError: Point.x cannot be set: a record does not change; replace(record, x=...) makes another
    """

    def made(cls: type[T]) -> type[T]:
        names = (*getattr(cls, "__match_args__", ()), *get_annotations(cls))
        methods: dict[str, Any] = {"__match_args__": names, "__setattr__": _refuse, "__delattr__": _refuse}
        if "__init__" not in cls.__dict__:
            methods["__init__"] = _init(cls, names)
        if eq:
            methods |= _equality(names)
        if repr:
            methods["__repr__"] = _shown
        for name, method in methods.items():
            # a class that has __eq__ alone has None for a hash
            if cls.__dict__.get(name) is None:
                setattr(cls, name, method)
        return cls

    return made if cls is None else made(cls)


def replace(old: T, /, **fields: Any) -> T:
    """A record like another one but for some fields.

    >>> @record
    ... class Point:
    ...     x: float
    ...     y: float = 0.0
    >>> replace(Point(1.0), y=2.0)
    Point(x=1.0, y=2.0)
    """
    return type(old)(**(as_dict(old) | fields))


def as_dict(one: Any) -> dict[str, Any]:
    """The fields of a record by name, in their order."""
    return {name: getattr(one, name) for name in one.__match_args__}


def _init(cls: type, names: tuple[str, ...]) -> Callable[..., None]:
    """The ``__init__`` of a class with these fields."""
    defaults = {name: getattr(cls, name) for name in names if hasattr(cls, name)}
    given = ", ".join(f"{name}=None" if name in defaults else name for name in names)
    lines = [f"        _set(self, {name!r}, {name})\n" for name in names]
    lines.append("        self.__post_init__()\n" if hasattr(cls, "__post_init__") else "        pass\n")
    text = f"def make(_set):\n    def __init__(self, {given}):\n{''.join(lines)}    return __init__"
    space: dict[str, Any] = {}
    exec(text, vars(sys.modules[cls.__module__]), space)  # where annotations are looked up
    init: FunctionType = space["make"](object.__setattr__)
    init.__defaults__ = tuple(defaults.values())
    annotations = {n: a for c in reversed(cls.__mro__) for n, a in get_annotations(c).items()}
    init.__annotations__ = {name: annotations[name] for name in names} | {"return": None}
    init.__module__, init.__qualname__ = cls.__module__, f"{cls.__qualname__}.__init__"
    return init


def _equality(names: tuple[str, ...]) -> dict[str, Any]:
    """``__eq__`` and ``__hash__`` by the values of these fields."""
    of: Callable[[Any], Any] = attrgetter(*names) if names else lambda _: ()

    def __eq__(self: Any, other: object) -> bool:
        return of(self) == of(other) if other.__class__ is self.__class__ else NotImplemented

    def __hash__(self: Any) -> int:
        return hash(of(self))

    return {"__eq__": __eq__, "__hash__": __hash__}


def _shown(self: Any) -> str:
    return f"{type(self).__qualname__}({', '.join(f'{k}={v!r}' for k, v in as_dict(self).items())})"


def _refuse(self: Any, name: str, *value: object) -> None:
    raise AttributeError(
        f"{type(self).__qualname__}.{name} cannot be {'set' if value else 'deleted'}: a record does not change; "
        f"replace(record, {name}=...) makes another"
    )
