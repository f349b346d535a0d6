"""How much of what visitors upload a public app takes and keeps: an estimate keeps nothing, a quota
refuses with one sentence.
"""

import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from hallascope.engine.access.limits import (
    MEGABYTE,
    STORED,
    OverLimit,
    Quota,
    Quotas,
)
from hallascope.engine.access.visitors import Visitor
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, Finished
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.metrics.statistics.agreement import Study
from hallascope.pages.agreement import state
from hallascope.pages.evaluate.run import EvaluateSettings, estimate_html
from tests.support.agreement_pages import compare_with_people

PROMPT = "a molecule of methane"


def picture(folder: Path, number: int) -> Path:
    path = folder / f"{number}.png"
    noise = random.Random(number).randbytes(64 * 64 * 3)
    Image.frombytes("RGB", (64, 64), noise).save(path)
    return path


def files(folder: Path) -> set[Path]:
    return {path for path in folder.rglob("*") if path.is_file()}


# --- estimates
# --------------------------------------------------------------------------------------------------


def test_estimates_of_many_pictures_leave_no_file_behind(services: Any, tmp_path: Path) -> None:
    services.estimate(
        EvaluateRequest(prompt=PROMPT, images=(picture(tmp_path, 0),), judge="primer/judge")
    )
    before = files(services.store.folder)
    for number in range(1, 12):
        brought = picture(tmp_path, number)
        services.estimate(EvaluateRequest(prompt=PROMPT, images=(brought,), judge="primer/judge"))
        estimate_html(
            services,
            EvaluateSettings(prompt=PROMPT, judge="primer/judge", upload=str(brought)),
            SpendingPolicy(),
        )
    assert files(services.store.folder) == before
    assert not list((services.store.folder / "images").rglob("*.png"))


def test_an_estimate_counts_what_is_stored_of_the_same_picture(tmp_path: Path) -> None:
    from tests.support import paid_models

    services = paid_models.build(tmp_path / "home")
    asked = EvaluateRequest(prompt=PROMPT, images=(picture(tmp_path, 0),), judge="paid/judge")
    assert services.estimate(asked).lines
    assert isinstance(list(services.evaluate(asked))[-1], Finished)
    assert not services.estimate(asked).lines
    services.store.close()


def test_a_picture_that_cannot_be_read_is_said_before_the_estimate(
    services: Any, tmp_path: Path
) -> None:
    (tmp_path / "bad.png").write_bytes(b"no image")
    with pytest.raises(BadRequest, match="is not an image that can be read"):
        services.estimate(
            EvaluateRequest(prompt=PROMPT, images=(tmp_path / "bad.png",), judge="primer/judge")
        )


# --- what is kept
# --------------------------------------------------------------------------------------------------


def test_what_a_visitor_brings_is_kept_up_to_the_quota(
    services: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    database = services.store.database
    database.quotas = quotas = Quotas()
    ann, bo = (services.acting_for(Visitor(name, name)) for name in ("ann", "bo"))
    first, second = picture(tmp_path, 1), picture(tmp_path, 2)
    room = ann.inspect(first).path.stat().st_size + 2_000
    quotas.stored = Quota([STORED[0].with_most(1)])
    quotas.stored.add("ann", MEGABYTE - room)
    ann.import_picture(first)
    ann.import_picture(first)  # it is there: nothing more is kept
    before = files(services.store.folder)
    with pytest.raises(OverLimit, match=r"has 1 MB of storage a day, and this would be more: wait"):
        ann.import_picture(second)
    assert files(services.store.folder) == before
    ann.store.keep_image(ann.import_picture(first).path.read_bytes())
    quotas.stored.require_room("ann", 1_000)
    bo.import_picture(second)
    quotas.stored = Quota([STORED[1].with_most(1)], before=lambda: MEGABYTE)
    with pytest.raises(OverLimit, match="All visitors together have 1 MB of storage in all"):
        bo.import_picture(picture(tmp_path, 3))
    services.import_picture(picture(tmp_path, 4))  # the operator is not counted


def test_all_that_a_run_of_a_visitor_stores_is_counted(services: Any) -> None:
    services.quotas = services.store.database.quotas = quotas = Quotas()
    quotas.stored = Quota([STORED[0].with_most(256)])
    request = EvaluateRequest(prompt=PROMPT, models=("primer/exact",), judge="primer/judge")
    before = services.store.stored_bytes()
    list(services.evaluate(request, terms=SpendingPolicy(visitor=Visitor("ann", "home"))))
    (window,) = quotas.stored._windows.values()
    written = services.store.stored_bytes() - before
    assert window.total > 10_000
    assert written < 4 * window.total + 300_000  # a database grows by whole pages


# --- tables
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "limit, what",
    [("MAX_ROWS", "rows of scores"), ("MAX_ITEMS", "items"), ("MAX_METRICS", "metrics")],
)
def test_a_public_app_refuses_large_tables_before_it_computes_and_ones_own_machine_does_not(
    services: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: str, what: str
) -> None:
    monkeypatch.setattr(state, limit, 5)
    computed: list[Any] = []

    def draw(study: Study) -> Iterator[Any]:
        computed.append(study)
        return iter(())

    monkeypatch.setattr(Study, "draw", draw)
    scores, ratings = tmp_path / "scores.csv", tmp_path / "ratings.csv"
    scores.write_text(
        "item,metric,value\n" + "".join(f"{number},m{number},0.{number}\n" for number in range(6))
    )
    ratings.write_text("item,value\n" + "".join(f"{number},{number}\n" for number in range(6)))
    given = state.ComparisonInput("tables", str(scores), str(ratings))
    compare_with_people(services, given)
    assert len(computed) == 1
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    with pytest.raises(
        BadRequest, match=rf"^The tables have 6 {what}, and this app compares at most 5: [^.]*\.$"
    ):
        compare_with_people(services, given)
    assert len(computed) == 1
