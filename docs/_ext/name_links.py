"""Names in inline code lead to their pages: ``ft.vmap`` and ``fnp.stack`` to the reference, ``np.where`` and
``scipy.optimize.root`` to NumPy and SciPy, ``jax.vmap`` to JAX, by the inventories of intersphinx.

A call is linked as a whole, ``ft.vmap(f, in_axes=1)``. Of one name a page links the first place in each section.
"""

from __future__ import annotations

import posixpath
import re
from typing import Any

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.environment import BuildEnvironment

import functrans

FOLDER = "reference/names"
NAME = re.compile(r"^(ft|fnp|np|numpy|scipy|jax|jnp)((?:\.[A-Za-z_]\w*)+)(?:\([^()]*\))?$")
LONG = {"ft": "", "fnp": "numpy", "np": "numpy", "jnp": "jax.numpy"}
# where a name stands for itself, or leads somewhere already
ELSEWHERE = (nodes.reference, nodes.title, nodes.literal_block, addnodes.pending_xref, addnodes.desc_signature)


def own_page(app: Sphinx, docname: str, name: str) -> str | None:
    """The address of the page, or of the entry among the errors, of a name of functrans."""
    if name in app.config.reference_names:
        target, anchor = f"{FOLDER}/{name}", ""
    elif isinstance(getattr(functrans, name, None), type) and issubclass(getattr(functrans, name), Exception):
        target, anchor = "reference/errors", f"#{name.lower()}"
    else:
        return None
    return "" if target == docname else app.builder.get_relative_uri(docname, target) + anchor


def outside(env: BuildEnvironment, name: str) -> str | None:
    """The address of a name of another project."""
    found = getattr(env, "intersphinx_inventory", {})
    for role in ("py:function", "py:class", "py:data", "py:exception", "py:method", "py:module"):
        item = found.get(role, {}).get(name)
        if item is not None:
            return str(item[2] if isinstance(item, tuple) else item.uri)
    return None


def link(app: Sphinx, doctree: nodes.document, docname: str) -> None:
    """Put the links in, unless the page itself is of one name."""
    if posixpath.dirname(docname) == FOLDER:
        return
    seen: set[tuple[int, str]] = set()
    for code in list(doctree.findall(nodes.literal)):
        match = NAME.match(code.astext())
        above = [node for node in _ancestors(code) if isinstance(node, (*ELSEWHERE, nodes.section))]
        if match is None or any(isinstance(node, ELSEWHERE) for node in above):
            continue
        prefix, rest = match[1], match[2].removeprefix(".")
        name = ".".join(filter(None, (LONG.get(prefix, prefix), rest)))
        address = own_page(app, docname, name) if prefix in ("ft", "fnp") else outside(app.env, name)
        place = (id(above[0]) if above else 0, name)
        if not address or place in seen:
            continue
        seen.add(place)
        reference = nodes.reference("", "", refuri=address, internal=prefix in ("ft", "fnp"), classes=["name"])
        code.replace_self(reference)
        reference += code


def _ancestors(node: nodes.Node) -> list[nodes.Node]:
    found = []
    while node.parent is not None:
        node = node.parent
        found.append(node)
    return found


def setup(app: Sphinx) -> dict[str, Any]:
    """Connect."""
    app.connect("doctree-resolved", link)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}
