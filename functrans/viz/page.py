"""One page of HTML that needs nothing but itself: the graph after each pass, beside the C that it became."""

from __future__ import annotations

import pkgutil
from collections.abc import Iterable
from os import PathLike

from functrans._lazy import html, json
from functrans.ops.passes import Recorded
from functrans.viz.stages import data_of

_PAGE = """<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>@title@</title>
<style>
@css@</style>
</head>
<body>
<header>
<h1>@title@</h1>
<select id="units" aria-label="compiled unit"></select>
<span class="grow"></span>
<input id="search" type="search" placeholder="find: op, %12, shape, text" aria-label="find">
<button id="theme" title="light or dark">◐</button>
</header>
<nav id="tabs" role="tablist"></nav>
<main id="main">
<section id="report" hidden>@report@</section>
<section id="left" class="pane">
<div class="bar"><button id="as-graph">graph</button><button id="as-list">list</button>
<button id="indices">indices and constants</button>
<button id="changed">only what changed</button><span class="grow"></span><span id="count"></span></div>
<p id="does"></p>
<svg id="graph"></svg>
<div id="list" class="rows"></div>
<div id="note"></div>
</section>
<div id="split"></div>
<section id="right" class="pane">
<div class="bar"><span id="c-count"></span></div>
<div id="code" class="rows"></div>
</section>
</main>
<footer><dl id="detail"></dl></footer>
<script id="data" type="application/json">@data@</script>
<script>
@js@</script>
</body>
</html>
"""


def page(title: str, units: Iterable[Recorded], report: str = "") -> str:
    """The page. ``report`` is HTML that is shown first, on a tab of its own."""
    data = json.dumps(data_of(units), separators=(",", ":"), ensure_ascii=False).replace("</", "<\\/")
    parts = {
        "title": html.escape(title),
        "css": asset("viewer.css"),
        "js": asset("viewer.js"),
        "report": f'<div id="report-text">{report}</div>' if report else "",
        "data": data,
    }
    head, *rest = _PAGE.split("@")  # names and text take turns
    pieces = [head]
    for k, text in enumerate(rest):
        pieces.append(parts[text] if k % 2 == 0 else text)
    return "".join(pieces)


def asset(name: str) -> str:
    """A file that is part of the page."""
    data = pkgutil.get_data(__package__, name)
    assert data is not None  # it is part of the package, like every module of it
    return data.decode()


def write(text: str, path: str | PathLike[str] | None) -> str:
    """The page, written to a file if one is given."""
    if path is not None:
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
    return text
