"""Settings: where they come from, what is refused, and that nothing else reads the environment."""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from functrans.config import Config
from functrans.errors import ConfigError

config_module = sys.modules["functrans.config"]  # functrans.config itself is the settings object


@pytest.fixture
def config(monkeypatch: pytest.MonkeyPatch) -> Iterator[Config]:
    for name in list(os.environ):
        if name.startswith("FUNCTRANS_"):
            monkeypatch.delenv(name)
    yield Config()


def test_defaults(config: Config) -> None:
    assert (config.debug, config.debug_nans, config.spec, config.compile_timeout) == (0, False, False, 300.0)
    assert (config.cache_dir, config.cc, config.dump) == (None, None, None)
    assert config.threads >= 1


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("debug", "6", 6),
        ("debug", " 2 ", 2),
        ("debug_nans", "Yes", True),
        ("debug_nans", "off", False),
        ("threads", "1", 1),
        ("cache_dir", "/a/b", "/a/b"),
        ("cc", "ccache 'my cc' -O3", "ccache 'my cc' -O3"),
        ("spec", "1", True),
        ("dump", "/d", "/d"),
        ("compile_timeout", "0.5", 0.5),
        ("cache_max_size", "12345", 12_345),
        ("cache_max_size", "500MB", 500_000_000),
        ("cache_max_size", "2 G", 2_000_000_000),
        ("debug", "", 0),
        ("cc", "  ", None),
    ],
)
def test_environment(config: Config, monkeypatch: pytest.MonkeyPatch, name: str, text: str, value: Any) -> None:
    monkeypatch.setenv(f"FUNCTRANS_{name.upper()}", text)
    assert getattr(config, name) == value


