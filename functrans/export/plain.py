"""The plain interface: flat row-major arrays of their own types, memory and its size as the last arguments."""

from __future__ import annotations

from functrans.export.text import Unit, ctype_of
from functrans.export.values import Entry, Value


def described(routine: Entry) -> str:
    """Arguments and results as `load_c` reads them; what is void is a dash.

    ``x:float64[3] p:float64[] - -> y:float64[3]``
    """
    return f"{' '.join(map(_described, routine.inputs))} -> {' '.join(map(_described, routine.outputs))}"


def _described(v: Value) -> str:
    return "-" if v.void else f"{v.name}:{v.dtype.name}[{','.join(map(str, v.shape))}]"


def prototypes(routine: Entry, integer: str) -> list[str]:
    """What the header declares."""
    return [
        f"int {routine.name}({', '.join(_parameters(routine))});",
        f"size_t {routine.name}_work(void);",
        f"const {integer} *{routine.name}_sparsity_out({integer} k);",
        f"const char *{routine.name}_signature(void);",
    ]


def functions(routine: Entry, unit: Unit, work: int, integer: str) -> list[str]:
    """The functions that are seen from outside."""
    doubles, name = -(-work // 8), routine.name
    pointers = [v.name for v in (*routine.inputs, *routine.outputs) if v.size]
    given, made = ", ".join(v.name for v in routine.inputs), ", ".join(v.name for v in routine.outputs)
    check = " || ".join(f"!{p}" for p in pointers) or "0"
    short = f"  if (work_size < {doubles} || !work) return 2;" if doubles else "  (void)work_size;"
    body = [
        f"int {name}({', '.join(_parameters(routine))}) {{",
        f"  const void *in[] = {{{given or '0'}}};",
        f"  void *out[] = {{{made or '0'}}};",
        f"  if ({check}) return 1;",
        short,
        f"  return {name}_run(in, out, (char *)work);",
        "}",
    ]
    patterns = [
        f"  if (k == {k}) return {unit.integers(v.pattern.integers(), integer)};"
        for k, v in enumerate(routine.outputs) if v.pattern is not None
    ]  # fmt: skip
    return [
        "\n".join(body),
        f"size_t {name}_work(void) {{ return {doubles}; }}",
        "\n".join([
            f"const {integer} *{name}_sparsity_out({integer} k) {{", *patterns, *([] if patterns else ["  (void)k;"]),
            "  return 0;", "}",
        ]),
        f'const char *{name}_signature(void) {{ return "plain {integer.replace(" ", "_")} {described(routine)}"; }}',
    ]  # fmt: skip


def _parameters(routine: Entry) -> list[str]:
    given = [f"const {ctype_of(v.dtype)} *{v.name}" for v in routine.inputs]
    return [*given, *(f"{ctype_of(v.dtype)} *{v.name}" for v in routine.outputs), "double *work", "size_t work_size"]
