"""The vectors of the machine that C is written for."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from functrans._records import record, replace
from functrans.backend.policy import NARROWEST_BYTES
from functrans.backend.runtime.flags import cpu_identity


@record
class Target:
    """The bytes of a vector, whether memory is read and written under a mask, and whether multiply-adds are fused.

    ``hosted``: the code runs inside of functrans, which gives it threads, leaves a long call for signals and lets
    LAPACK do steps between kernels. Code that is exported has none of these.
    """

    bytes: int
    masks: bool
    fused: bool = True
    hosted: bool = True

    @property
    def has_vectors(self) -> bool:
        """Whether there are vectors; what has none is given loops over numbers."""
        return self.bytes >= NARROWEST_BYTES

    def lanes(self, itemsize: int) -> int:
        """How many numbers of so many bytes a vector holds."""
        return self.bytes // itemsize


PORTABLE = Target(8, masks=False, hosted=False)
"""Any machine that a C compiler knows: numbers one by one."""
_overridden: list[Target] = []


def native() -> Target:
    """This machine, for code that is exported."""
    return replace(_of_this_machine(), hosted=False)


def target() -> Target:
    """The vectors of this machine, and never wider ones: those are taken apart through memory."""
    return _overridden[-1] if _overridden else _of_this_machine()


@cache
def _of_this_machine() -> Target:
    return target_of(cpu_identity())


def target_of(identity: str) -> Target:
    """The vectors of a processor by what `cpu_identity` says of it.

    >>> target_of("x86_64 flags=sse2 fma avx2").bytes
    32
    """
    words = set(re.split(r"[\s=]+", identity))
    arm = identity.startswith(("aarch64", "arm64"))
    if {"avx512f", "avx512dq", "avx512vl", "fma"} <= words:
        return Target(64, masks=True)
    if {"avx2", "fma"} <= words:
        return Target(32, masks=True)
    return Target(16, masks=False, fused=arm)


@contextmanager
def written_for(other: Target) -> Iterator[None]:
    """C is written for other vectors than those of this machine."""
    _overridden.append(other)
    try:
        yield
    finally:
        _overridden.pop()
