"""The flags generated C is compiled with, and the machine they are expanded on.

None of them changes what IEEE-754 arithmetic gives: no fast-math, and fused multiply-adds only where the C
asks for one.  ``-fno-trapping-math`` and ``-fno-math-errno`` give up exception flags and errno, which
nothing reads; ``-fwrapv`` makes integers wrap as NumPy's do.
"""

from __future__ import annotations

import platform
import re
from functools import cache

__all__ = [
    "FAMILIES",
    "MISREAD",
    "MODREF",
    "TAKES_ALL",
    "called_in",
    "cpu_identity",
    "flag_choices",
    "libraries",
    "link_flags",
    "linking",
    "takes_native",
]

FAMILIES = ("gcc", "clang", "zig")

# Compilers rewrite calls they know: with -fno-math-errno gcc makes sin(atan(x)) a quotient that is 1 for NaN. These
# functions are calls and nothing else; what is exact (sqrt, floor, fabs ...) stays known, as do sin and cos, which
# are then merged where both are wanted.
_CALLED = (
    "tan asin acos atan sinh cosh tanh asinh acosh atanh exp exp2 expm1 log log2 log10 log1p cbrt erf erfc lgamma pow "
    "atan2 hypot fmod csin ccos ctan casin cacos catan csinh ccosh ctanh casinh cacosh catanh cexp clog csqrt cabs cpow"
).split()
_MEANING = (
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fwrapv",
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    *(f"-fno-builtin-{name}{suffix}" for name in _CALLED for suffix in ("", "f")),
)
# gcc 12 computes the address of an output from that of a local array, then takes the stores for local ones, the kernel
# for a function without effect, and its call away. These two passes draw that conclusion.
MODREF = "-fno-ipa-modref"
"""The pass that gcc has from 11 on."""
_EFFECTS = ("-fno-ipa-pure-const", MODREF)
# Two choices by one condition become one branch, with the reads of both below it, by this pass; gcc 12 makes masked
# reads of these, and mixes up the masks of a record's fields (decision 0017). By the second pass a read that only one
# side of a choice needs goes below the branch, with the same end.
_BRANCHES = ("-fno-thread-jumps", "-fno-tree-sink")
MISREAD = (*_BRANCHES, *_EFFECTS)
"""What gcc is told wherever it compiles a kernel, exported C too: without, it may mean something else."""
_SHAPE = ("-fPIC",)
# Errors of C that gcc from 14 on and clang from 16 on refuse: what is refused there is refused by every compiler.
_STRICT = (
    "-Werror=incompatible-pointer-types",
    "-Werror=int-conversion",
    "-Werror=implicit-function-declaration",
)
# What lives across a call is in registers up to it: the calls for far arguments are in branches that are seldom taken.
_CALLS = ("-fcaller-saves",)
# The rest of a loop, fewer steps than a vector is wide, is not worth vector code of its own: that is a fifth of
# the time of a compilation. The graph of what is live with what, from 8 MB on, is not
# worth its quadratic time; without it a loop of Newton's method kept counters and sums of its inner loops in memory.
# Looking for one instruction that does the work of three or four is two fifths of the time of a long body that gathers,
# and finds one in two thousand.
_QUICK = (
    "--param=vect-epilogues-nomask=0",
    "--param=ira-max-conflict-table-size=8",
    "--param=max-combine-insns=2",
)
# Long bodies of elementary functions, several of which could run at once, are a tenth faster where the compiler orders
# them before it gives them registers. Where there are fewer than 32 vector registers it counts what is live meanwhile.
_ORDER = ("-fschedule-insns",)
_FEW = ("-fsched-pressure",)
TAKES_ALL = 11
"""From this version on gcc takes all these flags, where it knows the processor."""
_X86 = frozenset({"x86_64", "amd64", "i386", "i686"})
_CPU_KEYS = frozenset(
    # x86, then ARM, then RISC-V and others
    {"vendor_id", "cpu family", "model", "stepping", "flags"}
    | {"CPU implementer", "CPU part", "CPU variant", "Features"}
    | {"isa", "uarch", "cpu"}
)


def flag_choices(family: str) -> tuple[tuple[str, ...], ...]:
    """Flags for a compiler of `family` ("gcc", "clang", "zig"), best first; the last suits any compiler.

    >>> flag_choices("gcc")[0][0]
    '-O1'
    """
    wide = ("-mprefer-vector-width=512",) if platform.machine().lower() in _X86 else ()
    native = ("-march=native", *wide, "-fno-asynchronous-unwind-tables")
    portable = ("-O2", "-ffp-contract=off", "-fwrapv", "-fno-builtin", *_SHAPE)
    if family in ("clang", "zig"):
        quiet = ("-fno-sanitize=all",) if family == "zig" else ()
        return ("-O2", "-fopenmp-simd", *native, *_MEANING, *_SHAPE, *_STRICT, *quiet), portable
    # -O1 with the vectoriser compiles in half the time of -O3 and runs as fast.
    loops = ("-O1", "-ftree-loop-vectorize", "-fvect-cost-model=dynamic", "-fopenmp-simd", *_BRANCHES, *_CALLS)
    has_many_registers = re.search(r"\bavx512f\b", cpu_identity())
    order = _ORDER if has_many_registers else (*_ORDER, *_FEW)
    return (
        (*loops, *_QUICK, *order, *native, *_MEANING, *_EFFECTS, *_SHAPE, *_STRICT, "-pipe"),
        (*loops, *native, *_MEANING, *_EFFECTS, *_SHAPE),
        (*portable, *_EFFECTS),
        (*portable, _EFFECTS[0]),  # before gcc 11, which has no modref
    )


