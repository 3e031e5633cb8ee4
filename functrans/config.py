"""Settings, and the only reader of the environment.

Each setting is an attribute of `config` and an environment variable ``FUNCTRANS_<NAME>``, read when the
setting is first used.  Assigning checks the value as strictly as reading the environment does.
"""

from __future__ import annotations

import os
import re
import shlex
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, NamedTuple

from functrans.errors import ConfigError

__all__ = ["Config", "config"]

_TRUE = frozenset({"1", "true", "yes", "on"})
_FALSE = frozenset({"0", "false", "no", "off"})


def _integer(low: int, high: int | None) -> Callable[[Any], int]:
    """A reader of integers from `low` to `high`; raises ValueError on anything else."""

    def read(value: Any) -> int:
        if isinstance(value, (bool, float)):
            raise ValueError
        number = int(value)
        if number < low or (high is not None and number > high):
            raise ValueError
        return number

    return read


def _boolean(value: Any) -> bool:
    if isinstance(value, bool):
        return value
    text = str(value).strip().lower()
    if text not in _TRUE | _FALSE:
        raise ValueError
    return text in _TRUE


def _seconds(value: Any) -> float:
    number = float(value)
    if isinstance(value, bool) or not 0.0 < number < float("inf"):
        raise ValueError
    return number


def _path(value: Any) -> str | None:
    if value is None or value == "":
        return None
    if not isinstance(value, (str, os.PathLike)) or "\0" in str(value):
        raise ValueError
    return os.path.abspath(os.path.expanduser(os.fspath(value)))  # the working directory may change


def _command(value: Any) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or not shlex.split(value):  # shlex: ValueError on an open quote
        raise ValueError
    return value


