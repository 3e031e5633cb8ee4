"""The benchmark runs: every row at a tiny size, ours and the hand-written C against NumPy. Nothing is timed."""

from __future__ import annotations

import pytest

from benchmarks.__main__ import main, smoke
from benchmarks.cases import CASES


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_ours_and_the_limit_agree_with_numpy(case):
    assert smoke([case]) == 0


def test_a_row_that_is_not_there_is_named(capsys):
    assert main(["no-such-row", "--smoke"]) == 2
    assert "no-such-row" in capsys.readouterr().out
