"""For tests that change a pass: what is planned while they run is planned now, and not kept."""

from __future__ import annotations

from collections import Counter, OrderedDict

import pytest

from functrans.backend import plan, ready


def plan_anew(monkeypatch: pytest.MonkeyPatch, *, disk: bool = False) -> None:
    """Forget the plans of this process and, but for ``disk``, leave those of the cache alone."""
    monkeypatch.setattr(plan, "_plans", OrderedDict())
    monkeypatch.setattr(ready, "_ready", OrderedDict())
    monkeypatch.setattr(ready, "_written", Counter())
    if not disk:
        monkeypatch.setattr(ready, "fingerprint", lambda: None)
