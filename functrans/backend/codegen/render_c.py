"""The statements of a kernel as C text. Nothing is decided here but which values have variables of their own."""

from __future__ import annotations

from collections import Counter
from itertools import islice

from functrans import dtypes
from functrans.backend.codegen import calls, late
from functrans.backend.codegen.chains import left_alone
from functrans.backend.codegen.micro import tile_name
from functrans.backend.codegen.nest import Loop
from functrans.backend.codegen.outline import Outline, Piece, given, pieces
from functrans.backend.codegen.rounds import Rounds
from functrans.backend.codegen.spelling import bare, ctype, element, literal, sorter, spell, stored, suffix
from functrans.backend.codegen.varying import step_of
from functrans.backend.codegen.vectors.analysis import body_of
from functrans.backend.codegen.vectors.arrays import Arrays
from functrans.backend.codegen.vectors.emission import VectorWriter
from functrans.backend.codegen.vectors.folds import fold_lines
from functrans.backend.codegen.vectors.names import Around
from functrans.backend.codegen.vectors.target import target
from functrans.backend.policy import EXPRESSION_CHARACTERS, VECTOR_ROUNDS
from functrans.ops import symbolic as sym
from functrans.ops.enums import AxisType, GroupOp, Ops
from functrans.ops.uop import UOp

_VECTORS = 256  # bytes of a local array from which on it begins where a cache line does


def render_c(
    uops: list[UOp], split: UOp | None = None, rounds: Rounds | None = None, outline: Outline | None = None
) -> str:
    """One C function: the statements in order. Linear in their number. It runs the steps ``from`` to ``to`` of the loop
    ``split``, if that is given, of as many ``rounds`` as are known. Long loops are functions in the ``outline``.
    """
    return _Render(uops, split, rounds, outline).run()


def written(uops: list[UOp]) -> list[tuple[UOp, str]]:
    """Each statement and its part of the C text: the lines it adds, or else the expression that stands for it."""
    renderer = _Render(uops)
    found = []
    for k, node in enumerate(uops):
        before = len(renderer.lines)
        renderer.statement(k, node)
        lines = [line.strip() for line in renderer.lines[before:]]
        found.append((node, " ".join(lines) or renderer.text.get(node, "")))
    return found


def lines_of(
    uops: list[UOp], split: UOp | None = None, rounds: Rounds | None = None, outline: Outline | None = None
) -> list[tuple[UOp, str | None, int, int]]:
    """Each statement with the lines of the C function, counted from 0, that it became, and the piece that this is, None
    for the kernel itself; an expression that is written where it is used has the lines of its use.
    """
    renderer = _Render(uops, split, rounds, outline)
    renderer.run()
    found: dict[int, tuple[str | None, int, int]] = {}
    used: dict[UOp, tuple[str | None, int, int]] = {}
    for k in range(len(uops) - 1, -1, -1):
        where: tuple[str | None, int, int] = renderer.apart.get(k) or (None, *renderer.spans[k])
        if where[1] == where[2] and uops[k] in used:
            where = used[uops[k]]
        if where[1] < where[2]:
            found[k] = where
            for s in uops[k].src:
                used[s] = where
    return [(uops[k], *found[k]) for k in sorted(found)]


class _Names(dict[UOp, str]):
    """What each node is called here: a node that stands again in an inner scope has its old name back after that."""

    def __init__(self) -> None:
        super().__init__()
        self.before: list[dict[UOp, str | None]] = [{}]

    def __setitem__(self, node: UOp, text: str) -> None:
        self.before[-1].setdefault(node, self.get(node))
        super().__setitem__(node, text)

    def close(self) -> None:
        """End the innermost scope."""
        for node, text in self.before.pop().items():
            if text is None:
                del self[node]
            else:
                super().__setitem__(node, text)


