"""The interface of CasADi's external functions, which acados has with ``int`` and a pointer for memory.

Matrices go column by column; what is NULL among the arguments is zero, among the results not wanted. Sparsities are
``{rows, columns, where each column begins, rows of its entries}``, or ``{rows, columns, 1}`` where all are stored.
"""

from __future__ import annotations

from collections.abc import Sequence

from functrans.export.plain import described
from functrans.export.text import Unit
from functrans.export.values import Entry, Part, Value


def prototypes(routine: Entry, integer: str, memory: str) -> list[str]:
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


def functions(routine: Entry, parts: Sequence[Part], unit: Unit, integer: str, memory: str) -> list[str]:
    """The functions that are seen from outside; a part runs if one of its results is wanted."""
    ins, outs = routine.inputs, routine.outputs
    heads = [p.removesuffix(";") for p in prototypes(routine, integer, memory)]
    body, doubles = _call(routine, parts)
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


def _call(routine: Entry, parts: Sequence[Part]) -> tuple[list[str], int]:
    """The function itself, and the doubles that it works in: for its parts, zeros, and what is not wanted."""
    given = [k for k, v in enumerate(routine.inputs) if v.size and any(k in p.inputs for p in parts)]
    zeros = max((routine.inputs[k].size for k in given), default=0)
    start = -(-max(p.work for p in parts) // 8)
    free = start + zeros
    lines = ["  (void)iw;", "  (void)mem;"]
    if given:
        missing = " || ".join(f"!arg[{k}]" for k in given)
        lines.append(f"  if ({missing}) for (long long i = 0; i < {zeros}; i++) w[{start} + i] = 0.0;")
    else:
        lines.append("  (void)arg;")
    spare = {}
    for k, v in enumerate(routine.outputs):
        spare[k] = f"res[{k}] ? res[{k}] : w + {free}"
        free += v.size
    lines += [] if any(p.outputs for p in parts) else ["  (void)res;"]
    for p in parts:
        ins = [f"arg[{k}] ? arg[{k}] : w + {start}" if k in given else "w" for k in p.inputs]
        wanted = " || ".join(f"res[{k}]" for k in p.outputs)
        lines += [
            f"  if ({wanted}) {{" if wanted else "  {",
            f"    const void *in[] = {{{', '.join(ins) or '0'}}};",
            f"    void *out[] = {{{', '.join(spare[k] for k in p.outputs) or '0'}}};",
            f"    const int status = {p.name}_run(in, out, (char *)w);",
            "    if (status) return status;", "  }",
        ]  # fmt: skip
    return [*lines, "  return 0;"], free


def _chosen(texts: list[str]) -> list[str]:
    """What belongs to a number; nothing, which is NULL, where there is none of it."""
    cases = [f"  if (i == {k}) return {text};" for k, text in enumerate(texts)]
    return [*(cases or ["  (void)i;"]), "  return 0;"]
