"""The command line."""

from __future__ import annotations

import os
import pkgutil
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import functrans as ft
from functrans.__main__ import main
from functrans.backend.runtime import cache as cache_module
from functrans.config import config


def normalized(x: Any) -> Any:
    """What the tests explain."""
    return x / np.sqrt((x * x).sum())


def test_doctor(capsys: pytest.CaptureFixture[str], compiler: None) -> None:
    assert main(["doctor"]) == 0
    out = capsys.readouterr().out
    for word in ("functrans ", "Python ", "numpy ", "compiler: ", "processor: ", "cache: ", "threads", "ms: right"):
        assert word in out
    assert "trouble" not in out and out.endswith("all is well\n")


def test_error_prints_the_entry_of_a_class(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["error", "AxisError"]) == 0
    out = capsys.readouterr().out
    for text in ("What: ", "Why: ", "Fix: ", "Caught as FunctransError, AxisError, ", "errors.html#axiserror"):
        assert text in out
    assert main(["error", "TypeError"]) == 1
    assert "'TypeError' is no class of errors; there are ArgumentError, " in capsys.readouterr().err


def test_doctor_without_a_compiler(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "/nonexistent")
    monkeypatch.delenv("CC", raising=False)
    with config.override(cc="/nonexistent/cc"):
        assert main(["doctor"]) == 1
    out = capsys.readouterr().out
    assert "trouble: compiler: none" in out and "/nonexistent/cc" in out and "help: install gcc or clang" in out


def test_doctor_goes_on_after_what_it_finds(tmp_path: Path) -> None:
    """Everything is wrong at once; each check says so and what helps, and none ends the others."""
    (tmp_path / "file").write_text("")
    environment = {
        **os.environ, "FUNCTRANS_THREADS": str(2**63), "FUNCTRANS_CC": "/nonexistent/cc", "TMPDIR": "/nonexistent",
        "FUNCTRANS_CACHE_DIR": str(tmp_path / "file"), "FUNCTRANS_DEBUG": "loud",
    }  # fmt: skip
    ran = subprocess.run(
        [sys.executable, "-m", "functrans", "doctor"], env=environment, capture_output=True, text=True, check=False
    )
    assert ran.returncode == 1 and ran.stderr == ""
    assert len(re.findall(r"^trouble: ", ran.stdout, re.M)) == len(re.findall(r"^  help: ", ran.stdout, re.M)) >= 4
    for text in ("FUNCTRANS_THREADS is", "FUNCTRANS_DEBUG is", "is not a directory", "compiler: none", "checks failed"):
        assert text in ran.stdout


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(["--version"])
    assert caught.value.code == 0
    assert capsys.readouterr().out == f"functrans {ft.__version__}\n"


def test_the_script_is_the_command_line() -> None:
    scripts = tomllib.loads((Path(ft.__file__).parents[1] / "pyproject.toml").read_text())["project"]["scripts"]
    assert pkgutil.resolve_name(scripts["functrans"]) is main


def test_the_cache_is_counted_and_cleared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    directory = tmp_path / "cache"
    with config.override(cache_dir=directory):
        store = cache_module.current()
        store.put("0" * 64 + ".so", b"x" * 1000)
        (directory / "mine.txt").write_text("of the user")
        (directory / f"failed-{'0' * 16}.c").write_text("int")
        assert main(["cache"]) == 0
        assert f"cache: {directory}, 2 files, 1.04 kB of at most 1 GB, drwx------" in capsys.readouterr().out
        assert main(["clear-cache"]) == 0
        assert "removed 2 files, 1.04 kB" in capsys.readouterr().out
        assert [p.name for p in directory.iterdir()] == ["mine.txt"]


def test_roofline(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["roofline", "--svg", str(tmp_path / "roof.svg")]) == 0
    assert "Gflop/s, memory" in capsys.readouterr().out
    assert (tmp_path / "roof.svg").read_text().startswith("<svg")


def test_explain(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.html"
    assert main(["explain", "tests.test_main:normalized", "50,4", "--vmap", "--html", str(page)]) == 0
    out = capsys.readouterr().out
    assert "normalized(50x4 float64): 1 kernel" in out and "batch" in out
    assert page.read_text().startswith("<!doctype html>")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["no_such_module:f", "3"], "'no_such_module:f' is not to be had: No module named 'no_such_module'"),
        (["tests.test_main:nothing", "3"], "is not to be had: .* has no attribute 'nothing'"),
        (["tests.test_main", "3"], "names no function"),
        (["tests.test_main:normalized", "three"], "'three' is no shape"),
        (["tests.test_main:normalized", "-3"], "'-3' is no shape"),
        (["tests.test_main:normalized", "float99:3"], "'float99:3' is no shape"),
    ],
)
def test_bad_arguments(arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]) -> None:
    end = arguments if not arguments[-1].startswith("-") else [*arguments[:-1], "--", arguments[-1]]
    assert main(["explain", *end]) == 1


    assert re.search(f"ArgumentError: .*{message}", capsys.readouterr().err)


def test_a_setting_that_makes_no_sense_is_named() -> None:
    program = "import functrans as ft, numpy as np; ft.vmap(np.sin)(np.ones(3))"
    environment = {**os.environ, "FUNCTRANS_DEBUG": "abc"}
    ran = subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "ConfigError: FUNCTRANS_DEBUG is 'abc', expected an integer from 0 to 6" in ran.stderr
