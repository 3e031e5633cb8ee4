"""Branches that compute the nonzeros of others: each arm those that it has, zeros where another has one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from functrans._records import replace
from functrans.ops import build as B
from functrans.ops.loops import Switch
from functrans.transforms.loops.body import closed_together, endless
from functrans.transforms.loops.independent import extending, parted
from functrans.transforms.sparse.detection import flattened
from functrans.transforms.sparse.direct.carrying import Computing, Part
from functrans.transforms.sparse.direct.recurrence import Entries, chosen, common, taken
from functrans.transforms.sparse.direct.rounds import Inside, Span, check_real, local


def branching(arg: Switch, dependent: Sequence[bool], wanted: Sequence[int], inside: Inside) -> Computing:
    """The branch that computes the nonzeros of some results of another by the sources that have a tangent."""
    late = dependent[1:]
    arms = [parted(f, late) for f in arg.branches]
    kept = [k for k in range(len(arg.results)) if not any(later[k] for _, later in arms)]
    parts: dict[int, list[Part]] = {k: [] for k in wanted}
    wanted = [k for k in wanted if k not in kept]
    sizes = [int(np.prod(arg.results[k][0], dtype=np.int64)) for k in wanted]
    rows = Span(list(wanted), np.cumsum([0, *sizes]).tolist())
    places = [k for k, is_late in enumerate(late) if is_late]
    params = arg.branches[0].params
    cols = Span(places, np.cumsum([0, *(params[k].size for k in places)]).tolist())
    check_real([*(params[k].dtype for k in places), *(arg.results[k][1] for k in wanted)])
    dtype = common([*(params[k].dtype for k in places), *(arg.results[k][1] for k in wanted)])
    made = []
    for f, (outputs, _) in zip(arg.branches, arms, strict=True):
        whole = [B.reshape(u, o.sized) for u, o in zip(flattened(outputs), outputs, strict=True)]
        roots = [B.reshape(whole[k], (whole[k].size,)) for k in wanted]
        made.append((whole, local(roots, [f.params[k] for k in places], dtype, inside)))
    shape = rows.starts[-1], cols.starts[-1]
    keys = np.unique(np.concatenate([found.entries.keys for _, found in made]))
    entries = Entries(*np.divmod(keys, max(shape[1], 1)), shape)
    given = [k for k, is_late in enumerate(late) if not is_late]
    graphs = []
    for f, (whole, found) in zip(arg.branches, made, strict=True):
        at = np.full(len(entries), -1)
        at[entries.places(found.entries)] = np.arange(len(found.entries))
        values = B.full((len(entries),), dtype, 0)
        if len(found.entries):
            values = chosen(taken(found.values, at), at >= 0)
        graphs.append(([*(whole[k] for k in kept), values], [f.params[k] for k in given]))
    branches, constants = closed_together(graphs, endless(graphs))
    sources = [0, *(1 + k for k in given)]
    new = replace(arg, branches=tuple(branches), extends=extending(arg, sources, kept))
    for k, here, at_rows in rows.of(entries.rows):
        for place, which, at_cols in cols.of(entries.cols[here]):
            parts[k].append(Part(len(kept), here[which], at_rows[which], 1 + place, at_cols))
    return Computing(new, [*sources, *constants], parts, max(found.cost + len(entries) for _, found in made))
