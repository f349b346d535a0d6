"""Checks what happens to a sweep whose store, disk or clock is disturbed."""

from __future__ import annotations

import os
import random
import resource
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from bench.torture import sweeps
from bench.torture.rows import SEED, TortureRow, TortureSetup
from bench.torture.sweeps import REFUSED, Service
from hallascope.engine.services import Services

DATABASE = "hallascope.db"
SLACK = 64 * 2**10  # bytes by which a file may still grow on the full disk
NOBODY = 65_534  # the user id without rights
DAY = 86_400.0
BROKEN_REPLIES = (
    "",
    "{",
    "null",
    "[]",
    "7",
    '"A"',
    '{"text": 5}',
    '{"kind": "x"}',
    "\ufffd" * 9_999,
)


def check_two_processes(setup: TortureSetup) -> Iterator[TortureRow]:
    """Let two processes run the same sweep on one store at once."""
    with sweeps.serve() as service:
        folder = make_store(setup.folder / "shared")
        children = [sweeps.start_sweep(folder, service.address, setup.images) for _ in range(2)]
        for child in children:
            sweeps.wait_for_end(child)
        stats = service.stats()
    is_same = _is_undisturbed(setup, folder)
    # prompts that look alike have images and questions alike, so that bodies of calls may repeat
    extra = stats.calls - setup.images * sweeps.QUESTIONS
    yield TortureRow(
        f"two processes with one sweep over {setup.images} images",
        f"{equal(is_same)}; {stats.calls} calls, {extra} beyond those that one needs",
        "equal, none beyond",
        is_same and extra == 0,
    )


def check_full_disk(setup: TortureSetup) -> Iterator[TortureRow]:
    """Let the database grow no further in the middle of a sweep, then let it again."""
    folder = make_store(setup.folder / "full")
    most = (folder / DATABASE).stat().st_size + SLACK

    def limit_files() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (most, most))

    said = setup.folder / "full.txt"
    with sweeps.serve() as service:
        child = sweeps.start_sweep(
            folder, service.address, setup.images, prepare=limit_files, said=said
        )
        sweeps.wait_for_end(child, REFUSED)
        sweeps.wait_for_end(sweeps.start_sweep(folder, service.address, setup.images))
    sentence = said.read_text(encoding="utf-8")
    is_same = _is_undisturbed(setup, folder)
    yield TortureRow(
        "a disk that is full, and is enlarged later",
        f"“{without_paths(sentence, setup)}”, then {equal(is_same)}",
        "one sentence, then equal",
        bool(sentence) and is_same,
    )


def check_read_only(setup: TortureSetup) -> Iterator[TortureRow]:
    """Run a sweep in a folder that may not be written, as a user without rights."""
    folder = make_store(setup.folder / "read-only")
    said = setup.folder / "read-only.txt"

    def drop_rights() -> None:
        for path in (folder, *folder.rglob("*")):
            path.chmod(0o555 if path.is_dir() else 0o444)
        if os.getuid() == 0:
            setup.folder.chmod(0o755)
            os.setgid(NOBODY)
            os.setuid(NOBODY)

    with sweeps.serve() as service:
        child = sweeps.start_sweep(
            folder, service.address, setup.images, prepare=drop_rights, said=said
        )
        sweeps.wait_for_end(child, REFUSED)
    for path in (folder, *folder.rglob("*")):
        path.chmod(0o755)  # or the folder cannot be removed
    sentence = said.read_text(encoding="utf-8")
    yield TortureRow(
        "a home that may not be written",
        f"“{without_paths(sentence, setup)}”",
        "one sentence",
        bool(sentence) and "Traceback" not in sentence,
    )


def check_clock(setup: TortureSetup) -> Iterator[TortureRow]:
    """Let the clock of the account and of the claims jump by up to a day, forth and back."""
    chance = random.Random(SEED)
    now = [1.0e9]

    def jump() -> float:
        now[0] += chance.uniform(-DAY, DAY) if chance.random() < 0.2 else 0.01
        return now[0]

    def disturb(services: Services) -> None:
        services.store.ledger._clock = jump
        services.store.claims._clock = jump

    folder = make_store(setup.folder / "clock")
    with sweeps.serve() as service:
        child = sweeps.start_sweep(folder, service.address, setup.images, disturb)
        sweeps.wait_for_end(child)
        stats = service.stats()
    is_same = _is_undisturbed(setup, folder)
    account = sweeps.read_account(folder)
    yield TortureRow(
        "a clock that jumps by up to a day",
        f"{equal(is_same)}; {stats.calls} calls; account {account.certain:.3f} USD and up to"
        f" {account.unconfirmed:.3f} more, bill {stats.billed:.3f} USD",
        "equal; certain <= bill <= certain + more",
        is_same and account.fits(stats.billed),
    )