def _available_cpus() -> int:
    """CPUs this process may run on, which in a container are fewer than the machine has."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity is not None else os.cpu_count() or 1


def _most_threads() -> int:
    """The CPUs of this process, or fewer where ``OMP_NUM_THREADS`` says so.

    Dask, joblib, Ray and batch systems set it for processes that share a machine.  Of a list, one number for each level
    of nested regions (OpenMP 5.2, 21.1.2), the first is ours; OpenMP's libraries ignore what is no positive number.
    """
    first = os.environ.get("OMP_NUM_THREADS", "").split(",")[0].strip()
    return min(_available_cpus(), int(first)) if re.fullmatch(r"0*[1-9]\d{0,8}", first, re.ASCII) else _available_cpus()


_MOST_THREADS = 4096  # far above what one call starts; beyond, memory for each of them would not be had
_UNITS = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12}


def _bytes(value: Any) -> int:
    """A number of bytes, also as text with a unit: ``500MB``, ``2 G``."""
    if not isinstance(value, str):
        return _integer(1, 2**62)(value)
    found = re.fullmatch(r"(\d{1,19})\s*([kKMGT]?)i?B?", value.strip())
    if found is None:
        raise ValueError
    return _integer(1, 2**62)(int(found[1]) * _UNITS[found[2].replace("K", "k")])


class _Setting(NamedTuple):
    """How one setting is read, what it is without being set, and what a good value looks like."""

    read: Callable[[Any], Any]
    default: Callable[[], Any]
    expected: str


def _one_of(*choices: str) -> Callable[[Any], str]:
    def read(value: Any) -> str:
        if not isinstance(value, str) or value not in choices:
            raise ValueError
        return value

    return read


_SETTINGS: Mapping[str, _Setting] = {
    "debug": _Setting(_integer(0, 6), lambda: 0, "an integer from 0 to 6"),
    "debug_nans": _Setting(_boolean, lambda: False, "one of 0, 1, false, true, no, yes, off, on"),
    "linalg_errors": _Setting(_one_of("raise", "nan"), lambda: "raise", "'raise' or 'nan'"),
    "threads": _Setting(_integer(1, _MOST_THREADS), _most_threads, f"an integer from 1 to {_MOST_THREADS}"),
    "cache_dir": _Setting(_path, lambda: None, "a directory"),
    "cc": _Setting(_command, lambda: None, "a compiler command such as gcc or 'ccache clang', quotes closed"),
    "spec": _Setting(_boolean, lambda: False, "one of 0, 1, false, true, no, yes, off, on"),
    "dump": _Setting(_path, lambda: None, "a directory"),
    "launcher": _Setting(_boolean, lambda: True, "one of 0, 1, false, true, no, yes, off, on"),
    "compile_timeout": _Setting(_seconds, lambda: 300.0, "a number of seconds above 0"),
    "cache_max_size": _Setting(_bytes, lambda: 10**9, "a number of bytes above 0, as 500000000 or 500MB"),
}


class Config:
    """The settings of this process; use the one instance, ``ft.config``.

    Attributes
    ----------
    debug : int
        0 to 6: cache and timing, schedule, kernels, C, statements, graphs on stderr.
    debug_nans : bool
        Raise `NanError` at the first NaN a compiled function returns.
    linalg_errors : str
        What becomes of a matrix that has no solution or factor: ``"raise"``, a `LinAlgError` that names the first one
        of a batch, or ``"nan"``, NaN for it. Read at each call.
    threads : int
        The most threads one compiled call uses where its work pays them; unless set, as many as there are CPUs, or
        fewer where ``OMP_NUM_THREADS`` says so, as it does in the workers of Dask, joblib and Ray. With more than one,
        long C is compiled by two compilers at a time.
    cache_dir : str | None
        Where compiled code is kept; None is ``$XDG_CACHE_HOME/functrans`` or ``~/.cache/functrans``.
    cc : str | None
        The compiler command, split as a shell would split it, but never run by a shell.
    spec : bool
        Check the graph against its spec after every pass.
    dump : str | None
        A directory into which the C of every compiled function is written.
    launcher : bool
        Build and use the compiled launcher, which makes the call of a small function four times as fast.
    compile_timeout : float
        Seconds after which a compiler is stopped.
    cache_max_size : int
        Bytes that the cache holds at most: what was used longest ago goes. Also as text, ``"500MB"``.

    Raises
    ------
    ConfigError
        On first use or assignment of a value that makes no sense; the text names the variable.

    Examples
    --------
    >>> with config.override(debug=2):
    ...     config.debug
    2
    """

    debug: int
    debug_nans: bool
    linalg_errors: str
    threads: int
    cache_dir: str | None
    cc: str | None
    spec: bool
    dump: str | None
    launcher: bool
    compile_timeout: float
    cache_max_size: int

    if not TYPE_CHECKING:  # hidden, so that a misspelt setting is a type error

        def __getattr__(self, name: str) -> Any:
            """Read a setting from the environment on first use; then it is a plain attribute."""
            setting = _SETTINGS.get(name)
            if setting is None:
                raise AttributeError(f"no setting {name!r}; there are {', '.join(_SETTINGS)}")
            variable = f"FUNCTRANS_{name.upper()}"
            text = os.environ.get(variable, "").strip()  # set to nothing is as good as unset
            value = _checked(setting, text, variable) if text else setting.default()
            self.__dict__[name] = value
            return value

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a setting for the whole process, after checking it."""
        setting = _SETTINGS.get(name)
        if setting is None:
            raise ConfigError(f"no setting {name!r}; there are {', '.join(_SETTINGS)}")
        self.__dict__[name] = _checked(setting, value, f"config.{name}")

    def __repr__(self) -> str:
        """Every setting with its value, or with what is wrong with its variable."""
        shown = []
        for name in _SETTINGS:
            try:
                shown.append(f"{name}={getattr(self, name)!r}")
            except ConfigError as error:
                shown.append(f"{name}=<{error.message}>")
        return f"Config({', '.join(shown)})"

    def put_right(self) -> list[str]:
        """What is wrong with settings that come from the environment, one text for each; they are as if unset then."""
        found = []
        for name, setting in _SETTINGS.items():
            try:
                getattr(self, name)
            except ConfigError as error:
                found.append(error.message)
                self.__dict__[name] = setting.default()
        return found

    @contextmanager
    def override(self, **settings: Any) -> Iterator[Config]:
        """Change settings inside a ``with`` block; they are put back afterwards, for all threads."""
        before = {name: self.__dict__[name] for name in settings if name in self.__dict__}
        try:
            for name, value in settings.items():
                setattr(self, name, value)
            yield self
        finally:
            for name in settings:
                self.__dict__.pop(name, None)
            self.__dict__.update(before)

    def reset(self) -> None:
        """Forget what was set and read; the next use reads the environment again."""
        self.__dict__.clear()

    def system_cc(self) -> str | None:
        """The compiler that ``CC`` names, as build tools read it; None when it is unset or empty."""
        text = os.environ.get("CC", "").strip()
        return _checked(_SETTINGS["cc"], text, "CC") if text else None

    def child_environment(self, **changes: str) -> dict[str, str]:
        """The environment for a child process: this one's, with `changes`."""
        return {**os.environ, **changes}

    def temporary_directories(self) -> list[str]:
        """Where temporary files may go, best first."""
        named = (os.environ.get(variable, "") for variable in ("TMPDIR", "TEMP", "TMP"))
        places = (place for place in (*named, "/tmp", "/var/tmp", "/dev/shm") if os.path.isabs(place))
        return list(dict.fromkeys(map(os.path.normpath, places)))

    def user_cache_home(self) -> str | None:
        """The user's cache directory by the XDG rules; None when neither it nor a home is known."""
        for variable, below in (("XDG_CACHE_HOME", ""), ("HOME", ".cache"), ("LOCALAPPDATA", "")):
            text = os.environ.get(variable, "")
            if os.path.isabs(text):  # the XDG rules say to ignore a relative path
                return os.path.normpath(os.path.join(text, below))
        return None


def _checked(setting: _Setting, value: Any, source: str) -> Any:
    """`value` as its setting reads it; ConfigError naming `source` otherwise."""
    try:
        return setting.read(value)
    except (ValueError, TypeError, OverflowError) as error:
        raise ConfigError(f"{source} is {value!r}, expected {setting.expected}; correct or unset it") from error
    except FileNotFoundError as error:
        raise ConfigError(
            f"{source} is {value!r}, a path from the working directory, which does not exist any more; give a path "
            "from the root, or change to another directory"
        ) from error


config = Config()
