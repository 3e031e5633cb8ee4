"""Names in exported C: which are allowed, and what those of arguments and results become."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from functrans.errors import ArgumentError, ArgumentValueError, at_user_line

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LONGEST = 48  # characters: C99 promises 63 for static names and 31 for others, and prefixes come before
_KEYWORDS = frozenset(
    "auto break case char const continue default do double else enum extern float for goto if inline int long "
    "register restrict return short signed sizeof static struct switch typedef union unsigned void volatile while "
    "asm typeof bool true false nullptr alignas alignof constexpr thread_local "
    # of C++, since the header may be read by it
    "and catch class compl delete explicit export friend mutable namespace new not operator or private protected "
    "public template this throw try typename using virtual wchar_t xor "
    # what the exported text itself calls
    "size_t work work_size arg res iw w mem main memcpy memset malloc free exit abort signal".split()
)
_LIBRARY = re.compile(
    r"(a?(sin|cos|tan)h?|exp[2m]?1?|expm1|log(2|10|1p)?|sqrt|cbrt|erfc?|[lt]gamma|floor|ceil|trunc|rint|fabs|pow|atan2|"
    r"hypot|fmod|copysign|fma)f?"
)


def check_name(name: object) -> str:
    """The name of the exported function.

    Raises ArgumentError where it is no string, ArgumentValueError where C or its library has no place for it.
    """
    if not isinstance(name, str):
        given = f"name= of export_c is {name!r} of type {type(name).__name__}"
        raise ArgumentError(f"{given}{at_user_line()}; expected a str")
    wrong = None
    if not _IDENTIFIER.fullmatch(name):
        wrong = "is no C identifier: letters, digits and underscores of ASCII, a letter first"
    elif len(name) > _LONGEST:
        wrong = f"has {len(name)} characters; {_LONGEST} are left beside the prefixes of derivatives"
    elif name in _KEYWORDS or name.startswith("ft_") or _LIBRARY.fullmatch(name):
        wrong = "means something else in C or in the exported file"
    if wrong is not None:
        raise ArgumentValueError(f"name={name!r} of export_c {wrong}{at_user_line()}")
    return name


def identifiers(paths: Sequence[str], taken: Iterable[str] = ()) -> list[str]:
    """C identifiers for paths in pytrees, each another one.

    >>> identifiers(["x", "p['mass']", "p[0]", "double", "x"])
    ['x', 'p_mass', 'p_0', 'double_', 'x_2']
    """
    used, found = set(taken), []
    for path in paths:
        stem = re.sub(r"[^A-Za-z0-9_]+", "_", path).strip("_") or "v"
        stem = stem if stem[0].isalpha() else f"v{stem}"
        stem = f"{stem}_" if stem in _KEYWORDS else stem
        name, count = stem, 1
        while name in used:
            count += 1
            name = f"{stem}_{count}"
        used.add(name)
        found.append(name)
    return found