def check_cached_replies(setup: TortureSetup) -> Iterator[TortureRow]:
    """Damage every stored reply of a sweep that was killed, and go on with it."""
    folder = make_store(setup.folder / "replies")
    with sweeps.serve() as service:
        _kill_half_way(folder, service, setup)
        keys = sweeps.read_column(folder, "select key from cached_reply order by key")
        damaged: list[dict[str, Any]] = [
            {"key": key, "reply": BROKEN_REPLIES[i % len(BROKEN_REPLIES)]}
            for i, key in enumerate(keys)
        ]
        sweeps.change_rows(
            folder, "update cached_reply set reply = :reply where key = :key", damaged
        )
        sweeps.wait_for_end(sweeps.start_sweep(folder, service.address, setup.images))
    is_same = _is_undisturbed(setup, folder)
    yield TortureRow(
        f"{len(damaged)} stored replies damaged in {len(BROKEN_REPLIES)} ways",
        equal(is_same),
        "equal",
        is_same and bool(damaged),
    )


def check_images(setup: TortureSetup) -> Iterator[TortureRow]:
    """Damage every second stored image of a sweep that was killed, and go on with it."""
    folder = make_store(setup.folder / "images")
    with sweeps.serve() as service:
        _kill_half_way(folder, service, setup)
        files = sorted(folder.rglob("*.png"))[::2]
        for i, file in enumerate(files):
            data = file.read_bytes()
            file.write_bytes((b"", data[: len(data) // 2], b"no image")[i % 3])
        sweeps.wait_for_end(sweeps.start_sweep(folder, service.address, setup.images))
    right = sweeps.verdicts(_undisturbed(setup))
    found = sweeps.verdicts(folder)
    same = sum(found.get(key) == verdict for key, verdict in right.items())
    left_out = sum(found.get(key, (None,))[0] is None for key in right)
    yield TortureRow(
        f"{len(files)} stored images damaged in 3 ways",
        f"of {len(right)} verdicts {same} are the same, {left_out} left out,"
        f" {len(right) - same - left_out} wrong",
        "0 wrong",
        same + left_out == len(right) and bool(files),
    )


# --- what they share ------------------------------------------------------------------------------


def make_store(folder: Path) -> Path:
    """Make an empty store in a folder, and return the folder."""
    sweeps.open_store(folder)
    return folder


def _undisturbed(setup: TortureSetup) -> Path:
    """Return the store of a sweep that nobody disturbed; it is made once."""
    folder = setup.folder / "undisturbed"
    if not folder.exists():
        with sweeps.serve() as service:
            sweeps.wait_for_end(sweeps.start_sweep(folder, service.address, setup.images))
    return folder


def undisturbed_results(setup: TortureSetup) -> list[list[tuple[Any, ...]]]:
    """Return what a sweep leaves that nobody disturbed."""
    return sweeps.read_results(_undisturbed(setup))


def _is_undisturbed(setup: TortureSetup, folder: Path) -> bool:
    return sweeps.read_results(folder) == undisturbed_results(setup)


def _kill_half_way(folder: Path, service: Service, setup: TortureSetup) -> None:
    child = sweeps.start_sweep(folder, service.address, setup.images)
    half = setup.images * sweeps.QUESTIONS // 2
    if not sweeps.kill_later(child, service, half, random.Random(SEED)):
        raise RuntimeError("The sweep ended before it could be killed: ask for more images.")


def equal(is_same: bool) -> str:
    """Return in a word whether two sweeps left the same."""
    return "equal" if is_same else "OTHER"


def without_paths(sentence: str, setup: TortureSetup) -> str:
    """Return a sentence without the folder of the check."""
    return sentence.replace(f"{setup.folder}{os.sep}", "")