def takes_native() -> bool:
    """Whether gcc knows the processors of this kind by ``-march=native``."""
    return platform.system() == "Linux" and platform.machine().lower() in _X86 | {"aarch64"}


def linking(command: tuple[str, ...], family: str, direct: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The command that makes a library of what it is given, before the libraries that that needs.

    ``direct`` is the linker as a compiler calls it, where that is known: without the compiler and the program between
    them, which are a tenth of a small compilation.

    >>> linking(("gcc",), "gcc", ("/usr/bin/ld", "-shared"))
    ('/usr/bin/ld', '-shared')
    """
    if direct:
        return direct
    # without the plugin that looks for code of the linker's own to optimize
    bare = ("-fno-use-linker-plugin", "-nostdlib") if family == "gcc" and platform.system() == "Linux" else ()
    return (*command, "-shared", *bare)


def link_flags(family: str, direct: bool = False) -> tuple[str, ...]:
    """The libraries, and on Linux an error for a function that is in none of them: what calls it would only fail when
    it runs, and take the process with it.
    """
    if platform.system() != "Linux":
        return ("-lm",)
    strict = "--no-undefined" if direct else "-Wl,--no-undefined"
    return ("-lm", "-lc", "-lgcc", strict) if family == "gcc" else ("-lm", strict)


_BEFORE = re.compile(r"\(\s*(\w*[A-Za-z_])(?!\w)(?!>-|\.)")
# what a text defines, and what the compiler has in itself or calls in the process
_OWN = re.compile(r"ft_\w+|k\d+\w*|piece\d+|FT_[A-Z]\w*|clock_gettime|__builtin_\w+")
_WORDS = frozenset(
    "if for while switch return sizeof defined volatile void __asm__ __attribute__ aligned vector_size optimize "
    "fabs fabsf sqrt sqrtf".split()
)
_MATHS = frozenset(
    f"{name}{suffix}" for name in (*_CALLED, *"sin cos floor ceil trunc rint".split()) for suffix in ("", "f")
)
_ONE_VERSION = frozenset("sin cos tan floor ceil trunc rint sinf cosf tanf floorf ceilf truncf rintf".split())
_READ = 200_000  # characters: of longer texts the link is a small part


def called_in(c_text: str) -> list[str]:
    """The names that stand before a parenthesis, in order, each as often as it does; but for fields of a record.

    They are found from the end of the text: each letter that may begin a name would be looked at, parentheses are few.

    >>> called_in("if (x[2] < 0) y = f(g(x) + (2 * x)) + call->pool(1);")
    ['if', 'f', 'g']
    """
    return [name[::-1] for name in reversed(_BEFORE.findall(c_text[::-1]))]


def libraries(link: tuple[str, ...], c_text: str, has_maths: bool = False) -> tuple[str, ...]:
    """Those of the libraries that a text needs; to look through the C library is a tenth of a small compilation.

    What else a compiler calls, as memcpy, is in the process; the C library's functions of mathematics are for some
    programs, which ``has_maths`` says, but of those that it has in several versions the process would give the oldest.
    A library that lacks something all the same does not load: it is loaded with all its names, see
    `functrans.backend.runtime.library`.

    >>> link = link_flags("gcc")
    >>> [flag in libraries(link, "static void k0(double x) { sin(x); }") for flag in ("-lm", "-lc")]
    [True, False]
    """
    if "-lc" not in link or len(c_text) > _READ:
        return link
    called = {name for name in set(called_in(c_text)) if name not in _WORDS and not _OWN.fullmatch(name)}
    if not called <= _MATHS:
        return link
    return ("-lgcc",) if not called or (has_maths and called <= _ONE_VERSION) else ("-lm", "-lgcc")


@cache
def cpu_identity() -> str:
    """What ``-march=native`` means here: code built for one processor may not run on another.

    >>> cpu_identity() == cpu_identity()
    True
    """
    parts = [platform.machine()]
    try:
        with open("/proc/cpuinfo", encoding="utf-8", errors="replace") as file:
            first = file.read(16_384).split("\n\n")[0]  # the first processor; the others are alike
    except OSError:
        parts.extend((platform.system(), platform.release(), platform.node()))
        return "\n".join(parts)
    for line in first.splitlines():
        key, _, value = line.partition(":")
        if key.strip() in _CPU_KEYS:
            parts.append(f"{key.strip()}={value.strip()}")
    return "\n".join(parts)
