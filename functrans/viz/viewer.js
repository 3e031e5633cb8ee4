"use strict";
/* The page: a pass in one pane, the C in the other. A node that is picked lights up the lines it became, a line the
   nodes it came from; the same family is lit in every pass. */
const DATA = JSON.parse(document.getElementById("data").textContent);
const $ = (id) => document.getElementById(id);
const [OP, DTYPE, SHAPE, ARG, SRC, FREE, PLACE, LINES, OF] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
const DRAWN = 300;   // nodes of a picture; more are not legible
const FEW = 10;      // a node with more users is no way from one of them to another
const text = (k) => DATA.texts[k];
const state = { unit: 0, tab: 0, view: "graph", indices: false, changed: false, pick: null, lines: new Set(), family: new Set(), anchor: null, shown: null };

/* the passes of a unit: one that changed nothing shows what the one before left */
function passes() {
  const unit = DATA.units[state.unit], last = {};
  return unit.passes.map((p) => {
    const full = p.same ? last[p.kernel] : p;
    last[p.kernel] = full;
    return { name: p.name, kernel: p.kernel, same: !!p.same, does: p.does, full };
  });
}
let PASSES = [];
const here = () => (state.tab >= 0 && state.tab < PASSES.length ? PASSES[state.tab] : null);
const rows = () => here().full.rows;
/* the nodes that the pass made; null where all are shown */
const made = () => (state.changed && !here().same && here().full.new?.length ? here().full.new : null);

/* groups of ops, by which they have their colors */
const GROUPS = {
  source: "PARAM BUFFER BUFFER_VIEW EMPTY IOTA CONST DEFINE_GLOBAL DEFINE_VAR BIND",
  move: "RESHAPE PERMUTE EXPAND PAD SHRINK FLIP CAST BITCAST STACK CAT NOOP DETACH COPY MULTI",
  map: "VMAPIN VMAPOUT",
  reduce: "REDUCE REDUCE_AXIS CUMULATE SCAN ARGSORT DEFINE_ACC ASSIGN",
  store: "BUFFERIZE STORE INDEX LOAD SCATTER CONTIGUOUS DEFINE_LOCAL",
  loop: "RANGE ENDRANGE IF ENDIF SINK KERNEL NAME BARRIER",
};
const GROUP = {};
for (const [name, ops] of Object.entries(GROUPS)) for (const op of ops.split(" ")) GROUP[op] = name;
const group = (row) => GROUP[text(row[OP])] || "elem";
const isIndex = (row) => text(row[DTYPE]) === "index" || ["CONST", "DEVICE", "UNIQUE", "NAME", "RANGE"].includes(text(row[OP]));

/* a list of which only the rows in view exist */
class Rows {
  constructor(box, draw, click, hover) {
    Object.assign(this, { box, draw, click, hover, count: 0 });
    this.inner = box.appendChild(document.createElement("div"));
    box.addEventListener("scroll", () => this.paint());
    new ResizeObserver(() => this.paint()).observe(box);
  }
  set(count) { this.count = count; this.inner.style.height = `${count * 20}px`; this.paint(); }
  paint() {
    const first = Math.max(0, Math.floor(this.box.scrollTop / 20) - 5);
    const last = Math.min(this.count, first + Math.ceil(this.box.clientHeight / 20) + 10);
    const made = [];
    for (let k = first; k < last; k++) {
      const row = document.createElement("div");
      row.style.top = `${k * 20}px`;
      row.className = "row";
      this.draw(row, k);
      row.onclick = () => this.click(k);
      if (this.hover) { row.onmouseenter = () => this.hover(k); row.onmouseleave = () => this.hover(null); }
      made.push(row);
    }
    this.inner.replaceChildren(...made);
  }
  reveal(k) {
    const top = k * 20, box = this.box;
    if (top < box.scrollTop || top > box.scrollTop + box.clientHeight - 40) box.scrollTop = Math.max(0, top - box.clientHeight / 3);
    this.paint();
  }
}
const span = (cls, content) => { const s = document.createElement("span"); s.className = cls; s.textContent = content; return s; };

