"""Sphinx configuration. The build needs no network: see make_inventories.py for the outside names."""

from __future__ import annotations

import doctest
import re
import subprocess
import sys
import warnings
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE / "_ext"), str(HERE.parent)]

import library_tables  # noqa: E402
import make_inventories  # noqa: E402

import functrans  # noqa: E402

# sphinx_autodoc_typehints calls what Sphinx 10 will drop; the pin on Sphinx keeps it there
warnings.filterwarnings("ignore", message=".*sphinx_autodoc_typehints")
# SciPy's BDF subtracts rows of differences that it has not written yet, and uses none of them
warnings.filterwarnings("ignore", message="invalid value encountered in subtract", module=r"scipy\.integrate")

project = "functrans"
author = "The functrans developers"
copyright = "2026, The functrans developers"
version = release = functrans.__version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.doctest",
    "sphinx.ext.intersphinx",
    "sphinx.ext.napoleon",
    "sphinx_autodoc_typehints",
    "sphinx_copybutton",
    "sphinx_design",
    "run_snippet",
    "thumbnails",
    "side_by_side",
    "library_tables",
    "reference_pages",
    "name_links",
    "name_tables",
    "results",
]
exclude_patterns = ["_build", "_inventories", "_ext"]
nitpicky = True
nitpick_ignore_regex = make_inventories.UNLINKED

myst_enable_extensions = ["colon_fence", "deflist", "substitution"]
myst_heading_anchors = 3

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # sphinx_autodoc_typehints writes them
typehints_fully_qualified = False
typehints_document_rtype = True
always_document_param_types = False
# the unary methods of Tensor come from one factory: their annotations are read all the same
typehints_formatter = library_tables.TensorForItsBases()
suppress_warnings = ["sphinx_autodoc_typehints.local_function"]
napoleon_numpy_docstring = True
napoleon_google_docstring = True
napoleon_use_rtype = False
napoleon_use_ivar = True

intersphinx_mapping = make_inventories.write_all(HERE / "_inventories")
intersphinx_disabled_reftypes = ["std:*"]

doctest_test_doctest_blocks = ""  # the examples of docstrings are run by pytest
doctest_default_flags = doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE
doctest_global_setup = """
import numpy as np
import functrans as ft
import functrans.numpy as fnp
"""

copybutton_exclude = ".linenos, .gp, .go"

html_theme = "pydata_sphinx_theme"
html_title = "functrans"


def repository() -> str | None:
    """Where the checkout that the site is built from came from, if that is a public address."""
    asked = ["git", "-C", str(HERE), "config", "--get", "remote.origin.url"]
    try:
        origin = subprocess.run(asked, capture_output=True, text=True, check=False).stdout.strip()
    except OSError:  # no git: an archive
        return None
    return origin.removesuffix(".git") if re.fullmatch(r"https://[\w.-]+/[\w./~-]+", origin) else None


ADDRESS = repository()
NOWHERE = "This site was built from a checkout without a public address."
myst_substitutions = {"repository": f"[Repository]({ADDRESS})." if ADDRESS else NOWHERE}
html_static_path = ["_static"]
html_css_files = ["functrans.css"]
html_show_sourcelink = False
html_sidebars = {"decisions/**": [], "index": []}
html_theme_options = {
    "show_prev_next": False,
    "navigation_with_keys": False,
    "secondary_sidebar_items": ["page-toc"],
    "footer_start": ["copyright"],
    "footer_end": [],
    "icon_links": [{"name": "Repository", "url": ADDRESS, "icon": "fa-solid fa-code-branch"}] if ADDRESS else [],
}
