"""What a loop of vectors does for one round after the other: sums in order, and writes here and there."""

from __future__ import annotations

from functrans.backend.codegen import spelling
from functrans.backend.codegen.spelling import ctype, element
from functrans.backend.codegen.vectors.access import Access
from functrans.backend.codegen.vectors.names import Part, is_place
from functrans.ops.enums import Ops
from functrans.ops.uop import UOp


class Serial(Access):
    """The statements that stand behind some vectors, in a loop over their rounds."""

    def _round_by_round(self, parts: list[Part], indent: str) -> None:
        """What is done for one round after the other: vectors are put down, and taken up one by one."""
        lines, k = self.lines, self.around.fresh()
        taken = dict.fromkeys(s for u in self.body.items if u in self.body.serial for s in u.src if s in self.written)
        text: dict[UOp, str] = {}
        lines.append(f"{indent}{{")
        for u in taken:
            name = self.around.fresh()
            text[u] = f"{name}[{k}]"
            room = len(parts) * self.lanes
            lines.append(f"{indent}  {element(u.dtype)} {name}[{room}] __attribute__((aligned(64)));")
            of = f"put_m{8 * self.bytes[u]}x{self.lanes}" if u in self.bytes else f"store_{self._of(u.dtype)}"
            lines += [f"{indent}  ft_{of}(&{name}[{n * self.lanes}], {p.names[u]});" for n, p in enumerate(parts)]
        last = parts[-1].first or self.lanes
        count = (len(parts) - 1) * self.lanes + last if isinstance(last, int) else last
        lines.append(f"{indent}  for (long long {k} = 0; {k} < {count}; {k}++) {{")
        at = f"({parts[0].text} + {k})"
        for u in self.body.items:
            if u in self.body.serial and (u in self.body.needed or u.op is Ops.ENDIF):
                lines.append(f"{indent}    {self._of_one(u, at, text)}")
        lines += [f"{indent}  }}", f"{indent}}}"]

    def _of_one(self, u: UOp, at: str, text: dict[UOp, str]) -> str:
        """A statement of one round."""

        def operand(s: UOp) -> str:
            if s in text:
                return text[s]
            return self._place(s, at, text) if is_place(s) and s in self.body.varying else self._number(s)

        if u.op is Ops.STORE:
            gate = f"if ({operand(u.src[2])}) " if len(u.src) > 2 else ""
            return f"{gate}{self._element(u.src[0], at, text)} = {operand(u.src[1])};"
        if u.op is Ops.IF:
            return f"if ({operand(u.src[0])}) {{"
        if u.op is Ops.ENDIF:
            return "}"
        if u.op is Ops.DEFINE_ACC:
            text[u] = self.around.fresh()
            return f"{ctype(u.dtype)} {text[u]} = {self._number(u.src[0])};"
        if u.op is Ops.ASSIGN:
            text[u] = operand(u.src[0])
            return f"{text[u]} = {operand(u.src[1])};"
        if u.op is Ops.LOAD:
            value = self._element(u.src[0], at, text)
            value = f"({operand(u.src[2])} ? {value} : {operand(u.src[1])})" if len(u.src) > 1 else value
        else:
            value = spelling.spell(u, [operand(s) for s in u.src])
        text[u] = self.around.fresh()
        return f"const {element(u.dtype) if u.op is Ops.LOAD else ctype(u.dtype)} {text[u]} = {value};"
