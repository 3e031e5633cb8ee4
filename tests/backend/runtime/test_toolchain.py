"""Finding a compiler, and what happens when it fails, hangs, shouts or lies."""

from __future__ import annotations

import os
import shlex
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from functrans.backend.runtime import cache, toolchain
from functrans.backend.runtime.compiling import compile_c
from functrans.backend.runtime.flags import FAMILIES, cpu_identity, flag_choices, libraries, link_flags
from functrans.backend.runtime.toolchain import Compiler, find_compiler
from functrans.config import config
from functrans.errors import CompileError, CompilerNotFound, ConfigError, FunctransWarning
from tests.backend.runtime.house import DOUBLE, House

Script = Callable[[str, str], str]
REAL = shutil.which("cc") or shutil.which("gcc") or shutil.which("clang") or ""
GOOD_PROBE = 'case "$*" in *--version*) echo "fake 1.0"; exit 0;; *probe.c*) exit 0;; esac\n'

pytestmark = pytest.mark.skipif(not REAL, reason="needs a C compiler")


def build(c_text: str = DOUBLE) -> bytes:
    return compile_c(find_compiler(), c_text, cache.current())


def running(pid: int) -> bool:
    """Whether a process runs; a zombie has ended."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"


def wait_until(condition: Callable[[], bool]) -> bool:
    for _ in range(1000):
        if condition():
            return True
        time.sleep(0.01)
    return condition()


# finding


def test_finds_and_compiles(house: House) -> None:
    library = build()
    assert library[1:4] == b"ELF" or sys.platform != "linux"
    assert house.left_over() == []


def test_functrans_cc_comes_before_cc(house: House, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", script("second", f'exec {REAL} "$@"'))
    assert find_compiler().command[0].endswith("/second")
    first = script("first", f'exec {REAL} "$@"')
    config.cc = first
    assert find_compiler().command == (first,)


@pytest.mark.parametrize("name", ["cc", "gcc", "clang"])
def test_looks_on_the_path(house: House, script: Script, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    path = script(f"bin/{name}", f'PATH={os.environ["PATH"]} exec {REAL} "$@"')
    monkeypatch.setenv("PATH", os.path.dirname(path))
    assert find_compiler().command == (path,)
    assert build()


def test_a_broken_compiler_is_passed_over(house: House, script: Script, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CC", "no-such-compiler")
    path = script("bin/cc", "echo 'no license' >&2; exit 3")
    script("bin/gcc", f'PATH={os.environ["PATH"]} exec {REAL} "$@"')
    monkeypatch.setenv("PATH", os.path.dirname(path))
    assert find_compiler().command[0].endswith("/gcc")


def test_the_ziglang_package_is_the_last_resort(house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = tmp_path / "site" / "ziglang"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("")
    (package / "__main__.py").write_text(
        "import os, sys\n"
        "assert sys.argv[1] == 'cc'\n"
        f"os.environ['PATH'] = {os.environ['PATH']!r}\n"
        f"os.execv({REAL!r}, [{REAL!r}, *sys.argv[2:]])\n"
    )
    monkeypatch.syspath_prepend(str(package.parent))
    monkeypatch.setenv("PYTHONPATH", str(package.parent))
    monkeypatch.setenv("PATH", str(tmp_path))
    compiler = find_compiler()
    assert compiler.command[1:] == ("-m", "ziglang", "cc")
    assert "-fno-sanitize=all" in compiler.flags
    assert build()
    os.utime(package / "__init__.py", (1, 1))  # an upgrade
    house.restart()
    assert find_compiler().identity != compiler.identity


def test_none_found_lists_what_was_tried_and_three_fixes(
    house: House, script: Script, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = script("bin/gcc", "echo 'no license'; exit 3")
    monkeypatch.setenv("PATH", os.path.dirname(path))
    monkeypatch.setenv("CC", "my-cc --fast")
    monkeypatch.setattr(toolchain.importlib.util, "find_spec", lambda name: None)
    for _ in range(2):
        with pytest.raises(CompilerNotFound) as caught:
            find_compiler()
        text = str(caught.value)
        for tried in ("CC (my-cc --fast) was not found", "cc (cc) was", "clang (clang) was", "no license"):
            assert tried in text
        for fix in ("install gcc or clang", "pip install ziglang", "set FUNCTRANS_CC"):
            assert fix in text
        assert not isinstance(caught.value, ConfigError)


@pytest.mark.parametrize("command", ["no-such-cc", "/no/such/cc", "cc --weird-option", "cc; exit 0", "/etc"])
def test_functrans_cc_that_fails_never_falls_through(
    house: House, monkeypatch: pytest.MonkeyPatch, command: str
) -> None:
    monkeypatch.setenv("FUNCTRANS_CC", command)
    with pytest.raises(CompilerNotFound, match=r"^FUNCTRANS_CC is ") as caught:
        find_compiler()
    assert isinstance(caught.value, ValueError)
    assert command.split()[0] in str(caught.value)
    assert str(caught.value).count("see: ") == 1


def test_functrans_cc_is_split_and_no_shell_reads_it(
    house: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "my compilers; touch pwned"
    folder.mkdir()
    (folder / "c c").symlink_to(REAL)
    monkeypatch.setenv("FUNCTRANS_CC", f"{shlex.quote(str(folder / 'c c'))} '-DVALUE=$(touch pwned)' -DFOUR='2 + 2'")
    monkeypatch.chdir(tmp_path)
    assert find_compiler().command[1:] == ("-DVALUE=$(touch pwned)", "-DFOUR=2 + 2")
    assert build("int ft_entry(void **b, const long long *s) { return FOUR == 4 ? 0 : 1; }")
    assert not list(tmp_path.rglob("pwned"))


def test_flags_that_a_compiler_does_not_take_are_left_out(house: House, script: Script) -> None:
    config.cc = script("old", f'case "$*" in *native*) echo no >&2; exit 1;; esac\nexec {REAL} "$@"')
    assert find_compiler().flags == flag_choices("gcc")[2]
    assert build()


def test_a_compiler_without_modref(house: House, script: Script) -> None:
    refused = "*native*|*ipa-modref*) echo no >&2; exit 1"
    config.cc = script("older", f'case "$*" in {refused};; esac\nexec {REAL} "$@"')
    assert find_compiler().flags == flag_choices("gcc")[-1]
    assert build()


@pytest.mark.parametrize("family", FAMILIES)
def test_flags_keep_ieee_arithmetic(family: str) -> None:
    for flags in flag_choices(family):
        assert {"-ffp-contract=off", "-fwrapv", "-fPIC"} <= set(flags)
        assert not any("fast" in flag or "unsafe" in flag or "finite" in flag for flag in flags)


def test_a_warm_process_starts_no_compiler(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    first = find_compiler()
    build()
    house.restart()
    for starts in ("run", "Child"):
        monkeypatch.setattr(toolchain, starts, None)  # calling it would raise
    assert find_compiler() == first


def test_a_changed_compiler_is_asked_again(house: House, script: Script) -> None:
    config.cc = path = script("cc", f'exec {REAL} "$@"')
    first = find_compiler()
    script("cc", f'case "$*" in *-v*) echo "new version 2.0";; esac\nexec {REAL} "$@"')
    house.restart()
    config.cc = path
    second = find_compiler()
    assert second.version == "new version 2.0"
    assert first.identity != second.identity


def test_a_compiler_behind_a_wrapper_counts(house: House, script: Script) -> None:
    wrapper = script("wrapper", 'exec "$@"')
    inner = script("inner", f'exec {REAL} "$@"')
    config.cc = f"{wrapper} {inner}"
    assert inner in find_compiler().stamp and wrapper in find_compiler().stamp


def test_identity_covers_every_part() -> None:
    plain = Compiler(("cc",), "1", "s", ("-O1",), ("cc", "-shared"), ("-lm",))
    changed = [
        plain._replace(command=("gcc",)),
        plain._replace(version="2"),
        plain._replace(stamp="t"),
        plain._replace(flags=("-O2",)),
        plain._replace(linker=("ld", "-shared")),
        plain._replace(link=()),
    ]
    assert len({compiler.identity for compiler in [plain, *changed]}) == 7


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_cpu_identity_has_the_instruction_sets() -> None:
    assert "=" in cpu_identity()
    assert cpu_identity().count("flags=") + cpu_identity().count("Features=") <= 1


# wrappers: each reads its input twice, as those do that keep what they have compiled, and calls the real one

TWICE = f'{REAL} -E "$@" > /dev/null 2>&1\nexec {REAL} "$@"'
TWICE_IN_C = f"""
#include <stdlib.h>
#include <unistd.h>
#include <sys/wait.h>
int main(int argc, char **argv) {{
  char **more = malloc((argc + 2) * sizeof *more);
  int status;
  for (int k = 0; k < argc; k++) more[k] = argv[k];
  more[argc] = "-E", more[argc + 1] = 0, more[0] = "{REAL}";
  if (!fork()) {{ close(1); close(2); execv(more[0], more); _exit(1); }}
  wait(&status);
  argv[0] = "{REAL}";
  return execv(argv[0], argv);
}}
"""


@pytest.fixture
def masquerade(tmp_path: Path) -> str:
    """A program by the name of a compiler that is none: the directory that stands first in PATH."""
    folder = tmp_path / "wrappers"
    folder.mkdir()
    (folder / "cache.c").write_text(TWICE_IN_C)
    subprocess.run([REAL, "cache.c", "-o", "cache"], cwd=folder, check=True)
    for name in ("cc", "gcc"):
        (folder / name).symlink_to("cache")
    os.link(folder / "cache", folder / "clang")
    return str(folder)


def fits(library: bytes) -> bool:
    return b"ft_entry\0" in library


def test_the_compiler_itself_is_given_its_text_ahead(house: House) -> None:
    found = find_compiler()
    assert found.takes_pipe == (found.family != "zig")


@pytest.mark.parametrize(
    ("name", "before", "called"), [("cc", "", "{}"), ("ccache", "shift\n", "{} cc"), ("other", "", "sh {}")]
)
def test_a_wrapper_that_reads_its_input_twice(
    house: House, script: Script, name: str, before: str, called: str
) -> None:
    config.cc = called.format(script(f"bin/{name}", before + TWICE))
    assert fits(build())
    assert not find_compiler().takes_pipe


@pytest.mark.parametrize("name", ["cc", "gcc", "clang"])
def test_a_wrapper_by_the_name_of_a_compiler(
    house: House, masquerade: str, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    for other in {"cc", "gcc", "clang"} - {name}:
        os.unlink(os.path.join(masquerade, other))
    monkeypatch.setenv("PATH", f"{masquerade}:{os.environ['PATH']}")
    config.cc = None if name == "cc" else name
    found = find_compiler()
    assert found.command == (os.path.join(masquerade, name),) and not found.takes_pipe
    assert fits(build())
    house.restart()
    config.cc = None if name == "cc" else name
    assert find_compiler() == found  # as it was kept


def test_the_compiler_behind_a_wrapper_is_asked_again_when_it_changes(house: House, script: Script) -> None:
    """Where its libraries lie may have changed with it."""
    said = 'case "$*" in *-v*) echo "COLLECT_GCC=$0"; echo "inner version {}";; esac\n' + f'exec {REAL} "$@"'
    inner = script("inner", said.replace("{}", "1.0"))
    wrapper = script("cc", f'exec {inner} "$@"')
    config.cc = wrapper
    first = find_compiler()
    assert inner in first.stamp
    script("inner", said.replace("{}", "2.0"))
    house.restart()
    config.cc = wrapper
    assert (first.version, find_compiler().version) == ("inner version 1.0", "inner version 2.0")


@pytest.mark.parametrize(
    "damage", [b"", b"\xff\xfe", b"gcc version 12\ngcc\n-O1\n", b"compiler 2\nv\ncobol\n\n\nTrue\n"]
)
def test_a_record_that_makes_no_sense_is_made_anew(house: House, damage: bytes) -> None:
    first = find_compiler()
    build()
    (path,) = house.cached(".cc")
    cache.current().put(path.name, damage)
    house.restart()
    with pytest.warns(FunctransWarning, match="makes no sense.*made anew"):
        assert find_compiler() == first
    build("int ft_entry(void) { return 1; }")
    house.restart()
    assert find_compiler() == first


def test_a_wrapper_that_leaves_a_server_running(house: House, script: Script) -> None:
    config.cc = script("cc", f'(sleep 300) &\n{REAL} "$@"')
    start = time.monotonic()
    assert fits(build())
    assert time.monotonic() - start < 60  # of 300 for each of three runs


# failing


def test_an_error_keeps_command_message_and_source(house: House) -> None:
    bad = "int ft_entry(void) { return not_declared_é; }"
    with pytest.raises(CompileError) as caught:
        build(bad)
    error = caught.value
    assert "not_declared" in error.stderr and "not_declared" in str(error)
    assert error.source is not None and Path(error.source).read_text(encoding="utf-8") == bad
    assert error.source in str(error) and error.command[0] in str(error)
    assert house.left_over() == []


def test_an_unknown_function_is_an_error_of_the_build(house: House) -> None:
    with pytest.raises(CompileError, match="no_such_function"):
        build("int no_such_function(void); int ft_entry(void) { return no_such_function(); }")


def test_long_messages_are_cut(house: House, script: Script) -> None:
    config.cc = script("cc", GOOD_PROBE + "seq 100000; echo the end; exit 1")
    with pytest.raises(CompileError, match="the end") as caught:
        build()
    assert len(caught.value.stderr) < 20_000 and len(str(caught.value)) < 3_000


def test_a_compiler_that_dies(house: House, script: Script) -> None:
    config.cc = script("cc", GOOD_PROBE + "kill -SEGV $$")
    with pytest.raises(CompileError, match="was killed by signal 11"):
        build()


def test_chatter_on_stdout_is_no_failure(house: House, script: Script) -> None:
    config.cc = script("cc", f'echo "warning: telemetry"; {REAL} "$@"')
    assert build()


def test_a_compiler_that_leaves_nothing(house: House, script: Script) -> None:
    config.cc = script("cc", GOOD_PROBE + "exit 0")
    with pytest.raises(CompileError, match="left no library"):
        build()


def test_one_that_stops_starting(house: House, script: Script) -> None:
    config.cc = path = script("cc", GOOD_PROBE + "exit 0")
    find_compiler()
    os.unlink(path)
    with pytest.raises(CompileError, match="could not be started"):
        build()


HANGS = {
    "silently": "sleep 600",
    "with a child": "sleep 600 & echo $! > {pids}.child; wait",
    "with closed output": "exec >&- 2>&-; sleep 600",
    "deaf to signals": "trap '' TERM INT HUP; sleep 600",
    "talking": "while :; do echo spam spam spam spam; done",
}


@pytest.mark.parametrize("how", HANGS)
def test_a_compiler_that_hangs_is_killed_with_its_children(
    house: House, script: Script, tmp_path: Path, how: str
) -> None:
    pids = tmp_path / "pids"
    config.cc = script("cc", f"{GOOD_PROBE} echo $$ > {pids}; touch $TMPDIR/litter; {HANGS[how]}".format(pids=pids))
    find_compiler()
    config.compile_timeout = 0.5
    with pytest.raises(CompileError, match=r"was stopped after 0\.5 seconds"):
        build()
    started = [int(path.read_text()) for path in tmp_path.glob("pids*")]
    assert started and wait_until(lambda: not any(map(running, started)))
    assert house.left_over() == []


def test_too_little_time_is_said_to_be_that(house: House, script: Script) -> None:
    config.cc = script("cc", GOOD_PROBE + "sleep 600")
    find_compiler()
    config.compile_timeout = 0.5
    with pytest.raises(CompileError) as caught:
        build()
    text = str(caught.value)
    for said in ("0.5 seconds", "8 lines of C", "FUNCTRANS_COMPILE_TIMEOUT", "ft.vmap", "Shorter code"):
        assert said in text
    assert "defect" not in text and "another compiler" not in text


@pytest.mark.parametrize("how", ["kill -KILL $$", "echo 'Killed signal terminated program cc1'; exit 1"])
def test_a_compiler_that_is_killed_from_outside(house: House, script: Script, how: str) -> None:
    config.cc = script("cc", GOOD_PROBE + how)
    with pytest.raises(CompileError, match="memory") as caught:
        build()
    assert "defect" not in str(caught.value)


def test_a_compiler_that_hangs_when_asked_is_not_used(house: House, script: Script) -> None:
    config.cc = script("cc", "sleep 600")
    config.compile_timeout = 0.3
    with pytest.raises(CompilerNotFound, match=r"was stopped after 0\.3 seconds"):
        find_compiler()


def test_ctrl_c_kills_the_compiler_and_leaves_nothing(house: House, script: Script, tmp_path: Path) -> None:
    pids = tmp_path / "pid"
    hang = script("cc", f"{GOOD_PROBE} touch $TMPDIR/litter; echo $$ > {pids}.new; mv {pids}.new {pids}; sleep 600")
    program = (
        "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"  # a background job ignores it
        "from functrans.backend.runtime import load\n"
        "try:\n    load('int ft_entry(void) { return 0; }')\n"
        "except KeyboardInterrupt:\n    raise SystemExit(42)\n"
    )
    environment = {**os.environ, "FUNCTRANS_CC": hang, "TMPDIR": str(house.temporary)}
    process = subprocess.Popen([sys.executable, "-c", program], env=environment)
    try:
        assert wait_until(pids.exists)
        process.send_signal(signal.SIGINT)
        assert process.wait(60) == 42
    finally:
        process.kill()
        process.wait()
    assert wait_until(lambda: not running(int(pids.read_text())))
    assert house.left_over() == []
    assert house.cached(".so") == []


ANSWER = """
COMPILER_PATH={tmp}/nowhere:{tmp}/bin
gcc version {number}.0
 {proper} -quiet /dev/null -o /tmp/x.s
 as --64 -o /tmp/x.o /tmp/x.s
 {tmp}/collect2 --build-id -m elf --as-needed -shared -o entry.so "-L{tmp}/a b" /tmp/x.o
