"""An explanation as HTML: a fragment for notebooks, and the report on the first tab of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from functrans._lazy import html
from functrans.backend.runtime.machine import Machine
from functrans.reporting import text
from functrans.viz import nest, page
from functrans.viz.roofline import Point, Roof, Roofline

if TYPE_CHECKING:
    from functrans.backend.report import BufferFact
    from functrans.reporting.explain import Explanation

_STYLE = """<style>
.ft-explain { font-size: 13.5px; line-height: 1.5; max-width: 1320px; }
.ft-explain h3 { font-size: 14px; margin: 20px 0 6px; }
.ft-explain table { border-collapse: collapse; margin: 8px 0; font-variant-numeric: tabular-nums; }
.ft-explain th, .ft-explain td { text-align: right; padding: 3px 12px 3px 0; white-space: nowrap; border: 0;
  border-bottom: 1px solid rgba(128, 128, 128, 0.25); background: none; }
.ft-explain th { font-weight: 600; opacity: 0.7; }
.ft-explain th:first-child, .ft-explain td:first-child { text-align: left; }
.ft-explain pre { font: 12.5px/1.45 ui-monospace, Menlo, Consolas, monospace; margin: 4px 0 14px;
  white-space: pre-wrap; background: none; color: inherit; padding: 0; border: 0; }
.ft-explain .ft-columns { display: flex; flex-wrap: wrap; gap: 8px 40px; align-items: flex-start; }
.ft-explain .ft-columns > div:first-child { flex: 1 1 auto; max-width: 100%; overflow-x: auto; }
.ft-explain .ft-columns > div:last-child { flex: 1 1 420px; max-width: 640px; }
.ft-explain svg { max-width: 100%; height: auto; }
</style>"""


MAX_DRAWN = 24  # loops of a kernel, and choices, that are drawn; the text below names more


def fragment(e: Explanation) -> str:
    """Text, tables and the roofline, as HTML that fits into any page."""
    first, *rest = text.head(e).split("\n")
    more = "<br>".join(map(html.escape, rest))
    parts = [_STYLE, '<div class="ft-explain">', f"<p><b>{html.escape(first)}</b><br>{more}</p>"]
    loops = "\n\n".join(text.loops(k) for k in text.listed(e)[0])
    drawn = roofline(e).to_svg() if e.call is not None else ""
    left = f"<div>{_table(e)}<h3>loops</h3><pre>{html.escape(loops)}</pre></div>"
    parts.append(f'<div class="ft-columns">{left}<div>{picture(e)}{drawn}</div></div>')
    parts.append(f"<h3>buffers</h3><pre>{html.escape(text.buffers(e))}</pre></div>")
    return "".join(parts)


def whole(e: Explanation) -> str:
    """A page of its own, with the graph after every pass beside the C."""
    return page.page(f"{e.what}({e.signature})", [u.passes for u in e.units], fragment(e))


def roofline(e: Explanation) -> Roofline:
    """The kernels that were measured, under the roofs of the machine."""
    machines = dict.fromkeys(m for m in (e.machine, e.shared) if m is not None)
    points = []
    for k in text.listed(e)[0]:
        if k.nanoseconds:
            traffic = max(k.cost.bytes_read + k.cost.bytes_written, 1)
            points.append(Point(k.name, k.work / traffic, k.work / k.nanoseconds * 1e9, text.of_roof(e, k)))
    name = next(iter(machines)).name if machines else ""
    return Roofline(f"{e.what} on {name}", [roof(m) for m in machines], points)


def roof(m: Machine) -> Roof:
    """A machine as a roof."""
    return Roof(m.threads, m.flops64, m.bandwidth[0][1], m.bandwidth[-1][1])


def picture(e: Explanation) -> str:
    """The loops of the kernels and the choices between storing and computing again, as SVG."""
    kernels = [
        (k.name, [nest.Loop(loop.depth, f"for {loop.name} < {loop.extent}", ", ".join(loop.roles)) for loop in k.loops])
        for k in text.listed(e)[0]
    ]
    decided = [b for u in e.units for b in u.buffers if b.decision.figures is not None]
    return nest.drawn([(name, loops[:MAX_DRAWN]) for name, loops in kernels], [_choice(b) for b in decided[:MAX_DRAWN]])


def _choice(b: BufferFact) -> nest.Choice:
    figures = b.decision.figures
    assert figures is not None
    ways = {"stored between kernels": figures.between, "computed at each read": figures.again}
    if figures.inside is not None:
        ways["stored inside a kernel"] = figures.inside
    inside = "stored inside a kernel" if b.local or b.written_out else "stored between kernels"
    taken = inside if b.decision.stays else "computed at each read"
    shape = "x".join(map(str, b.decision.buffer.arg.shape)) or "scalar"
    return nest.Choice(f"{b.op}, {shape}", ways, taken, b.decision.why.value)


def _table(e: Explanation) -> str:
    rows = text.rows(e)
    head = "".join(f"<th>{html.escape(c)}</th>" for c in text.COLUMNS)
    body = "".join(f"<tr>{''.join(f'<td>{html.escape(c)}</td>' for c in row)}</tr>" for row in rows)
    left = text.listed(e)[1]
    more = f"<p>and {left} kernels that take less</p>" if left else ""
    return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>{more}"