/* the C */
const KEYS = /^(?:static|const|void|int|long|char|double|float|for|if|else|return|typedef|struct|restrict|unsigned|signed|short|inline|union|while|__attribute__)$/;
function tokens(row, line) {
  if (/^\s*(?:#|\/\*|\* |\/\/)/.test(line)) { row.append(span("o", line)); return; }
  for (const part of line.split(/(\b\d[\w.]*(?:[eEpP][+-]?\d+)?|\b[A-Za-z_]\w*\b(?:\s*(?=\())?)/)) {
    if (!part) continue;
    if (/^\d/.test(part)) row.append(span("d", part));
    else if (KEYS.test(part.trim())) row.append(span("k", part));
    else if (/^[A-Za-z_]\w*\s*$/.test(part) && line[line.indexOf(part) + part.length] === "(") row.append(span("f", part));
    else row.append(part);
  }
}
let C = [];
const code = new Rows($("code"), (row, k) => {
  row.append(span("n", String(k + 1)));
  tokens(row, C[k]);
  row.classList.toggle("hit", state.lines.has(k));
}, pickLine);

/* the nodes of a pass as a list */
const nodeAt = (n) => (n === null ? null : made() ? made()[n] : n), placeOf = (k) => (made() ? made().indexOf(k) : k);
const show1 = (k) => { const n = placeOf(k); if (n >= 0) list.reveal(n); };
const list = new Rows($("list"), (row, n) => {
  const k = nodeAt(n), p = here().full, r = p.rows[k], indent = p.depths ? "  ".repeat(p.depths[k]) : "";
  row.append(span("n", `%${k}`), indent, span(group(r), text(r[OP])), " ");
  const shape = text(r[SHAPE]), arg = text(r[ARG]);
  row.append(`${text(r[DTYPE])}${shape && shape !== "scalar" ? ` ${shape}` : ""} `);
  row.append(span("soft", `(${r[SRC].map((s) => `%${s}`).join(", ")})`), arg ? ` ${arg}` : "");
  row.classList.toggle("sel", isPicked(k));
  row.classList.toggle("hit", !isPicked(k) && lit(k));
}, (n) => pickNode(nodeAt(n)), (n) => describe(nodeAt(n)));

/* picking */
const isPicked = (k) => state.pick !== null && state.pick.pass === here().full && state.pick.node === k;
function lit(k) {
  const r = rows()[k];
  if (state.pick && state.pick.pass === here().full) return state.pick.nodes ? state.pick.nodes.has(k) : k === state.pick.node;
  if (!state.pick) return false;
  return state.family.size ? r[OF].some((t) => state.family.has(t)) : r[LINES].some(([a, b]) => overlaps(a, b));
}
const overlaps = (a, b) => { for (let n = a; n <= b; n++) if (state.lines.has(n)) return true; return false; };
function linesOf(r) { const found = new Set(); for (const [a, b] of r[LINES]) for (let n = a; n <= b; n++) found.add(n); return found; }
/* bring a node that is drawn into view */
function toView(k) {
  const n = state.shown?.get(k);
  if (n === undefined || state.view !== "graph") return;
  const [x, y] = state.spots[n];
  if (x < view.x + 60 || x > view.x + view.w - 60 || y < view.y + 40 || y > view.y + view.h - 40) {
    view = { ...view, x: x - view.w / 2, y: y - view.h / 2 };
    aim();
  }
}
function pickNode(k) {
  const r = rows()[k];
  state.pick = { pass: here().full, node: k, nodes: null };
  state.lines = linesOf(r);
  state.family = new Set(r[OF]);
  if (state.lines.size) code.reveal(Math.min(...state.lines));
  toView(k);
  refresh();
  describe(null);
}
function pickLine(n) {
  const nodes = new Set(), family = new Set();
  if (here()) rows().forEach((r, k) => {
    if (r[LINES].some(([a, b]) => a <= n && n <= b)) { nodes.add(k); r[OF].forEach((t) => family.add(t)); }
  });
  state.lines = new Set([n]);
  state.family = family;
  state.pick = here() ? { pass: here().full, node: null, nodes } : null;
  if (nodes.size) {
    const best = [...nodes].sort((a, b) => rows()[a][LINES].length - rows()[b][LINES].length)[0];
    show1(best);
    code.reveal(n);
    if (state.view === "graph" && !state.shown.has(best)) { state.anchor = best; drawGraph(); }
    toView(best);
  }
  refresh();
  $("detail").replaceChildren(entry("line", `${n + 1}`), entry("made of", nodes.size ? [...nodes].slice(0, 12).map((k) => `%${k} ${text(rows()[k][OP])}`).join(", ") + (nodes.size > 12 ? `, and ${nodes.size - 12} more` : "") : "nothing of this pass"));
}
function unpick() { state.pick = null; state.lines = new Set(); state.family = new Set(); refresh(); describe(null); }

/* what is known of a node */
function entry(name, value) {
  const box = document.createElement("div"), dt = document.createElement("dt"), dd = document.createElement("dd");
  dt.textContent = name; dd.textContent = value; box.append(dt, dd);
  return box;
}
function describe(k) {
  if (k === null || k === undefined) k = state.pick && here() && state.pick.pass === here().full ? state.pick.node : null;
  if (k === null || !here()) {
    if (!state.pick) $("detail").replaceChildren(entry("", "Point at a node to read what it is; click it, or a line of the C, to see what became of what. Arrow keys go from pass to pass."));
    return;
  }
  const r = rows()[k], found = [entry("node", `%${k} ${text(r[OP])}`), entry("dtype", text(r[DTYPE]))];
  for (const [name, at] of [["shape", SHAPE], ["argument", ARG], ["open ranges", FREE], ["your line", PLACE]]) if (text(r[at])) found.push(entry(name, text(r[at])));
  if (r[SRC].length) found.push(entry("sources", r[SRC].map((s) => `%${s} ${text(rows()[s][OP])}`).join(", ")));
  found.push(entry("lines of C", r[LINES].length ? r[LINES].map(([a, b]) => (a === b ? `${a + 1}` : `${a + 1}–${b + 1}`)).join(", ") : "none of its own"));
  $("detail").replaceChildren(...found);
}

/* the graph */
const SVG = "http://www.w3.org/2000/svg";
const make = (name, attributes, ...children) => {
  const e = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) e.setAttribute(key, value);
  e.append(...children);
  return e;
};
function chosen() {
  const all = rows(), may = all.map((r) => state.indices || !isIndex(r));
  const only = made() && new Set(made());
  if (only) { /* with the nodes that they read and that read them */
    const near = new Set(only);
    all.forEach((r, k) => { for (const s of r[SRC]) { if (only.has(k)) near.add(s); if (only.has(s)) near.add(k); } });
    all.forEach((_, k) => { may[k] = may[k] && near.has(k); });
  }
  const known = new Set(all.map((_, k) => k).filter((k) => may[k]));
  if (known.size <= DRAWN) return { nodes: [...known], left: 0, total: known.size };
  const users = all.map(() => []);
  all.forEach((r, k) => { if (may[k]) for (const s of r[SRC]) if (may[s]) users[s].push(k); });
  let edge = [state.anchor !== null && may[state.anchor] ? state.anchor : here().full.roots?.[0] ?? all.length - 1];
  const near = new Set(edge);
  while (edge.length && near.size < DRAWN) {
    const next = [];
    for (const k of edge) for (const n of [...all[k][SRC], ...(users[k].length <= FEW || k === edge[0] && near.size === 1 ? users[k].slice(0, 3 * FEW) : [])]) if (may[n] && !near.has(n) && near.size < DRAWN) { near.add(n); next.push(n); }
    edge = next;
  }
  return { nodes: [...near].sort((a, b) => a - b), left: known.size - near.size, total: known.size };
}
function label(r) {
  const all = rows(), consts = r[SRC].filter((s) => text(all[s][OP]) === "CONST" && text(all[s][DTYPE]) !== "index").map((s) => text(all[s][ARG]));
  const op = text(r[OP]), named = ["REDUCE", "REDUCE_AXIS", "CUMULATE", "RANGE"].includes(op) ? text(r[ARG]).replace("Ops.", "") : "";
  const shape = text(r[SHAPE]) || (op === "BUFFERIZE" ? (text(r[ARG]).match(/shape=(\([^)]*\))/) || ["", ""])[1] : "");
  const sub = [named, consts.length ? `with ${consts.join(", ")}` : "", shape && shape !== "scalar" ? shape : ""].filter(Boolean).join("  ");
  return { op, sub: sub.length > 34 ? sub.slice(0, 33) + "…" : sub };
}
function layout(nodes) {
  const all = rows(), at = new Map(nodes.map((k, n) => [k, n])), count = nodes.length;
  const up = nodes.map((k) => [...new Set(all[k][SRC].filter((s) => at.has(s)).map((s) => at.get(s)))]), down = nodes.map(() => []);
  up.forEach((ss, n) => ss.forEach((s) => down[s].push(n)));
  const layer = new Array(count).fill(0);
  for (let n = 0; n < count; n++) for (const s of up[n]) layer[n] = Math.max(layer[n], layer[s] + 1);
  for (let n = count - 1; n >= 0; n--) if (!up[n].length && down[n].length) layer[n] = Math.min(...down[n].map((d) => layer[d])) - 1;
  const size = nodes.map((k) => { const { op, sub } = label(all[k]); return Math.max(64, 7.6 * op.length + 22, 6.5 * sub.length + 18); });
  /* an edge over several layers goes by way of a point in each; those of one node share them as far as they can */
  const way = nodes.map(() => []), users = down.map((d) => [...d]);
  for (let n = 0; n < count; n++) {
    const far = Math.max(-1, ...users[n].map((d) => layer[d]));
    for (let l = layer[n] + 1; l < far; l++) {
      const point = layer.length, before = l === layer[n] + 1 ? n : point - 1;
      layer.push(l); size.push(10); up.push([before]); down.push([]);
      if (before === n) down[n] = down[n].filter((d) => layer[d] <= l); else down[before] = [];
      down[before].push(point);
      way[n][l] = point;
    }
    for (const d of users[n]) if (layer[d] > layer[n] + 1) {
      up[d] = up[d].map((s) => (s === n ? way[n][layer[d] - 1] : s));
      down[way[n][layer[d] - 1]].push(d);
    }
  }
  const every = layer.length, levels = [];
  layer.forEach((l, n) => (levels[l] ||= []).push(n));
  const tall = Array.from(levels, (l) => l || []);
  const x = new Array(every).fill(0), rank = new Array(every).fill(0);
  tall.forEach((l) => l.forEach((n, i) => (rank[n] = i)));
  const mean = (ns, of, otherwise) => (ns.length ? ns.reduce((t, n) => t + of[n], 0) / ns.length : otherwise);
  for (let sweep = 0; sweep < 8; sweep++) {
    const order = sweep % 2 ? [...tall].reverse() : tall;
    for (const l of order) {
      const wish = new Map(l.map((n) => [n, mean(sweep % 2 ? down[n] : up[n], rank, rank[n])]));
      l.sort((a, b) => wish.get(a) - wish.get(b));
      l.forEach((n, i) => (rank[n] = i * (1 + 8 / (1 + l.length))));
    }
  }
  const gap = 22;
  for (const l of tall) { let right = 0; for (const n of l) { x[n] = right + size[n] / 2; right += size[n] + gap; } const shift = right / 2; l.forEach((n) => (x[n] -= shift)); }
  for (let round = 0; round < 14; round++) for (const l of round % 2 ? [...tall].reverse() : tall) {
    const wish = l.map((n) => mean([...up[n], ...down[n]], x, x[n])), a = [], b = [];
    l.forEach((n, i) => (a[i] = i ? Math.max(wish[i], a[i - 1] + (size[l[i - 1]] + size[n]) / 2 + gap) : wish[i]));
    for (let i = l.length - 1; i >= 0; i--) b[i] = i < l.length - 1 ? Math.min(wish[i], b[i + 1] - (size[l[i + 1]] + size[l[i]]) / 2 - gap) : wish[i];
    l.forEach((n, i) => (x[n] = (a[i] + b[i]) / 2));
  }
  const points = (s, n) => { const on = []; for (let l = layer[s] + 1; l < layer[n]; l++) on.push(way[s][l]); return [s, ...on, n]; };
  return { x, y: layer.map((l) => l * 76), size, points };
}
let view = { x: 0, y: 0, w: 800, h: 600 };
const graph = $("graph");
const aim = () => graph.setAttribute("viewBox", `${view.x} ${view.y} ${view.w} ${view.h}`);
function drawGraph() {
  const picked = chosen(), { nodes } = picked, all = rows(), { x, y, size, points } = layout(nodes), roots = new Set(here().full.roots || []);
  state.shown = new Map(nodes.map((k, n) => [k, n]));
  state.spots = nodes.map((_, n) => [x[n], y[n]]);
  const edges = [], boxes = [];
  nodes.forEach((k, n) => {
    for (const from of new Set(all[k][SRC].filter((s) => state.shown.has(s)))) {
      const on = points(state.shown.get(from), n);
      let d = `M${x[on[0]]} ${y[on[0]] + 19}`, y0 = y[on[0]] + 19;
      for (let i = 1; i < on.length; i++) {
        const y1 = y[on[i]] - 19, x0 = x[on[i - 1]], x1 = x[on[i]];
        d += `C${x0} ${y0 + 19} ${x1} ${y1 - 19} ${x1} ${y1}`;
        y0 = y[on[i]] + 19;
        if (i < on.length - 1) d += `V${y0}`;
      }
      const path = make("path", { class: "edge", d });
      path.dataset.from = from; path.dataset.to = k;
      edges.push(path);
    }
    const { op, sub } = label(all[k]);
    const box = make("g", { class: `node ${group(all[k])}${roots.has(k) ? " root" : ""}`, transform: `translate(${x[n]} ${y[n]})`, tabindex: -1 },
      make("rect", { x: -size[n] / 2, y: -19, width: size[n], height: 38 }),
      make("text", { y: sub ? -2 : 4 }, op));
    if (sub) box.append(make("text", { y: 12, class: "sub" }, sub));
    box.dataset.node = k;
    box.onclick = (e) => { if (!dragged) pickNode(k); e.stopPropagation(); };
    box.onmouseenter = () => describe(k);
    box.onmouseleave = () => describe(null);
    boxes.push(box);
  });
  graph.replaceChildren(...edges, ...boxes);
  const left = picked.left ? `${nodes.length} of ${picked.total} nodes: those nearest to ${state.anchor === null ? "the first result" : `%${state.anchor}`}. Pick one in the list, or search, to see around it. ` : "";
  const cut = here().full.total > rows().length ? `This pass has ${here().full.total} nodes, of which ${rows().length} are part of this page.` : "";
  $("note").textContent = left + cut;
  const left0 = Math.min(...x.map((v, n) => v - size[n] / 2)), right0 = Math.max(...x.map((v, n) => v + size[n] / 2));
  const top = Math.min(...y) - 40, bottom = Math.max(...y) + 40;
  const focus = state.shown.get(state.anchor ?? (picked.left ? here().full.roots?.[0] : null));
  view = fit(left0 - 20, top, right0 - left0 + 40, bottom - top, focus === undefined ? null : [x[focus], y[focus]]);
  aim();
}
function fit(x, y, w, h, focus) {
  const box = graph.getBoundingClientRect(), wide = box.width || 800, high = box.height || 600;
  const scale = Math.min(1.15, Math.max(Math.min(wide / w, high / h), 0.8)), vw = wide / scale, vh = high / scale;
  const along = (from, size, room, at) => (size <= room ? from + (size - room) / 2 : Math.max(from, Math.min(from + size - room, at - room / 2)));
  return { x: along(x, w, vw, focus ? focus[0] : x + w / 2), y: along(y, h, vh, focus ? focus[1] : y), w: vw, h: vh };
}
let dragged = false, from = null;
graph.addEventListener("pointerdown", (e) => { from = { x: e.clientX, y: e.clientY, view: { ...view } }; dragged = false; });
addEventListener("pointermove", (e) => {
  if (!from) return;
  const box = graph.getBoundingClientRect(), dx = e.clientX - from.x, dy = e.clientY - from.y;
  if (Math.abs(dx) + Math.abs(dy) > 4) dragged = true;
  if (dragged) { view = { ...from.view, x: from.view.x - (dx * view.w) / box.width, y: from.view.y - (dy * view.h) / box.height }; aim(); }
});
addEventListener("pointerup", () => { from = null; });
graph.addEventListener("click", () => { if (!dragged) unpick(); });
graph.addEventListener("wheel", (e) => {
  e.preventDefault();
  const box = graph.getBoundingClientRect(), by = Math.exp(Math.max(-0.4, Math.min(0.4, e.deltaY * 0.0015)));
  const px = view.x + ((e.clientX - box.left) / box.width) * view.w, py = view.y + ((e.clientY - box.top) / box.height) * view.h;
  view = { x: px - (px - view.x) * by, y: py - (py - view.y) * by, w: view.w * by, h: view.h * by };
  aim();
}, { passive: false });

/* bringing the page up to date */
function refresh() {
  code.paint();
  if (!here()) return;
  list.paint();
  for (const box of graph.querySelectorAll(".node")) {
    const k = Number(box.dataset.node);
    box.classList.toggle("sel", isPicked(k));
    box.classList.toggle("hit", !isPicked(k) && lit(k));
  }
  for (const path of graph.querySelectorAll(".edge")) path.classList.toggle("hit", isPicked(Number(path.dataset.from)) || isPicked(Number(path.dataset.to)));
}
function tabs() {
  const nav = $("tabs"), made = [], kernels = [...new Set(PASSES.map((p) => p.kernel).filter((k) => k !== null))];
  const add = (name, at, same, title) => {
    const b = document.createElement("button");
    b.textContent = name; b.role = "tab"; b.ariaSelected = String(state.tab === at); b.className = same ? "same" : ""; b.title = title || "";
    b.onclick = () => go(at);
    made.push(b);
  };
  const note = (cls, content) => { const s = span(cls, content); made.push(s); };
  if ($("report-text")) add("report", -1);
  note("group", "graph");
  PASSES.forEach((p, k) => { if (p.kernel === null) add(p.name, k, p.same, p.same ? "this pass changed nothing" : ""); });
  if (kernels.length) {
    note("group", "statements of");
    const now = here()?.kernel ?? state.kernel ?? kernels[0], select = document.createElement("select");
    state.kernel = kernels.includes(now) ? now : kernels[0];
    select.append(...kernels.map((k) => new Option(k, k, false, k === state.kernel)));
    select.onchange = () => { const name = here()?.kernel ? here().name : "lower"; state.kernel = select.value; go(PASSES.findIndex((p) => p.kernel === select.value && p.name === name)); };
    made.push(select);
    PASSES.forEach((p, k) => { if (p.kernel === state.kernel) add(p.name, k, p.same, p.same ? "this pass changed nothing" : ""); });
  }
  note("group", "text");
  add("C", PASSES.length);
  nav.replaceChildren(...made);
}
function go(tab) {
  const wasPass = here();
  state.tab = tab;
  const p = here();
  if (p && p !== wasPass) {
    state.anchor = null;
    if (!wasPass || !!wasPass.kernel !== !!p.kernel) state.view = p.kernel ? "list" : "graph";
  }
  show();
}
function show() {
  tabs();
  const p = here(), report = state.tab < 0, alone = state.tab >= PASSES.length;
  $("report").hidden = !report;
  $("left").hidden = !p;
  $("split").hidden = !p;
  $("right").hidden = report;
  $("main").classList.toggle("alone", !p);
  document.querySelector("footer").hidden = report;
  if (p) {
    const graphed = state.view === "graph";
    $("graph").style.display = graphed ? "block" : "none";
    $("list").style.display = graphed ? "none" : "block";
    $("as-graph").ariaPressed = String(graphed);
    $("as-list").ariaPressed = String(!graphed);
    $("indices").ariaPressed = String(state.indices);
    $("indices").hidden = !graphed;
    const diff = p.same ? ", unchanged by this pass" : p.full.new ? `: ${p.full.new.length} new, ${p.full.gone} gone` : "";
    $("count").textContent = `${p.full.total} ${p.kernel ? "statements" : "nodes"}${diff}`;
    $("does").textContent = p.does || "";
    $("changed").ariaPressed = String(state.changed);
    list.set(made() ? made().length : rows().length);
    if (graphed) drawGraph(); else { $("note").textContent = p.full.total > rows().length ? `${rows().length} of ${p.full.total} are part of this page.` : ""; const k = rows().findIndex((_, n) => isPicked(n) || lit(n)); if (k >= 0) show1(k); }
  }
  if (!report) code.paint();
  refresh();
  describe(null);
  if (location.protocol !== "about:") history.replaceState(null, "", `#tab=${state.tab}&unit=${state.unit}`);
}
function load(unit) {
  state.unit = unit;
  PASSES = passes();
  C = DATA.units[unit].c.split("\n");
  state.pick = null; state.lines = new Set(); state.family = new Set(); state.anchor = null;
  $("c-count").textContent = `${C.length} lines of C`;
  code.set(C.length);
  const kernel = C.findIndex((line) => /^static void k\d/.test(line));
  $("code").scrollTop = Math.max(0, kernel) * 20;
}

/* finding: an op, a number, or any text of a node or of the C */
let found = -1;
$("search").addEventListener("keydown", (e) => {
  if (e.key !== "Enter") return;
  const want = e.target.value.trim().toLowerCase();
  if (!want) return;
  const p = here();
  const fits = p ? (k) => { const r = rows()[k]; return `%${k}` === want || [OP, DTYPE, SHAPE, ARG, PLACE, FREE].some((f) => text(r[f]).toLowerCase().includes(want)); } : (k) => C[k].toLowerCase().includes(want);
  const count = p ? rows().length : C.length, step = e.shiftKey ? count - 1 : 1;
  for (let tried = 0, k = found; tried < count; tried++) {
    k = (k + step + count) % count;
    if (!fits(k)) continue;
    found = k;
    if (!p) { pickLine(k); code.reveal(k); return; }
    pickNode(k);
    show1(k);
    if (state.view === "graph" && !state.shown.has(k)) { state.anchor = k; if (isIndex(rows()[k])) state.indices = true; drawGraph(); refresh(); }
    return;
  }
  $("detail").replaceChildren(entry("", `nothing here holds “${want}”`));
});
addEventListener("keydown", (e) => {
  if (["INPUT", "SELECT"].includes(document.activeElement?.tagName)) return;
  const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
  if (step) {
    const order = [...($("report-text") ? [-1] : []), ...PASSES.map((_, k) => k).filter((k) => PASSES[k].kernel === null || PASSES[k].kernel === state.kernel), PASSES.length];
    const next = order[order.indexOf(state.tab) + step];
    if (next !== undefined) go(next);
  }
  if (e.key === "Escape") unpick();
  if (e.key === "/") { e.preventDefault(); $("search").focus(); }
});
$("as-graph").onclick = () => { state.view = "graph"; if (state.pick && state.pick.node !== null) state.anchor = state.pick.node; show(); };
$("as-list").onclick = () => { state.view = "list"; show(); };
$("changed").onclick = () => { state.changed = !state.changed; show(); };
$("indices").onclick = () => { state.indices = !state.indices; show(); };
$("theme").onclick = () => { const root = document.documentElement; root.dataset.theme = root.dataset.theme === "dark" ? "light" : "dark"; };
$("split").addEventListener("pointerdown", (e) => {
  e.preventDefault();
  const move = (m) => $("main").style.setProperty("--c-width", `${Math.max(10, Math.min(85, 100 - (100 * m.clientX) / innerWidth))}%`);
  addEventListener("pointermove", move);
  addEventListener("pointerup", () => { removeEventListener("pointermove", move); if (here() && state.view === "graph") drawGraph(); refresh(); }, { once: true });
});
const units = $("units");
units.append(...DATA.units.map((u, k) => new Option(u.title || "the whole function", String(k))));
units.hidden = DATA.units.length < 2;
units.onchange = () => { load(Number(units.value)); go(Math.min(Math.max(state.tab, 0), PASSES.length)); };
const asked = new URLSearchParams(location.hash.slice(1));
document.documentElement.dataset.theme = asked.get("theme") || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
load(Math.min(Number(asked.get("unit") || 0), DATA.units.length - 1));
go(asked.has("tab") ? Number(asked.get("tab")) : $("report-text") ? -1 : 0);
if (asked.has("view")) { state.view = asked.get("view"); show(); }
if (asked.has("node")) { pickNode(Number(asked.get("node"))); show1(state.pick.node); if (state.view === "graph" && !state.shown.has(state.pick.node)) { state.anchor = state.pick.node; drawGraph(); refresh(); } }
if (asked.has("line")) pickLine(Number(asked.get("line")));
