"""The questions of the release checklist; each check returns "" where all is well, else what to do.

``python -m bench.release`` asks them in this order.
"""

import inspect
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Callable, Sequence
from importlib import import_module
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

import yaml

from bench.release import audit
from bench.release.changelog import UNRELEASED, changelog_faults, read_changelog
from bench.release.licenses import THIRD_PARTY, find_faults, read_policy, write_texts
from bench.release.lock import LockError, differing_locks
from bench.release.sbom import ROOT, shipped_packages, write_sbom
from hallascope.engine.export.secret_scan import Secrets
from hallascope.pages import PAGES

PUBLIC_API = Path(__file__).with_name("public_api.txt")
# Tests, and the patterns of the scan itself, hold texts that look like keys and are none.
INVENTED_KEYS = ("tests/", "engine/export/secret_scan.py")
EXAMPLE_PASSWORD = re.compile(r"://user:password@", re.IGNORECASE)  # addresses in the docs


class ReleaseCheck(NamedTuple):
    """Holds a check: its name, the question that it answers, and what answers it."""

    name: str
    question: str
    find_fault: Callable[[], str]


def git(*arguments: str) -> str:
    """Return what git prints in the repository."""
    done = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, text=True, check=True)
    return done.stdout.strip()


def project_version() -> str:
    """Return the version that pyproject.toml names."""
    text = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
    return str(tomllib.loads(text)["project"]["version"])


def tree_fault() -> str:
    """Look for changes that are not committed."""
    changed = git("status", "--porcelain")
    return f"Commit or remove: {changed.splitlines()[0].strip()} ..." if changed else ""


def version_fault() -> str:
    """Compare the version in all files that name it, and of what is installed."""
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text(encoding="utf-8"))
    citing = (ROOT / "docs" / "citing.md").read_text(encoding="utf-8")
    stated = {
        "CITATION.cff": str(citation["version"]),
        "docs/citing.md": "".join(re.findall(r"^ *version = \{(.+)\}", citing, re.MULTILINE)[:1]),
        "the installed package (make env)": version("hallascope"),
    }
    wanted = project_version()
    differing = [f"{place} says {found}" for place, found in stated.items() if found != wanted]
    return f"pyproject.toml says {wanted}, {', '.join(differing)}." if differing else ""


def changelog_fault() -> str:
    """Hold the changelog to its form, and look for the section of this version."""
    text = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8")
    if faults := changelog_faults(text):
        return faults[0]
    releases = {release.version: release for release in read_changelog(text)}
    if project_version() not in releases:
        return f"Name a section [{project_version()}] - YYYY-MM-DD in CHANGELOG.md."
    if releases[UNRELEASED].kinds:
        return f"Move what stands under [{UNRELEASED}] to the section of the version."
    return ""


def lock_fault() -> str:
    """Resolve both locks twice, and compare."""
    try:
        return " ".join(differing_locks())
    except LockError as error:
        return f"Run it where packages can be resolved: {' '.join(str(error).split())[:200]}"


def audit_fault() -> str:
    """Look up known vulnerabilities of all installed packages."""
    lines, code = audit.told(audit.run(), required=True)
    return lines[0] if code else ""


def licenses_fault() -> str:
    """Hold licenses to the list of those allowed, and write the SBOM."""
    policy = read_policy()
    try:
        packages = shipped_packages()
        if faults := find_faults(packages, policy):
            return faults[0]
        write_sbom(packages, policy)
    except ValueError as error:
        return str(error)
    with tempfile.TemporaryDirectory() as folder:
        fresh = Path(folder) / THIRD_PARTY
        write_texts(fresh, (), policy)
        if fresh.read_text("utf-8") != (ROOT / THIRD_PARTY).read_text("utf-8"):
            return f"{THIRD_PARTY} is old: run `make sbom`, and commit it."
    return ""


def command_fault(*command: str) -> str:
    """Run a command of the repository; return the last line that it printed where it failed."""
    around = os.environ | {"PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        command, cwd=ROOT, env=around, capture_output=True, text=True, check=False
    )
    lines = (done.stdout + done.stderr).strip().splitlines()
    if not done.returncode:
        return ""
    last = next(reversed(lines), "it printed nothing")
    return f"Run `{' '.join(command).replace(sys.executable, 'python')}`: {last[:200]}"


