"""Enumerations whose members are read as quickly as any attribute of a class.

What a node does is asked some hundred thousand times while a graph is scheduled, and each time names a member. Before
Python 3.12 the classes of ``enum`` have a ``__getattr__``, which makes that five times as slow, and the name and the
value of a member are properties written in Python. Here members lie in the class, and both are slots.

To type checkers an `Enum` is that of the module ``enum``.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

__all__ = ["Enum", "auto"]

if TYPE_CHECKING:
    from enum import Enum, auto
else:

    class auto:
        """Stands for the next number, from 1 on."""

    class _Members(type):
        """The class of enumerations: what is public in the body and no method or property becomes a member."""

        def __new__(mcs, name: str, bases: tuple[type, ...], space: dict[str, Any]) -> Any:
            given = {n: v for n, v in space.items() if n[0] != "_" and not hasattr(v, "__get__")} if bases else {}
            own = {n: v for n, v in space.items() if n not in given}
            cls = super().__new__(mcs, name, bases, {"__slots__": ()} | own)
            for number, (n, value) in enumerate(given.items(), 1):
                member = object.__new__(cls)
                member.name, member.value = n, number if isinstance(value, auto) else value
                setattr(cls, n, member)
            cls.__members__ = MappingProxyType({n: cls.__dict__[n] for n in given})
            return cls

        def __iter__(cls) -> Iterator[Any]:
            return iter(cls.__members__.values())

        def __len__(cls) -> int:
            return len(cls.__members__)

        def __bool__(cls) -> bool:
            return True

        def __getitem__(cls, name: str) -> Any:
            return cls.__members__[name]

    class Enum(metaclass=_Members):
        """Named constants, each the only one of its name and equal to itself alone.

        >>> class Side(Enum):
        ...     LEFT = auto()
        ...     RIGHT = auto()
        >>> list(Side), Side["LEFT"] is Side.LEFT, Side.RIGHT.name, Side.RIGHT.value
        ([Side.LEFT, Side.RIGHT], True, 'RIGHT', 2)
        """

        __slots__ = ("name", "value")

        def __new__(cls, *values: object) -> Any:
            """Refuse another member."""
            name = cls.__name__
            raise TypeError(f"{name} has no more members than it is written with; read one: {name}.NAME")

        def __repr__(self) -> str:
            return f"{type(self).__name__}.{self.name}"

        def __reduce__(self) -> Any:
            return getattr, (type(self), self.name)
