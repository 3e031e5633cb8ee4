"""The UOp reference: every op by stage, rules and C text, read off the tables of the library.

Nothing here is told twice: what a cell says comes from the op's record, from the table of the engine that would
apply the rule, from the spec, or from the renderer.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from functrans import dtypes
from functrans.backend.codegen.render_c import written
from functrans.backend.codegen.spelling import spell
from functrans.ops import opdef, source
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.kernel import GlobalArg, LocalArg
from functrans.ops.opdef import TABLE
from functrans.ops.spec import STAGES
from functrans.ops.uop import UOp
from functrans.ops.upat import PatternMatcher
from functrans.transforms import forward, transpose_rules
from functrans.transforms.sparse import detection
from functrans.transforms.vmap.rewriting import pm_vmap

LATER = "made by a later pass"
_AFTER = frozenset({Ops.ROUTINE, Ops.LU})  # what is made after all transforms
HOLDS = "no value"
TRACED = "traced"

# the words of the design documents that are no ops: what stands in for them, and the page that says why
REPLACED: dict[str, tuple[str, str]] = {
    "VECTORIZE": ("a loop of type VECTOR, whose statements are those of single numbers", "0007"),
    "GEP": ("statements of single numbers: there is no vector to take an element of", "0007"),
    "VCONST": ("a BUFFER for an array of constants, a CONST for one", "0007"),
    "CONTRACT": ("an array of accumulators in a loop of type VECTOR, then FOLD", "0007"),
    "CAT of vectors": ("statements of single numbers; CAT joins arrays", "0007"),
    "UNROLL": ("the pass `short`, which writes short loops out at once", "0008"),
    "VIEW": ("RANGEs and the index expressions of INDEX", "0002"),
    "VALID": ("the condition of INDEX, then the gate of LOAD or STORE", "0008"),
    "BLOCK": ("the scopes of lowering", "0008"),
    "BLOCKSTART": ("the scopes of lowering", "0008"),
    "BLOCKFORK": ("the scopes of lowering", "0008"),
    "BLOCKEND": ("the scopes of lowering", "0008"),
    "FUNCTION": ("the body itself: a traced function is inlined where it is called", "0009"),
    "CALL": ("the body itself: a traced function is inlined where it is called", "0009"),
    "KERNEL": ("a record of the schedule: the buffers that one C function fills", "0687"),
    "BARRIER": ("the list of phases, each with its programs", "0687"),
}
PAGES = {
    "0002": "0002-ranges-for-views.md", "0007": "0007-scalars-before-lanes.md",
    "0008": "0008-a-list-of-statements.md", "0009": "0009-calls-are-inlined.md",
    "0687": "0687-ops-that-nothing-reads-are-none.md",
}  # fmt: skip
# every op of the design documents
WORDS = (
    "SINK KERNEL NAME DEVICE MULTI COPY ASSIGN BIND DEFINE_VAR UNIQUE EMPTY NOOP CUSTOM CUSTOMI CONST VCONST RESHAPE "
    "PERMUTE EXPAND PAD SHRINK FLIP VIEW INDEX VALID GEP BUFFER BUFFER_VIEW DEFINE_GLOBAL DEFINE_LOCAL DEFINE_ACC "
    "LOAD STORE EXP2 LOG2 SIN SQRT RECIP NEG ADD MUL IDIV MAX MOD CMPLT CMPNE XOR SHL SHR OR AND SUB FDIV POW WHERE "
    "MULACC CAST BITCAST REDUCE_AXIS WMMA RANGE IF ENDRANGE ENDIF BARRIER VECTORIZE UNROLL CONTRACT CAT CONTIGUOUS "
    "CONTIGUOUS_BACKWARD DETACH BLOCK BLOCKSTART BLOCKFORK BLOCKEND"
).split()

Cell = Callable[[Ops], str]


def stages(op: Ops) -> list[str]:
    """The stages whose spec has a row for the op that may accept it."""
    return [name for name, table in STAGES.items() if _legal(op, table)]


def _legal(op: Ops, table: PatternMatcher) -> bool:
    """Whether a row for the op stands before the one, if any, that refuses it whatever it looks like."""
    found = False
    for pattern, rule, _ in table.rows:
        if pattern.ops is not None and op in pattern.ops:
            if pattern.src is pattern.dtype is pattern.arg is pattern.name is None and rule() is False:
                return found
            found = True
    return found


def _for_arrays(op: Ops) -> bool:
    """Whether the op stands in a graph of arrays, where transforms meet it."""
    return "tensor" in stages(op) and TABLE[op].kind != "kernel"


def _first_sentence(rule: Callable[..., Any]) -> str:
    text = (rule.__doc__ or "").strip().partition("\n")[0]
    text = text.partition(": ")[2] or text
    return text.rstrip(".")


def _shape(op: Ops) -> str:
    known = {opdef.no_shape: "no array", opdef.scalar_shape: "()", opdef.same_shape: "of its source"}
    by_kind = {
        "elementwise": "of its sources, which agree", "movement": "from its argument", "reduce": "by axis",
        "join": "by axis", "order": "of its source", "host": "of its matrices or lines",
        "index": "indices, then the axes left; () as a read",
        "bracket": "without the axes of RANGEs, or with them", "source": "its argument",
        "placement": "of its source, or of the shards together", "kernel": "() where it stands for one sum",
        "region": "of what its body gives",
    }  # fmt: skip
    return known.get(TABLE[op].shape) or by_kind.get(TABLE[op].kind, "")  # type: ignore[call-overload]


def _numpy(op: Ops) -> str:
    if TABLE[op].numpy is not None:
        return "yes"
    if TABLE[op].kind == "framework":
        return HOLDS
    if not _for_arrays(op):
        return "by statements" if "kernel" in stages(op) else LATER
    return {
        "bracket": "a Python loop over its RANGEs", "ranged": "its value in that loop", "source": "given with the call",
        "reduce": "a Python loop over its RANGEs", "region": "a Python loop over its rounds",
    }.get(TABLE[op].kind, "")  # fmt: skip


def _differentiated(op: Ops) -> str:
    """Why an op needs no rule for derivatives, or nothing."""
    if TABLE[op].kind == "framework":
        return HOLDS
    if not _for_arrays(op):
        return LATER
    if op is Ops.PARAM:
        return "zero, unless it is an input"
    if op is Ops.SORT:
        return "refused: made of a gather by ARGSORT, behind all derivatives"
    return {"source": "zero: a constant", "ranged": "zero: an integer"}.get(TABLE[op].kind, "")


def _jvp(op: Ops) -> str:
    if op in _AFTER:
        return LATER
    if TABLE[op].kind == "region":
        return "of its loop" if op is Ops.RESULT else "own rule"
    facts = TABLE[op].partials
    if op in forward._RULES:
        if forward._RULES[op] is forward._stop:
            return "zero"
        return "linear" if forward._RULES[op] in (forward._first, forward._leave) else "own rule"
    if TABLE[op].linear is not None:
        return "linear"
    if op is Ops.ARGSORT:
        return "zero: integers"
    if op in GroupOp.Elementwise or op is Ops.NOOP:
        return ", ".join("0" if p is None else "∂" for p in facts or ()) or "refused"
    return _differentiated(op)


def _transpose(op: Ops) -> str:
    if op in _AFTER:
        return LATER
    if TABLE[op].kind == "region":
        return {Ops.RESULT: "of its loop", Ops.WHILE: "refused"}.get(op, "own rule")
    rule = transpose_rules.RULES.get(op)
    if rule is not None:
        return "zero" if rule is transpose_rules._stop else "own rule"
    if TABLE[op].transpose is not None:
        return "of its record"
    if op in GroupOp.Elementwise | GroupOp.Custom:
        return "not linear"
    if op is Ops.ARGSORT:
        return "zero: integers"
    if TABLE[op].kind == "host":
        return "not linear"
    other = _differentiated(op)
    return "collects, if an input" if other.startswith("zero, unless") else other


def _batch(op: Ops) -> str:
    if TABLE[op].kind == "framework" or not _for_arrays(op):
        return _differentiated(op)
    if op in GroupOp.Source and op is not Ops.RANGE:
        return "none: stands for itself"
    if op in GroupOp.Region:
        return "none: that of one lane, between brackets"
    found = (rule for p, rule, _ in pm_vmap.rows if p.ops is not None and op in p.ops)
    rule = next(found, None)
    return "" if rule is None else _first_sentence(rule)


def _sparsity(op: Ops) -> str:
    if op in _AFTER:
        return LATER
    if TABLE[op].kind in ("bracket", "region"):
        return {"bracket": "unbracketed first", "region": "through its body"}[TABLE[op].kind]
    if _for_arrays(op) and TABLE[op].kind in detection._RULES:
        return {
            "elementwise": "the union of its sources", "movement": "rows move as values do",
            "join": "rows move as values do", "reduce": "the union along the axis", "order": "the union along the axis",
            "index": "by known indices, else a dense block", "placement": "rows move as values do",
            "assign": "that of the value", "host": "a dense block a matrix or a line",
        }.get(TABLE[op].kind, "")  # fmt: skip
    other = _differentiated(op)
    return "one row an element, if an input" if op is Ops.PARAM else other.replace("zero: ", "none: ")


def _ranges(op: Ops) -> str:
    return {
        "elementwise": "those of its result", "movement": "by its record", "reduce": "opens its axes",
        "join": "one STORE a part", "order": "opens an ORDERED axis",
        "host": "between kernels", "index": "indices become index expressions",
        "bracket": "its RANGEs are indices", "source": "read where it is used", "framework": "none",
        "ranged": "made with them", "kernel": "in the list",
        "region": "closed: a kernel over lanes",
        "placement": "none: a program for each domain", "assign": "those of its result; the array is not read",
    }.get(TABLE[op].kind, "")  # fmt: skip


_C_BY_OP = {
    Ops.IOTA: "its index", Ops.EMPTY: "zero", Ops.BIND: "a number the kernel is given", Ops.BUFFERIZE: "its stores",
    Ops.CUSTOMI: "the text over its sources", Ops.CUSTOM: "a call of a function that holds the text",
    Ops.REGION: "a function: a loop over lanes around a loop or branch",
    Ops.ROUTINE: "a call: `matrix_solve_f64x8(m1_0, m2_0, m3_0, 12, 1);`",
    Ops.REDUCE: "an accumulator and a loop", Ops.PREFIX: "an accumulator outside its loop",
    Ops.ARGSORT: "`ft_argsort_f_f64(s0, n, s1, s2, s3, s4);`", Ops.SORT: "`ft_sort_f64(s0, n, s1);`",
    Ops.WMMA: "`ft_wmma8x24_f64(&s0[i], &a0[i], &a1[i], row, step, stride, rows, terms);`",
    Ops.CALLS: "`calls[a[0]](rows, a + 2, numbers, n / 16);`, for each line of a table",
    Ops.FOLD: "`ft_foldadd_f64x8(ft_load_f64x8(&s0[0]) + ft_load_f64x8(&s0[8]))`",
}  # fmt: skip


def _c(op: Ops) -> str:
    text = rendering().get(op) or spelled(op)
    if text:
        return f"`{text}`"
    return _C_BY_OP.get(op) or {
        "framework": "nothing", "movement": "index arithmetic", "join": "stores", "reduce": "a loop", "index": "stores",
        "bracket": "a loop", "source": "an array the kernel is given", "elementwise": "its source",
        "placement": "a program for each domain", "host": "NumPy, between kernels", "region": "a loop or branch",
    }.get(TABLE[op].kind, "")  # fmt: skip


def spelled(op: Ops) -> str:
    """The C expression of an elementwise op, of the widest kind of dtype that it takes."""
    if op not in GroupOp.Elementwise or "kernel" not in stages(op):
        return ""
    widest = (dtypes.float64, dtypes.int64, dtypes.bool_, dtypes.complex128, dtypes.uint64)
    dtype = next(d for d in widest if d.kind in TABLE[op].kinds)
    count = 2 if op in GroupOp.Binary else 3 if op in GroupOp.Ternary else 1
    x = source.param((), dtype)
    given = (source.param((), dtypes.bool_), x, x) if op is Ops.WHERE else (x,) * count
    flags = GroupOp.Compare | {Ops.ISNAN, Ops.ISINF, Ops.SIGNBIT}
    made = dtypes.bool_ if op in flags else dtypes.int64 if op in (Ops.CAST, Ops.BITCAST) else dtype
    return spell(UOp(op, made, given), ["a", "b", "c"][:count])


def statements() -> list[UOp]:
    """A kernel with every kind of statement: it sums the positive elements of each row, by way of a local array."""
    f, x, void = dtypes.float64, dtypes.index, dtypes.void
    given, result = (UOp(Ops.DEFINE_GLOBAL, f, (), GlobalArg(n, n == "o0")) for n in ("a0", "o0"))
    rows = UOp(Ops.DEFINE_VAR, x, (), ("n0", 0, 100))
    zero, four = UOp.const(f, 0.0), UOp.const(x, 4)
    i, j = UOp(Ops.RANGE, x, (rows,), (0, AxisType.LOOP)), UOp(Ops.RANGE, x, (four,), (1, AxisType.REDUCE))
    local, acc = UOp(Ops.DEFINE_LOCAL, f, (), LocalArg(0, 4)), UOp(Ops.DEFINE_ACC, f, (zero,), 0)
    start = UOp(Ops.MUL, x, (i, four))
    flat = UOp(Ops.ADD, x, (start, j))
    at = UOp(Ops.INDEX, f, (given, flat))
    load = UOp(Ops.LOAD, f, (at,))
    near = UOp(Ops.INDEX, f, (local, j))
    keep = UOp(Ops.STORE, void, (near, load))
    positive = UOp(Ops.CMPLT, dtypes.bool_, (zero, load))
    gate = UOp(Ops.IF, void, (positive,))
    total = UOp(Ops.ADD, f, (acc, load))
    place = UOp(Ops.INDEX, f, (result, i))
    write = UOp(Ops.STORE, void, (place, acc))
    name = UOp(Ops.NAME, void, (), "k0")
    return [
        given, result, rows, zero, four, i, local, acc, start, j, flat, at, load, near, keep, positive, gate, total,
        UOp(Ops.ASSIGN, f, (acc, total)), UOp(Ops.ENDIF, void, (gate,)), UOp(Ops.ENDRANGE, void, (j,)), place, write,
        UOp(Ops.ENDRANGE, void, (i,)), name, UOp(Ops.SINK, void, (write, name)),
    ]  # fmt: skip


def rendering() -> dict[Ops, str]:
    """What each op of the statements is in C."""
    found: dict[Ops, str] = {}
    for node, text in written(statements()):
        if node.op not in GroupOp.Elementwise and text:
            found.setdefault(node.op, text)
    found[Ops.IF], found[Ops.ENDIF] = "if (c) {", "}"
    return found


def _traced(op: Ops) -> dict[str, str]:
    """The cells of an op that is in traced graphs alone: a call with a rule, inlined before the first stage."""
    if stages(op) or TABLE[op].kind != "framework":
        return {}
    found = next((rule for p, rule, _ in pm_vmap.rows if p.ops is not None and op in p.ops), None)
    known = TABLE[op].numpy is not None
    return {
        "stage": TRACED, "shape": _shape(op) or "from its argument", "NumPy": "yes" if known else "refused",
        "jvp": "refused" if op in forward._RULES else "by the rule it holds", "transpose": "by the rule it holds",
        "batch": "refused" if found is None else _first_sentence(found), "sparsity": "by the rule it holds",
        "ranges": "inlined before", "C": "its first source" if known else "refused",
    }  # fmt: skip


CELLS: dict[str, Cell] = {
    "stage": lambda op: "all" if len(stages(op)) == len(STAGES) else ", ".join(stages(op)),
    "meaning": lambda op: TABLE[op].meaning, "shape": _shape,
    "NumPy": _numpy, "jvp": _jvp, "transpose": _transpose, "batch": _batch, "sparsity": _sparsity,
    "ranges": _ranges, "C": _c,
}  # fmt: skip


def rows() -> dict[Ops, dict[str, str]]:
    """For each op the text of each column."""
    return {op: {name: cell(op) for name, cell in CELLS.items()} | _traced(op) for op in Ops}


def absent() -> list[str]:
    """The words of the design documents that are no ops."""
    return [*(w for w in WORDS if w not in Ops.__members__), *(w for w in REPLACED if w not in WORDS)]


def _usual(cells: list[str]) -> str:
    """What most cells of a long column say, if these are sentences: written once, above the table."""
    most = max(set(cells), key=cells.count)
    return most if len(cells) >= 4 and 4 * cells.count(most) > 3 * len(cells) and " " in most else ""


def reference() -> list[str]:
    """The tables of all ops as Markdown, one a kind: first what is the same for all ops of a kind, and for most."""
    table = rows()
    lines = []
    for kind in dict.fromkeys(TABLE[op].kind for op in Ops):
        ops = [op for op in Ops if TABLE[op].kind == kind]
        own = [c for c in CELLS if c == "meaning" or len({table[op][c] for op in ops}) > 1]
        shared = "; ".join(f"*{c}* {table[ops[0]][c]}" for c in CELLS if c not in own)
        usual = {c: text for c in own if (text := _usual([table[op][c] for op in ops]))}
        empty = "; ".join(f"*{c}* {text}" for c, text in usual.items())
        lines += ["", f"**{kind}**", "", *([f"All of them: {shared}.", ""] if shared else [])]
        lines += [f"Where a cell is empty: {empty}.", ""] if empty else []
        lines += [f"| op | {' | '.join(own)} |", "| --- " * (len(own) + 1) + "|"]
        for op in ops:
            cells = ("" if table[op][c] == usual.get(c) else table[op][c].replace("|", "\\|") for c in own)
            lines.append(f"| `{op.name}` | {' | '.join(cells)} |")
    return lines


def words() -> list[str]:
    """The table of the words that are no ops as Markdown."""
    lines = ["| word | what stands in for it | decision |", "| --- | --- | --- |"]
    for word in absent():
        text, page = REPLACED[word]
        lines.append(f"| `{word}` | {text} | [{page}](../decisions/{PAGES[page]}) |")
    return lines