def module_fault(*words: str) -> str:
    """Run a module of the repository as a command."""
    return command_fault(sys.executable, "-m", *words)


def screenshots_fault() -> str:
    """Compare the last commit of each tab's picture with that of the tab's own files."""
    stale = []
    for name, module in PAGES.items():
        shown = module.removeprefix("hallascope.").rpartition(".page")[0] or module
        paths = [part for part in (shown.replace(".", "/"),) if (ROOT / part).is_dir()]
        paths = paths or [module.removeprefix("hallascope.").replace(".", "/") + ".py"]
        changed = git("log", "-1", "--format=%ct", "--", *paths)
        taken = git("log", "-1", "--format=%ct", "--", f"docs/tour/{name}.webp")
        if changed and taken and int(taken) < int(changed):
            stale.append(name)
    if not stale:
        return ""
    return f"These tabs changed after their picture, so run `make screenshots`: {', '.join(stale)}."


def public_names() -> list[str]:
    """Return each public name of the library with the parameters it takes, one a line."""
    package = import_module("hallascope")
    lines = []
    for name in package.__all__:
        parameters = ", ".join(inspect.signature(getattr(package, name)).parameters)
        lines.append(f"{name}({parameters})")
    return sorted(lines)


def api_fault(known: Sequence[str] = ()) -> str:
    """Compare the library with the names of the last release; what is gone must be noted.

    `known`: lines like those of `public_names`; without them those of ``public_api.txt``.
    """
    before = known or PUBLIC_API.read_text(encoding="utf-8").split("\n")
    gone = {line for line in before if line} - set(public_names())
    notes = (ROOT / "CHANGELOG.md").read_text(encoding="utf-8").partition("\n## [0.1.0]")[0]
    names = sorted(line.partition("(")[0] for line in gone)
    silent = [name for name in names if f"`{name}`" not in notes]
    if silent:
        return f"Note in CHANGELOG.md what changed of {', '.join(silent)}."
    return ""


def secrets_fault(root: Path = ROOT, names: Sequence[str] = ()) -> str:
    """Search files for what looks like a key; without `names` all of the commit."""
    secrets = Secrets()
    for name in names or git("ls-files").splitlines():
        file = root / name
        if name.startswith(INVENTED_KEYS) or not file.is_file():
            continue
        try:
            text = file.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        if kinds := secrets.find(EXAMPLE_PASSWORD.sub("://", text)):
            return f"{name} holds what looks like a key ({kinds}): remove it, and revoke the key."
    return ""


MIGRATIONS = ("pytest", "-q", "-p", "no:cacheprovider", "tests/engine/storage/test_migrations.py")
CHECKS = (
    ReleaseCheck("tree", "Is everything committed?", tree_fault),
    ReleaseCheck("version", "Is the version the same everywhere?", version_fault),
    ReleaseCheck("changelog", "Does the changelog have this version?", changelog_fault),
    ReleaseCheck("lock", "Are the locks in step, twice the same?", lock_fault),
    ReleaseCheck("audit", "Is no package known to be vulnerable?", audit_fault),
    ReleaseCheck("licenses", "Are all licenses known and allowed?", licenses_fault),
    ReleaseCheck("secrets", "Is there no key in the repository?", secrets_fault),
    ReleaseCheck("api", "Are changes of the library noted?", api_fault),
    ReleaseCheck("screenshots", "Are the pictures of the tour current?", screenshots_fault),
    ReleaseCheck("docs", "Does the documentation build?", lambda: module_fault("bench.docs_site")),
    ReleaseCheck("migration", "Do older stores migrate?", lambda: module_fault(*MIGRATIONS)),
    ReleaseCheck("tests", "Do all tests pass?", lambda: command_fault("make", "test-all")),
    ReleaseCheck(
        "wheel",
        "Is the wheel reproducible, and does it run?",
        lambda: module_fault("bench.release.wheel"),
    ),
    ReleaseCheck(
        "image",
        "Does the image build and run?",
        lambda: module_fault("bench.release.image", "--reuse-wheel"),
    ),
    ReleaseCheck("space", "Does the Space start?", lambda: module_fault("bench.release.space")),
)