"""


@pytest.fixture
def known(house: House, script: Script, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Path]:
    """A gcc that answers what it would call; where it writes what it was asked."""

    def make(number: str, proper: str, answer: str = ANSWER) -> Path:
        monkeypatch.setattr(toolchain, "_is_program", lambda path: True)
        monkeypatch.setattr(toolchain, "takes_native", lambda: True)
        said, asked = tmp_path / "said", tmp_path / "asked"
        said.write_text(answer.format(number=number, proper=proper, tmp=tmp_path))
        config.cc = script("gcc", f'echo "$*" >> {asked}\ncase "$*" in *-###*) cat {said};; *) exec {REAL} "$@";; esac')
        return asked

    return make


@pytest.mark.parametrize(("number", "asked"), [("9.4", 1), ("12.2", 0), ("30.1", 0)])
def test_a_gcc_that_is_known_is_not_tried(
    known: Callable[..., Path], script: Script, tmp_path: Path, number: str, asked: int
) -> None:
    """It is asked once what it would call: its compiler proper, and the linker, in which way."""
    log, linker = known(number, str(tmp_path / "cc1")), script("bin/ld", "")
    (tmp_path / "cc1").write_text("")
    found = find_compiler()
    assert sum("-fsyntax-only" in line for line in log.read_text().splitlines()) == asked
    if not asked:
        assert found.version == f"gcc version {number}.0"
        assert found.linker == (linker, "-m", "elf", "--as-needed", "-shared", f"-L{tmp_path}/a b")


def test_a_gcc_without_its_compiler_proper_is_tried(known: Callable[..., Path], tmp_path: Path) -> None:
    log = known("12.2", str(tmp_path / "cc1"))
    assert find_compiler().linker[0] == config.cc
    assert "-fsyntax-only" in log.read_text()


def test_a_linker_that_is_called_otherwise_is_left_to_the_compiler(known: Callable[..., Path], tmp_path: Path) -> None:
    (tmp_path / "cc1").write_text("")
    log = known("12.2", str(tmp_path / "cc1"), ANSWER.replace("collect2", "linker"))
    assert find_compiler().linker == (config.cc, "-shared", "-fno-use-linker-plugin", "-nostdlib")
    assert "-fsyntax-only" not in log.read_text()
    assert build()


LINK = ("-lm", "-lc", "-lgcc", "--no-undefined")


@pytest.mark.parametrize(
    ("body", "has_maths", "left_out"),
    [
        ("o0[i] = __builtin_fabs(x) + sqrt(x);", False, {"-lm", "-lc", "--no-undefined"}),
        ("__builtin_ia32_maxpd512_mask(a, b, c, -1, 4);", False, {"-lm", "-lc", "--no-undefined"}),
        ("o0[i] = ft_sin_f64(x) + sin(x);", False, {"-lc", "--no-undefined"}),
        ("o0[i] = ft_sin_f64(x) + sin(x);", True, {"-lm", "-lc", "--no-undefined"}),
        ("o0[i] = erf(x) + sin(x);", True, {"-lc", "--no-undefined"}),
        ("o0[i] = fancy(x);", True, set()),
        ("o0[i] = sin(x); abort();", True, set()),
    ],
)
def test_libraries_that_a_text_has_no_use_for(body: str, has_maths: bool, left_out: set[str]) -> None:
    text = f"static void k0(double x) {{ {body} }}"
    assert link_flags("gcc", direct=True) == LINK or sys.platform != "linux"
    assert set(LINK) - set(libraries(LINK, text, has_maths)) == left_out
    assert libraries(("-lm", "-Wl,--no-undefined"), text) == ("-lm", "-Wl,--no-undefined")


def test_generated_code_is_not_looked_up_in_the_c_library() -> None:
    """Of every curated program: that search is a tenth of a small compilation."""
    texts = {p.stem: p.read_text() for p in (Path(__file__).parents[2] / "golden" / "texts").glob("*.c")}
    assert texts and [name for name, text in texts.items() if "-lc" in libraries(LINK, text)] == []
