"""Builds the documentation as a site that works without a network.

``python -m bench.docs_site`` (``make docs``) copies the pages for people, and every file that they
link to, into ``build/pages`` under the same paths, so that a link is the same on the site, on
GitHub and on the disk. MkDocs then builds ``build/site`` in strict mode: a link or an anchor that
leads nowhere, or a page that is missing in the navigation, fails. So does a page that loads a
script, a style, a font or an image from elsewhere. Exit code 1 where something fails.
"""

import re
import shutil
import sys
from collections.abc import Sequence
from pathlib import Path
from urllib.parse import unquote

from bench.measuring import launch
from bench.release.steps import ROOT, ReleaseError, run

PAGES, SITE = ROOT / "build" / "pages", ROOT / "build" / "site"
FIRST = ("README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md")
CODE = re.compile(r"^(```|~~~).*?^\1|`[^`\n]+`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)(?:\s+\"[^\"]*\")?\)")
ITEM = re.compile(r"(?:[-*]|\d+\.) ")
IN_LIST = re.compile(r"(?:[-*]|\d+\.) |  ")
LOADED = re.compile(
    r"<(?:script|img|iframe|source)\b[^>]*\bsrc=[\"']?(?:https?:)?//[^>]*>"
    r"|<link\b[^>]*\brel=[\"']?(?:stylesheet|preconnect|preload)[^>]*\bhref=[\"']?(?:https?:)?//[^>]*>"
)


def links(file: Path) -> list[str]:
    """Return where the links and images of a Markdown file lead, but for those in code."""
    return LINK.findall(CODE.sub("", file.read_text(encoding="utf-8")))


def linked_files(pages: Sequence[Path]) -> set[Path]:
    """Return these pages, and all files inside the repository that they or pages they link to need.

    A link that leads nowhere is left for MkDocs to report.
    """
    found: set[Path] = set()
    waiting = list(pages)
    while waiting:
        file = waiting.pop()
        if file in found:
            continue
        found.add(file)
        if file.suffix == ".md":
            targets = (
                (file.parent / unquote(link).partition("#")[0]).resolve()
                for link in links(file)
                if not re.match(r"[a-z]+:|#", link)
            )
            waiting += [one for one in targets if one.is_file() and one.is_relative_to(ROOT)]
    return found


def copy_pages(target: Path) -> None:
    """Copy the pages and what they need into an empty folder, under their paths."""
    shutil.rmtree(target, ignore_errors=True)
    pages = [ROOT / name for name in FIRST] + sorted((ROOT / "docs").glob("*.md"))
    for file in linked_files(pages):
        copied = target / file.relative_to(ROOT)
        copied.parent.mkdir(parents=True, exist_ok=True)
        if file.suffix == ".md":
            text = separate_lists(file.read_text(encoding="utf-8"))
            copied.write_text(text, encoding="utf-8")
        else:
            shutil.copyfile(file, copied)


def separate_lists(text: str) -> str:
    """Return Markdown with an empty line before every list.

    GitHub shows a list that follows a line of text at once; MkDocs takes it for more of that text.
    """
    written: list[str] = []
    in_code = False
    for line in text.split("\n"):
        if line.startswith(("```", "~~~")):
            in_code = not in_code
        before = written[-1] if written else ""
        if not in_code and ITEM.match(line) and before.strip() and not IN_LIST.match(before):
            written.append("")
        written.append(line)
    return "\n".join(written)


def loaded_from_elsewhere(site: Path) -> list[str]:
    """Return what the pages of a site load from another host, each with its page."""
    return [
        f"{page.relative_to(site)}: {tag}"
        for page in sorted(site.rglob("*.html"))
        for tag in LOADED.findall(page.read_text(encoding="utf-8"))
    ]


def main() -> None:
    copy_pages(PAGES)
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--config-file"]
    run([*command, ROOT / "mkdocs.yml"], NO_MKDOCS_2_WARNING="1")
    if elsewhere := loaded_from_elsewhere(SITE):
        raise ReleaseError("\n".join(["Loaded from elsewhere:", *elsewhere]))
    print(f"Open {SITE / 'index.html'}. Search needs a server: python -m http.server -d {SITE}")


if __name__ == "__main__":
    launch(main)
