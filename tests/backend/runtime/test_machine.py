"""What the machine can do: measured once, kept, read again."""

from __future__ import annotations

from pathlib import Path

import pytest

import functrans as ft
from functrans.backend.runtime import cache
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


@pytest.mark.parametrize(
    "text",
    [b"", b"{}", b"[1]", b"compiler 2", b'{"name": "", "threads": 1, "flops64": 0, "flops32": 1, "bandwidth": []}'],
)
def test_measurements_that_make_no_sense_are_made_anew(
    text: bytes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = machine(1)
    monkeypatch.setattr(module, "_known", {})
    monkeypatch.setattr(module, "_measure", lambda threads: first)
    monkeypatch.setattr("functrans.debug._warned", set())
    with ft.config.override(cache_dir=tmp_path):
        machine(1)
        store = cache.current()
        (path,) = Path(store.directory).glob("*.machine.json")
        store.put(path.name, text)
        monkeypatch.setattr(module, "_known", {})
        with pytest.warns(ft.FunctransWarning, match="make no sense.*measured anew"):
            assert machine(1) == first
        monkeypatch.setattr(module, "_known", {})
        monkeypatch.setattr(module, "_measure", None)
        assert machine(1) == first


def test_several_threads_are_measured_at_once() -> None:
    assert machine(2).threads == 2


def test_roofs() -> None:
    m = Machine("", 1, 1e9, 2e9, ((1000, 8e9), (100_000, 2e9)))
    assert m.bandwidth_at(1) == 8e9 and m.bandwidth_at(10**8) == 2e9
    assert 2e9 < m.bandwidth_at(5000) < 8e9
