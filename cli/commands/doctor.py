"""Checks what this machine can run, and says what to do about the rest; it loads no model."""

import os
import platform
from dataclasses import asdict, dataclass
from importlib.util import find_spec

from hallascope.backends import memory
from hallascope.backends.base import HallaScopeError
from hallascope.backends.registry import has_gpu
from hallascope.cli.options import JsonOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE, FAILURES
from hallascope.data.models.specs import GB
from hallascope.engine.models.downloads import ModelDownloader, free_bytes
from hallascope.engine.services import Services, create_services
from hallascope.engine.storage.store import Store

PACKAGES = ("gradio", "torch", "transformers", "diffusers", "openai")
LEAST_FREE = 1  # GB
REQUIRED = {"store", "primer/exact", "primer/judge"}  # without these nothing can be evaluated


@dataclass(frozen=True)
class InstallationCheck:
    """Holds what was checked, whether it is all right, and what was observed, with the remedy."""

    check: str
    ok: bool
    details: str


def doctor(*, as_json: JsonOption = False) -> int:
    """Check what this machine can run, and say what to do about the rest."""
    checks = examine(create_services())
    rows = list(map(asdict, checks))
    printing.print_result(as_json, rows, printing.table(rows))
    return DONE if {each.check for each in checks if each.ok} >= REQUIRED else FAILURES


def examine(services: Services) -> list[InstallationCheck]:
    """Check Python, memory, packages, the store, downloads and every model."""
    downloads = services.downloads.hub.cache
    return [
        InstallationCheck(
            "python",
            True,
            f"{platform.python_version()} on {platform.machine()} with {os.cpu_count()} cores",
        ),
        InstallationCheck(
            "memory",
            True,
            f"{memory.host_total() / GB:.0f} GB, {memory.host_free() / GB:.0f} of it free",
        ),
        InstallationCheck(
            "gpu",
            has_gpu(),
            "a GPU is there" if has_gpu() else "none; the embedded models need none, large ones do",
        ),
        *(
            InstallationCheck(name, True, "installed")
            if find_spec(name)
            else InstallationCheck(name, False, f"not installed; run `pip install {name}`")
            for name in PACKAGES
        ),
        _store(services.store),
        _check_disk(
            "fetched models", f"in {downloads}", free_bytes(downloads) / GB, "HF_HUB_CACHE"
        ),
        *(_pack(services.downloads, pack) for pack in services.downloads.packs),
        *(
            InstallationCheck(m.spec.id, m.reason is None, m.reason or "can run")
            for m in services.registry.models()
        ),
    ]


def _pack(downloader: ModelDownloader, pack: str) -> InstallationCheck:
    """Say how much of a pack is on this machine, and the command for the rest."""
    try:
        quote = downloader.outline([pack])
    except HallaScopeError as error:
        return InstallationCheck(f"pack {pack}", False, str(error))
    downloaded = sum(offer.downloaded for offer in quote.offers)
    rest = (
        f"; run `hallascope models get {pack}` ({quote.bytes_left / GB:.1f} GB)"
        if downloaded < len(quote.offers)
        else ""
    )
    return InstallationCheck(
        f"pack {pack}", not rest, f"{downloaded} of {len(quote.offers)} models are there{rest}"
    )


def _store(store: Store) -> InstallationCheck:
    where = f"{store.display_address}, images in {store.folder}"
    return _check_disk("store", where, free_bytes(store.folder) / GB, "HALLASCOPE_HOME")


def _check_disk(name: str, where: str, free: float, variable: str) -> InstallationCheck:
    """Check the free space of a disk, in GB; `variable` names another folder in its place."""
    ok = free >= LEAST_FREE
    remedy = "" if ok else f"; make room there, or set {variable} to another disk"
    return InstallationCheck(name, ok, f"{where}, {free:,.0f} GB free{remedy}")
