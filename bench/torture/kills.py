"""Kills sweeps and lets their judge fail, and compares with sweeps that nobody disturbed."""

from __future__ import annotations

import random
from collections.abc import Iterator

from bench.support.billed_services import AT_ONCE
from bench.torture import embedded, sweeps
from bench.torture.rows import SEED, TortureRow, TortureSetup

CALLS = 12  # of the service between two kills, at most
IMAGES_A_KILL = 3  # of the sweep, so that it does not end before the last kill
SHARE = 0.3  # of the calls fail
LOST = 2 * AT_ONCE - 1  # calls that a kill can cost: in flight, or answered and not yet kept


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
    is_same = ours == theirs
    yield TortureRow(
        f"kill -9 at {kills} of {setup.kills} random moments of a sweep over {images} images",
        f"{sweeps.count_results(ours)}: {'equal' if is_same else 'OTHER'}",
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
        f"{account.certain:.3f} USD certain, up to {account.unconfirmed:.3f} USD more;"
        f" bill {disturbed.billed:.3f} USD",
        "certain <= bill <= certain + more",
        account.fits(disturbed.billed),
    )


def check_embedded_kills(setup: TortureSetup) -> Iterator[TortureRow]:
    """Kill a sweep on the models that ship again and again at random moments until it ends."""
    chance = random.Random(SEED)
    images = IMAGES_A_KILL * setup.embedded_kills
    killed, calm = setup.folder / "killed", setup.folder / "calm"
    kills = 0
    while kills < setup.embedded_kills:
        child = embedded.start_sweep(killed, images)
        if not embedded.kill_later(child, killed, chance):
            break
        kills += 1
    for place in (killed, calm):
        sweeps.wait_for_end(embedded.start_sweep(place, images))
    ours, theirs = sweeps.read_results(killed), sweeps.read_results(calm)
    is_same = ours == theirs
    yield TortureRow(
        f"kill -9 at {kills} of {setup.embedded_kills} random moments of a sweep on the embedded"
        f" models over {images} images",
        f"{sweeps.count_results(ours)}: {'equal' if is_same else 'OTHER'}",
        "equal to an undisturbed run",
        is_same and kills == setup.embedded_kills,
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
        f"{account.certain:.3f} USD certain, up to {account.unconfirmed:.3f} USD more;"
        f" {stats.billed:.3f} USD for every call that came",
        "none: who bills failures, and how, differs",
        True,
    )
