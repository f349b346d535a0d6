"""Injects faults into sweeps and compares with one that nobody disturbed: ``make torture``.

Exit code 1 where a bar is missed.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from bench.torture import stores, sweeps
from bench.torture.rows import SEED, TortureRow, TortureSetup
from hallascope.cli.output.printing import TextColumn, table
from tests.support.billing_server import AT_ONCE

KILLS = 100
CALLS = 12  # of the service between two kills, at most
IMAGES_A_KILL = 3  # of the sweep, so that it does not end before the last kill
SHARE = 0.3  # of the calls fail
IMAGES = 40  # of the sweeps of all other checks
LOST = 2 * AT_ONCE - 1  # calls that a kill can cost: in flight, or answered and not yet kept


COLUMNS = (
    TextColumn("what", lambda row: row.what),
    TextColumn("measured", lambda row: row.measured),
    TextColumn("bar", lambda row: row.bar),
    TextColumn("holds", lambda row: "yes" if row.holds else "NO"),
)


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m bench.torture", description=__doc__)
    parser.add_argument("--kills", type=int, default=KILLS, help="how often a sweep is killed")
    parser.add_argument(
        "--images", type=int, default=IMAGES, help="of the sweeps of all other checks"
    )
    parser.add_argument("--only", choices=tuple(CHECKS), help="run one check")
    options = parser.parse_args(arguments)
    rows: list[TortureRow] = []
    for name, check in CHECKS.items():
        if options.only not in (None, name):
            continue
        with tempfile.TemporaryDirectory() as folder:
            rows.extend(check(TortureSetup(Path(folder), options.kills, options.images)))
    print(table(COLUMNS, rows))
    sys.exit(0 if all(row.holds for row in rows) else 1)


def check_kills(setup: TortureSetup) -> Iterator[TortureRow]:
    """Kill one sweep again and again at random moments until it ends."""
    chance = random.Random(SEED)
    images = IMAGES_A_KILL * setup.kills
    killed, calm = setup.folder / "killed", setup.folder / "calm"
    with sweeps.serve() as service:
        kills = 0
        while True:
            child = sweeps.start_sweep(killed, service.address, images)
            if kills == setup.kills:
                sweeps.wait_for_end(child)
                break
            if not sweeps.kill_later(child, service, chance.randint(0, CALLS), chance):
                break
            kills += 1
        disturbed = service.stats()
    with sweeps.serve() as service:
        sweeps.wait_for_end(sweeps.start_sweep(calm, service.address, images))
        needed = service.stats()
    ours, theirs = sweeps.read_results(killed), sweeps.read_results(calm)
    what = f"kill -9 at {kills} of {setup.kills} random moments of a sweep over {images} images"
    sizes = ", ".join(
        f"{len(rows)} {name}"
        for rows, name in zip(ours, ("images", "evaluations", "verdicts"), strict=True)
    )
    is_same = ours == theirs
    yield TortureRow(
        what,
        f"{sizes}: {'equal' if is_same else 'OTHER'}",
        "equal to an undisturbed run",
        is_same and kills == setup.kills,
    )
    most = kills * LOST
    extra = disturbed.calls - needed.calls
    yield TortureRow(
        "calls beyond those of the undisturbed run",
        f"{extra} beside {needed.calls}",
        f"<= {most}, those in flight at a kill",
        extra <= most and disturbed.questions == needed.questions,
    )
    account = sweeps.read_account(killed)
    yield TortureRow(
        "the account beside the service's bill, lost calls among it",
        f"{account:.3f} USD, {disturbed.billed:.3f} USD",
        "not less than the bill",
        account >= disturbed.billed - 1e-9,
    )


def check_faults(setup: TortureSetup) -> Iterator[TortureRow]:
    """Let a share of the calls fail in every way, and hold the verdicts beside right ones."""
    faulty, calm = setup.folder / "faulty", setup.folder / "calm"
    for place, share in ((calm, 0.0), (faulty, SHARE)):
        with sweeps.serve(share, SEED) as service:
            sweeps.wait_for_end(sweeps.start_sweep(place, service.address, setup.images))
            stats = service.stats()
    verdicts, right = sweeps.verdicts(faulty), sweeps.verdicts(calm)
    same = sum(verdicts.get(key) == verdict for key, verdict in right.items())
    left_out = sum(verdicts.get(key, (None,))[0] is None for key in right)
    failed = stats.calls - stats.ends.get("right", 0)
    yield TortureRow(
        f"a service whose calls fail in {len(stats.ends) - 1} ways",
        f"{failed} of {stats.calls} calls failed; of {len(right)} verdicts {same} are the same,"
        f" {left_out} left out, {len(right) - same - left_out} wrong",
        "0 wrong",
        same + left_out == len(right),
    )
    account = sweeps.read_account(faulty)
    yield TortureRow(
        "the account beside the service's bill",
        f"{account:.3f} USD, {stats.billed:.3f} USD for every call that came",
        "none: who bills failures, and how, differs",
        True,
    )


CHECKS: dict[str, Callable[[TortureSetup], Iterator[TortureRow]]] = {
    "kills": check_kills,
    "faults": check_faults,
    "processes": stores.check_two_processes,
    "full-disk": stores.check_full_disk,
    "read-only": stores.check_read_only,
    "clock": stores.check_clock,
    "replies": stores.check_cached_replies,
    "images": stores.check_images,
}


if __name__ == "__main__":
    main()
