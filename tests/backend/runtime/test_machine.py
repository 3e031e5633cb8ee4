"""What the machine can do: measured once, kept, read again."""

from __future__ import annotations

import pytest

from functrans.backend.runtime import machine as module
from functrans.backend.runtime.machine import Machine, machine


def test_it_is_measured_once_and_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    first = machine(1)
    assert first.flops64 > 0 and first.flops32 > 0
    assert all(rate > 0 for _, rate in first.bandwidth) and len(first.bandwidth) > 3
    assert machine(1) is first
    monkeypatch.setattr(module, "_known", {})
    monkeypatch.setattr(module, "_measure", None)  # from the cache, or else this fails
    assert machine(1) == first


def test_several_threads_are_measured_at_once() -> None:
    assert machine(2).threads == 2


def test_roofs() -> None:
    m = Machine("", 1, 1e9, 2e9, ((1000, 8e9), (100_000, 2e9)))
    assert m.bandwidth_at(1) == 8e9 and m.bandwidth_at(10**8) == 2e9
    assert 2e9 < m.bandwidth_at(5000) < 8e9
