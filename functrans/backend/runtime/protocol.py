"""The text of `call.h`: how compiled code is called, for all that is C."""

from __future__ import annotations

import os
import re

__all__ = ["AGAIN", "PROTOCOL"]

with open(os.path.join(os.path.dirname(__file__), "call.h"), encoding="utf-8") as _file:
    PROTOCOL = re.sub(r" */\*.*?\*/", "", _file.read(), flags=re.DOTALL).strip()
"""Without comments."""

AGAIN = int(PROTOCOL.rpartition("FT_AGAIN = ")[2].partition(" ")[0])
