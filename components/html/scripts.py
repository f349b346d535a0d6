"""Provides the page's scripts: ES modules beside the components, which the page loads as they are.

A page without a server holds all of its modules in one script.
"""

import base64
import json
import re
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]  # of the modules that the dashboard loads
ADDRESS = "scripts"  # where the dashboard serves them
_IMPORT = re.compile(r'^import (?:(\{[^}]*\}) from )?"([^"]+)";\n', re.MULTILINE)
_EXPORT = re.compile(r"^export (?=(?:const|async function|function) (\w+))", re.MULTILINE)


def start(name: str, properties: Mapping[str, Any] | None = None) -> str:
    """Return the script that starts a module where Gradio draws its component.

    `name` is a file below `components` that exports `mount`, such as "evidence/viewer". The module
    finds `properties` in its `props`, beside the value. Until it has started, the component has the
    attribute `data-starting`.
    """
    assigned = f"Object.assign(props, {json.dumps(properties)}); " if properties else ""
    return (
        f'{assigned}element.dataset.starting = "";'
        f' import(new URL("{ADDRESS}/{name}.js", document.baseURI)).then(({{ mount }}) => {{'
        " mount({ element, props, server, trigger, watch }); delete element.dataset.starting; });"
    )


@cache
def join_modules(entry: Path) -> str:
    """Return a module and all that it imports as one script, for a page without a server.

    Each module is a function of its own, whose exports the later ones read.
    """
    joined: dict[Path, str] = {}
    _join(entry.resolve(), joined)
    return "(() => {\n" + "".join(joined.values()) + "})();\n"


def _join(path: Path, joined: dict[Path, str]) -> str:
    """Join what a module imports, then the module; return the name of its exports."""
    if path in joined:
        return f"module{list(joined).index(path)}"
    source = path.read_text("utf-8")
    imported = [spec for _, spec in _IMPORT.findall(source)]
    names = {spec: _join((path.parent / spec).resolve(), joined) for spec in imported}

    def read_exports(found: re.Match[str]) -> str:
        exports = found[1].replace(" as ", ": ") if found[1] else "{}"
        return f"const {exports} = {names[found[2]]};\n"

    body = _EXPORT.sub("", _IMPORT.sub(read_exports, source))
    name, exported = f"module{len(joined)}", ", ".join(_EXPORT.findall(source))
    joined[path] = f"const {name} = (() => {{\n{body}return {{ {exported} }};\n}})();\n"
    return name


def policy_hash(script: str) -> str:
    """Return the source by which a Content-Security-Policy lets a script of the page run."""
    return f"'sha256-{base64.b64encode(sha256(script.encode()).digest()).decode()}'"
