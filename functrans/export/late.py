"""The forms of exported C, each imported when it is first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functrans._lazy import LazyModule

__all__ = ["casadi", "ipopt", "plain", "text"]

if TYPE_CHECKING:
    from functrans.export import casadi, ipopt, plain, text
else:
    casadi = LazyModule("functrans.export.casadi")
    ipopt = LazyModule("functrans.export.ipopt")
    plain = LazyModule("functrans.export.plain")
    text = LazyModule("functrans.export.text")