@pytest.mark.parametrize(("text", "most"), [("1", 1), (" 2 ", 2), ("2,3", 2), ("4096", 4), ("1" * 9, 4)])
def test_no_more_threads_than_openmp_would_start(monkeypatch: pytest.MonkeyPatch, text: str, most: int) -> None:
    monkeypatch.setattr(config_module, "_available_cpus", lambda: 4)
    monkeypatch.delenv("FUNCTRANS_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    assert Config().threads == most
    monkeypatch.setenv("FUNCTRANS_THREADS", "3")
    assert Config().threads == 3


@pytest.mark.parametrize("text", ["", "0", "-1", "two", "1.5", ",2", "1" * 10])
def test_what_openmp_ignores_is_ignored(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr(config_module, "_available_cpus", lambda: 4)
    monkeypatch.delenv("FUNCTRANS_THREADS", raising=False)
    monkeypatch.setenv("OMP_NUM_THREADS", text)
    assert Config().threads == 4


NONSENSE = [
    ("debug", "7"),
    ("debug", "-1"),
    ("debug", "loud"),
    ("debug_nans", "2"),
    ("debug_nans", "maybe"),
    ("threads", "0"),
    ("threads", "abc"),
    ("threads", "1.5"),
    ("threads", str(2**63)),
    ("cache_max_size", "0"),
    ("cache_max_size", "-1"),
    ("cache_max_size", "2 furlongs"),
    ("cache_max_size", "1.5 GB"),
    ("cache_max_size", "9" * 19 + "T"),
    ("cc", "gcc 'open"),
    ("spec", "nan"),
    ("compile_timeout", "0"),
    ("compile_timeout", "nan"),
    ("compile_timeout", "inf"),
    ("compile_timeout", "soon"),
]


@pytest.mark.parametrize(("name", "text"), NONSENSE)
def test_nonsense_names_the_variable_and_what_is_expected(
    config: Config, monkeypatch: pytest.MonkeyPatch, name: str, text: str
) -> None:
    monkeypatch.setenv(f"FUNCTRANS_{name.upper()}", text)
    with pytest.raises(ConfigError, match=f"^FUNCTRANS_{name.upper()} is {re.escape(repr(text))}, expected "):
        getattr(config, name)


@pytest.mark.parametrize(
    ("name", "value"),
    [*NONSENSE, ("debug", True), ("threads", 2.0), ("cache_dir", 3), ("dump", "a\0b"), ("cc", ["gcc"])],
)
def test_assigning_nonsense_leaves_the_setting(config: Config, name: str, value: Any) -> None:
    before = getattr(config, name)
    with pytest.raises(ConfigError, match=rf"config\.{name} is "):
        setattr(config, name, value)
    assert getattr(config, name) == before


def test_unknown_settings(config: Config) -> None:
    with pytest.raises(ConfigError, match=r"no setting 'treads'; there are debug, .*threads"):
        config.treads = 3  # type: ignore[attr-defined]
    with pytest.raises(AttributeError, match="no setting 'treads'"):
        _ = config.treads  # type: ignore[attr-defined]


def test_a_setting_is_read_when_first_used(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUNCTRANS_DEBUG", "3")
    monkeypatch.setenv("FUNCTRANS_THREADS", "abc")  # wrong, and nobody asks
    assert config.debug == 3
    monkeypatch.setenv("FUNCTRANS_DEBUG", "4")
    assert config.debug == 3
    config.reset()
    assert config.debug == 4


def test_override_puts_everything_back(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    config.debug = 1
    with config.override(debug=2, threads=7), config.override(debug=3):
        assert (config.debug, config.threads) == (3, 7)
    assert config.debug == 1
    monkeypatch.setenv("FUNCTRANS_THREADS", "5")  # was never read before, so it is read now
    assert config.threads == 5


def test_override_puts_back_after_an_error(config: Config) -> None:
    config.debug = 1
    with pytest.raises(ConfigError, match=r"config\.threads"), config.override(debug=2, threads=0):
        raise AssertionError("the block must not run")
    assert config.debug == 1
    with pytest.raises(KeyError), config.override(debug=2):
        raise KeyError
    assert config.debug == 1


def test_paths_are_made_absolute_at_once(config: Config, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("HOME", "/home/someone")
    config.cache_dir = "here"
    config.dump = "~/there"
    assert (config.cache_dir, config.dump) == (str(tmp_path / "here"), "/home/someone/there")


def test_system_cc(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CC", raising=False)
    assert config.system_cc() is None
    monkeypatch.setenv("CC", "gcc-12 -m64")
    assert config.system_cc() == "gcc-12 -m64"
    monkeypatch.setenv("CC", '"gcc')
    with pytest.raises(ConfigError, match=r"^CC is "):
        config.system_cc()


@pytest.mark.parametrize(
    ("xdg", "home", "expected"),
    [
        ("/xdg", "/home/me", "/xdg"),
        ("", "/home/me", "/home/me/.cache"),
        ("relative", "/home/me", "/home/me/.cache"),
        (None, "/home/me", "/home/me/.cache"),
        (None, None, None),
        (None, "", None),
    ],
)
def test_cache_home(
    config: Config, monkeypatch: pytest.MonkeyPatch, xdg: str | None, home: str | None, expected: str | None
) -> None:
    for variable, text in (("XDG_CACHE_HOME", xdg), ("HOME", home), ("LOCALAPPDATA", None)):
        monkeypatch.delenv(variable, raising=False)
        if text is not None:
            monkeypatch.setenv(variable, text)
    assert config.user_cache_home() == expected


def test_child_environment(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KEPT", "1")
    child = config.child_environment(TMPDIR="/t")
    assert (child["KEPT"], child["TMPDIR"]) == ("1", "/t")
    assert os.environ.get("TMPDIR") != "/t"


def test_repr_names_every_setting(config: Config, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FUNCTRANS_DEBUG", "loud")
    text = repr(config)
    assert "FUNCTRANS_DEBUG is 'loud'" in text
    for name in config_module._SETTINGS:
        assert f"{name}=" in text


def test_nothing_else_reads_the_environment() -> None:
    package = Path(config_module.__file__).parent
    readers = {
        str(path.relative_to(package))
        for path in package.rglob("*.py")
        if re.search(r"\benviron\b|\bgetenv\b", path.read_text(encoding="utf-8"))
    }
    assert readers == {"config.py"}