class _Render:
    def __init__(
        self, uops: list[UOp], split: UOp | None = None, rounds: Rounds | None = None, outline: Outline | None = None
    ) -> None:
        self.uops, self.split, self.outline = uops, split, outline
        self.rounds = Rounds() if rounds is None else rounds
        self.pieces = {} if outline is None else pieces(uops, outline.large, split)
        self.apart: dict[int, tuple[str, int, int]] = {}  # of statements in pieces: which, and the lines in it
        self.text = _Names()
        self.lines: list[str] = []
        self.depth = 1
        self.values = 0
        self.named: dict[UOp, int] | None = None  # in a piece, the numbers of its loops and accumulators
        self.spans: list[tuple[int, int]] = []  # for each statement, the lines it added; the first is the head's
        self.conditions: list[int] = []  # for each open IF, the line it stands on
        self.loops: list[int] = [0]  # the open loops, by the position of their RANGE
        self.sole: dict[UOp, UOp | None] = {}  # the one use of a node, None if there are more
        self.within: dict[UOp, set[int]] = {}  # the innermost loops in which a node stands
        for node in dict.fromkeys(uops):
            for s in node.src:
                self.sole[s] = node if s not in self.sole else None
        ends = Counter(u.src[0] for u in uops if u.op is Ops.RANGE)
        self.ends = {u for u, times in ends.items() if times > 1}
        self.left = left_alone(uops)  # loops that compilers make no vectors of
        self.target = target()
        self.behind = (
            0  # the position behind the loop of vectors that is written: its statements have no C of their own
        )
        self.arrays = Arrays(uops, self.target, bool(self.pieces))
        self._find_loops()

    def _find_loops(self) -> None:
        loops = [0]
        for k, node in enumerate(self.uops):
            if node.op is Ops.ENDRANGE:
                loops.pop()
            elif node.op is Ops.RANGE:
                loops.append(k)
            self.within.setdefault(node, set()).add(loops[-1])

    def run(self) -> str:
        self._statements(0, len(self.uops))
        arrays = [
            f"{'' if u.arg.written else 'const '}{element(u.dtype)} *restrict {u.arg.name}"
            for u in self.uops if u.op is Ops.DEFINE_GLOBAL
        ]  # fmt: skip
        numbers = [f"long long {u.arg[0]}" for u in self.uops if u.op is Ops.DEFINE_VAR]
        name = next(u.arg for u in self.uops[-1].src if u.op is Ops.NAME)
        if self.split is not None:
            numbers += ["long long from", "long long to"]
        head = f"static void {name}({', '.join([*arrays, 'char *restrict scratch', *numbers])}) {{"
        return "\n".join([head, *self.lines, "}"])

    def _statements(self, start: int, end: int, piece: Piece | None = None) -> None:
        """Write the statements of these positions; those of other pieces than this one as calls."""
        k = start
        while k < end:
            inner = self.pieces.get(k)
            if inner is not None and inner is not piece:
                self._piece(inner)
                k = inner.end + 1
                continue
            before, start = len(self.lines), k
            self.statement(k, self.uops[k])
            k = max(k + 1, self.behind)
            self.spans.extend([(min(before, len(self.lines)) + 1, len(self.lines) + 1)] * (k - start))

    def _piece(self, piece: Piece) -> None:
        """Write a loop as a function of its own, and a call of it."""
        assert self.outline is not None
        parameters, arguments, inside = given(piece, self.text.__getitem__)
        outer = self.text, self.lines, self.spans, self.depth, self.values, self.named
        self.text, self.lines, self.spans, self.depth, self.values, self.named = _Names(), [], [], 1, 0, {}
        self.text.update(inside)
        self._statements(piece.start, piece.end + 1, piece)
        lines, spans = self.lines, self.spans
        self.text, self.lines, self.spans, self.depth, self.values, self.named = outer
        name = self.outline.name("\n".join([f"({', '.join(parameters)}) {{", *lines, "}"]))
        self.apart.update({piece.start + k: (name, *span) for k, span in enumerate(spans)})
        at = len(self.lines) + 1
        self._line(f"{name}({', '.join(arguments)});")
        self.spans.extend([(at, at)] * len(spans))

    def _line(self, text: str) -> None:
        self.lines.append("  " * self.depth + text)

    def statement(self, k: int, node: UOp) -> None:
        """Write a statement, which stands at position k."""
        text = self.text
        if k < self.behind:
            return
        match node.op:
            case Ops.RANGE if node.arg[1] is AxisType.VECTOR:
                self._vectors(k, node)
            case Ops.RANGE if node.arg[1] is AxisType.LANES:
                self._lanes(k, node)
            case Ops.FOLD:
                self._fold(node)
            case Ops.RANGE:
                name = text[node] = self._loop_name(node)
                start, end = ("from", "to") if node is self.split else ("0", text[node.src[0]])
                self._line(f"for (long long {name} = {start}; {name} < {end}; {name}++) {{")
                self.depth += 1
                if k in self.left or self._is_short(k):
                    self._line('__asm__("");')  # such a loop is left as it is
                self.loops.append(k)
                text.before.append({})
            case Ops.ENDRANGE:
                self.depth -= 1
                self.loops.pop()
                text.close()
                self._line("}")
            case Ops.IF:
                self.conditions.append(len(self.lines))
                self._line(f"if ({text[node.src[0]]}) {{")
                self.depth += 1
                text.before.append({})
            case Ops.ENDIF:
                self._end_if()
            case Ops.DEFINE_GLOBAL:
                text[node] = node.arg.name
            case Ops.DEFINE_VAR:
                text[node] = node.arg[0]
            case Ops.CONST:
                text[node] = literal(node.dtype, node.arg)
            case Ops.DEFINE_LOCAL:
                self._local(node)
            case Ops.DEFINE_ACC:
                number = node.arg if self.named is None else self.named.setdefault(node, len(self.named))
                text[node] = f"acc{number}"
                self._line(f"{ctype(node.dtype)} {text[node]} = {text[node.src[0]]};")
            case Ops.ASSIGN:
                text[node] = text[node.src[0]]
                self._line(f"{text[node]} = {bare(text[node.src[1]])};")
            case Ops.INDEX:
                text[node] = f"{text[node.src[0]]}[{bare(text[node.src[1]])}]"
            case Ops.STORE:
                gate = f"if ({text[node.src[2]]}) " if len(node.src) > 2 else ""
                self._line(f"{gate}{stored(node.src[0], node.src[1], text)};")
            case Ops.ARGSORT | Ops.SORT | Ops.WMMA:
                self._helper(node)
            case Ops.CALLS:
                self._calls(node)
            case Ops.NAME | Ops.SINK:
                pass
            case _:
                self._value(node)

    def _fold(self, node: UOp) -> None:
        array = node.src[0]
        lines, self.text[node] = fold_lines(
            node, self.arrays.lanes[array], self.text[array], self._fresh, self.arrays.watched.get(array, "")
        )
        for line in lines:
            self._line(line)

    def _vectors(self, k: int, node: UOp) -> None:
        """A loop of vectors, which opens at position k."""
        self.behind = 1 + next(i for i in range(k, len(self.uops)) if self.uops[i].op is Ops.ENDRANGE)
        body = body_of(Loop(node, list(self.uops[k + 1 : self.behind - 1])))
        assert not isinstance(body, str), body
        lanes, name = self.target.lanes(body.widest), self._loop_name(node)
        around = Around(
            self._called, self._fresh, self.arrays.room, self.arrays.watched,
            ("from", "to") if node is self.split else None, self.arrays.empty(self.loops), self.rounds.of(node),
        )  # fmt: skip
        for line in VectorWriter(body, lanes, name, around).run():
            self._line(line)
        self.arrays.note(body, self.loops)

    def _lanes(self, k: int, node: UOp) -> None:
        """A loop whose rounds are lanes, which opens at position k."""
        end = next(
            i for i in range(k, len(self.uops)) if self.uops[i].src == (node,) and self.uops[i].op is Ops.ENDRANGE
        )
        start, stop = ("from", "to") if node is self.split else ("0", self.text[node.src[0]])
        body, rounds = self.uops[k + 1 : end], self.rounds.of(node)
        for line in late.batch.BatchWriter(node, body, self._called, self._fresh, start, stop, rounds).run():
            self._line(line)
        self.behind = end + 1

    def _called(self, node: UOp) -> str:
        return self.text[node] if node in self.text else literal(node.dtype, node.arg)

    def _fresh(self) -> str:
        self.values += 1
        return f"v{self.values - 1}"

    def _helper(self, node: UOp) -> None:
        """A statement that is a call of a helper: a sort, or a tile of sums of products."""
        text = [self.text[s] for s in node.src]
        if node.op in (Ops.ARGSORT, Ops.SORT):
            keys, *memory = text
            n = node.src[0].arg.elements
            self._line(f"{sorter(node.op, node.src[0].dtype, n)}({', '.join([keys, str(n), *memory])});")
            return
        name = tile_name(node.arg, suffix(node.src[0].dtype))
        places = [f"{self.text[s.src[0]]} + {self.text[s.src[1]]}" for s in node.src[:3]]
        self._line(f"{name}({', '.join([*places, *map(bare, text[3:])])});")

    def _is_short(self, k: int) -> bool:
        """Whether the loop that opens here is innermost and a rest that vectors are too long for."""
        end = self.uops[k].src[0]
        if end.op is Ops.CONST or sym.bounds(end)[1] >= VECTOR_ROUNDS:
            return False
        return next(u.op for u in islice(self.uops, k + 1, None) if u.op in _ENDS) is Ops.ENDRANGE

    def _calls(self, node: UOp) -> None:
        """Calls of functions of rows: a table, and the loop that walks it."""
        outline = Outline() if self.outline is None else self.outline
        names = [outline.name(text) for text in calls.functions(node)]
        number, count = self.values, bare(self.text[node.src[0]])
        self.values += 1
        for line in calls.lines(node, number, names, [self.text[s] for s in node.src[1:]], count):
            self._line(line)

    def _loop_name(self, node: UOp) -> str:
        """What a loop variable is called; in pieces by their own count, so that equal ones have one text."""
        number = node.arg[0] if self.named is None else self.named.setdefault(node, len(self.named))
        return f"i{number}"

    def _end_if(self) -> None:
        self.depth -= 1
        self.text.close()
        start = self.conditions.pop()
        if len(self.lines) == start + 2:  # one statement needs no braces
            self.lines[start:] = [self.lines[start].removesuffix("{") + self.lines[start + 1].lstrip()]
            self.spans = [(min(a, start + 1), min(b, start + 2)) for a, b in self.spans]
        else:
            self._line("}")

    def _local(self, node: UOp) -> None:
        kind, arg = element(node.dtype), node.arg
        name = self.text[node] = f"s{arg.number}"
        if arg.offset is None:
            for line in self.arrays.lines(node, kind, name, _VECTORS):
                self._line(line)
        else:
            restrict = "" if arg.shared else "restrict "
            self._line(f"{kind} *{restrict}{name} = ({kind} *)(scratch + {arg.offset});")

    def _value(self, node: UOp) -> None:
        src = [self.text[s] for s in node.src]
        if node.op is Ops.LOAD:
            text = src[0] if len(src) == 1 else self._gated(node, src)
        else:
            text = spell(node, src)
        if not self._written_in_place(node, text):
            name = f"v{self.values}"
            self.values += 1
            kind = element(node.dtype) if node.op is Ops.LOAD else ctype(node.dtype)
            self._line(f"const {kind} {name} = {bare(text)};")
            text = name
        self.text[node] = text

    def _gated(self, node: UOp, src: list[str]) -> str:
        """A load under a condition.

        The compiler makes masked loads of these. Where they lie apart from one round of the loop to the next, gcc 12
        mixes up the places of such loads under a condition on the loop variable (decision 0017), so these read the
        first element instead of none. A complex number is two of them, wherever it lies.
        """
        if node.dtype.kind != "c" and self._side_by_side(node.src[0].src[1]):
            return f"({src[2]} ? {src[0]} : {src[1]})"
        array, place = node.src[0].src
        name = f"v{self.values}"
        self.values += 1
        at = f"{self.text[array]}[{self.text[place]} & -(long long){src[2]}]"
        self._line(f"const {element(node.dtype)} {name} = {at};")
        return f"({src[2]} ? {name} : {src[1]})"

    def _side_by_side(self, place: UOp) -> bool:
        """Whether the place moves by at most one element in each round of the innermost loop."""
        loop = self.uops[self.loops[-1]]
        step = step_of(loop, place) if loop.op is Ops.RANGE else 0
        return step is not None and abs(step) <= 1

    def _written_in_place(self, node: UOp, text: str) -> bool:
        """Whether the expression stands where it is used, rather than in a variable of its own."""
        if len(text) > EXPRESSION_CHARACTERS:
            return False
        if node.dtype == dtypes.index and node.op is not Ops.CAST:
            return node not in self.ends and not (node.op is Ops.MIN and self.sole.get(node) is None)
        user = self.sole.get(node)
        if user is None or self.loops[-1] not in self.within[user]:  # a value is computed once, outside the loop
            return False
        if user.op in (Ops.STORE, Ops.ASSIGN):
            return user.src[1] is node
        return user.op in GroupOp.OfElements and user.op is not Ops.WHERE


_ENDS = frozenset({Ops.ENDRANGE, Ops.RANGE, Ops.WMMA, Ops.CALLS})
