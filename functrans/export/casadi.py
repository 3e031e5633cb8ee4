"""The interface of CasADi's external functions, which acados has with ``int`` and a pointer for memory.

Matrices go column by column; what is NULL among the arguments is zero, among the results not wanted. Sparsities are
``{rows, columns, where each column begins, rows of its entries}``, or ``{rows, columns, 1}`` where all are stored.
"""

from __future__ import annotations

from functrans.export.plain import described
from functrans.export.text import Unit
from functrans.export.values import Routine, Value


def prototypes(routine: Routine, integer: str, memory: str) -> list[str]:
    """What the header declares."""
    name = routine.name
    return [
        f"int {name}(const double **arg, double **res, {integer} *iw, double *w, {memory}mem);",
        *(f"{integer} {name}_n_{side}(void);" for side in ("in", "out")),
        *(f"const char *{name}_name_{side}({integer} i);" for side in ("in", "out")),
        *(f"const {integer} *{name}_sparsity_{side}({integer} i);" for side in ("in", "out")),
        f"int {name}_work({integer} *sz_arg, {integer} *sz_res, {integer} *sz_iw, {integer} *sz_w);",
        f"int {name}_checkout(void);",
        f"void {name}_release(int mem);",
        f"void {name}_incref(void);",
        f"void {name}_decref(void);",
        f"const char *{name}_signature(void);",
    ]


def functions(routine: Routine, unit: Unit, work: int, integer: str, memory: str) -> list[str]:
    """The functions that are seen from outside."""
    ins, outs = routine.inputs, routine.outputs
    heads = [p.removesuffix(";") for p in prototypes(routine, integer, memory)]
    body, doubles = _call(routine, -(-work // 8))
    sizes = {"sz_arg": len(ins), "sz_res": len(outs), "sz_iw": 0, "sz_w": doubles}
    abi = "acados" if memory == "void *" else "casadi"
    described_as = f'return "{abi} {integer.replace(" ", "_")} {described(routine)}";'
    texts = [
        body, *([f"  return {len(values)};"] for values in (ins, outs)),
        *(_chosen([f'"{v.name}"' for v in values]) for values in (ins, outs)),
        *(_chosen([unit.integers(sparsity(v), integer) for v in values]) for values in (ins, outs)),
        [*(f"  if ({k}) *{k} = {n};" for k, n in sizes.items()), "  return 0;"],
        ["  return 0;"], ["  (void)mem;"], [], [], [f"  {described_as}"],
    ]  # fmt: skip
    return ["\n".join([f"{head} {{", *text, "}"]) for head, text in zip(heads, texts, strict=True)]


def sparsity(v: Value) -> list[int]:
    """The integers that describe a matrix."""
    if v.pattern is not None and not v.void:
        return v.pattern.integers()
    rows, columns = v.matrix if v.pattern is None else v.pattern.shape
    return [rows, columns, *([0] * (columns + 1))] if v.void or not v.size else [rows, columns, 1]


def _call(routine: Routine, start: int) -> tuple[list[str], int]:
    """The function itself, and the doubles of memory that it works in, ``start`` of them inside."""
    given = [(k, v) for k, v in enumerate(routine.inputs) if not v.void]
    made = [(k, v) for k, v in enumerate(routine.outputs) if not v.void]
    zeros = max((v.size for _, v in given), default=0)
    spare, free = [], start + zeros
    for k, v in made:
        spare.append(f"res[{k}] ? res[{k}] : w + {free}")
        free += v.size
    lines = ["  (void)iw;", "  (void)mem;"]
    if zeros:
        missing = " || ".join(f"!arg[{k}]" for k, _ in given)
        lines.append(f"  if ({missing}) for (long long i = 0; i < {zeros}; i++) w[{start} + i] = 0.0;")
    else:
        lines.append("  (void)arg;")
    ins = [f"arg[{k}] ? arg[{k}] : w + {start}" for k, _ in given]
    lines += [] if made else ["  (void)res;"]
    lines += [
        f"  const void *in[] = {{{', '.join(ins) or '0'}}};",
        f"  void *out[] = {{{', '.join(spare) or '0'}}};",
        f"  return {routine.name}_run(in, out, (char *)w);",
    ]
    return lines, free


def _chosen(texts: list[str]) -> list[str]:
    """What belongs to a number; nothing, which is NULL, where there is none of it."""
    cases = [f"  if (i == {k}) return {text};" for k, text in enumerate(texts)]
    return [*(cases or ["  (void)i;"]), "  return 0;"]
