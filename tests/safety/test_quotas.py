"""How much of what visitors upload a public app takes and keeps: an estimate keeps nothing, a quota
refuses with one sentence.
"""

import io
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from hallascope.engine.deployment.rate_limit import (
    MEGABYTE,
    MIN_UPLOAD,
    OverLimit,
    StorageQuota,
    UploadLimits,
    UploadQuota,
    storage_limits,
    upload_limits,
)
from hallascope.engine.errors import BadRequest
from hallascope.engine.events import EvaluateRequest, Finished
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.metrics.statistics.agreement import Study
from hallascope.pages.agreement import state
from hallascope.pages.explore.run import ExploreSettings, estimate_html
from tests.conftest import dashboard
from tests.support.space_checks import PATIENCE

PROMPT = "a molecule of methane"


class Clock:
    now = 0.0

    def __call__(self) -> float:
        return self.now


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
            ExploreSettings(prompt=PROMPT, judge=["primer/judge"], upload=str(brought)),
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
    with pytest.raises(BadRequest, match="is no image that can be read"):
        services.estimate(
            EvaluateRequest(prompt=PROMPT, images=(tmp_path / "bad.png",), judge="primer/judge")
        )


# --- what is kept
# --------------------------------------------------------------------------------------------------


def test_what_is_kept_of_visitors_pictures_ends_at_the_quota_with_one_sentence(
    services: Any, tmp_path: Path
) -> None:
    services.storage_quota = StorageQuota(
        UploadLimits(MIN_UPLOAD, 2 * MIN_UPLOAD), services.store.uploaded_bytes
    )
    mine, other, third = (SpendingPolicy(visitor=name) for name in ("mine", "other", "third"))
    first, second = picture(tmp_path, 1), picture(tmp_path, 2)
    services.import_picture(first, mine)
    services.import_picture(first, mine)  # it is there: nothing more is kept
    before = files(services.store.folder)
    with pytest.raises(
        OverLimit,
        match=r"may have .* MB of images kept in a day, and this would be more: [^.]*\.$",
    ):
        services.import_picture(second, mine)
    assert files(services.store.folder) == before
    services.import_picture(second, other)
    services.import_picture(picture(tmp_path, 3), third)
    services.storage_quota = StorageQuota(UploadLimits(None, 3 * 12_000), lambda: 3 * 12_000)
    with pytest.raises(
        OverLimit,
        match=r"keeps at most .* of images that visitors bring, and they are used up: [^.]*\.$",
    ):
        services.import_picture(picture(tmp_path, 4), third)


def test_pictures_that_were_kept_before_the_app_started_count(
    services: Any, tmp_path: Path
) -> None:
    assert services.store.uploaded_bytes() == 0
    list(
        services.evaluate(
            EvaluateRequest(prompt=PROMPT, images=(picture(tmp_path, 1),), judge="primer/judge")
        )
    )
    (kept,) = (services.store.folder / "images").rglob("*.png")
    assert services.store.uploaded_bytes() == kept.stat().st_size


# --- what is uploaded
# --------------------------------------------------------------------------------------------------


def test_a_visitor_uploads_so_much_a_day_and_all_together_so_much() -> None:
    clock = Clock()
    quota = UploadQuota(UploadLimits(3 * MEGABYTE, 5 * MEGABYTE), clock)
    quota.take("mine", 2 * MEGABYTE)
    with pytest.raises(OverLimit, match=r"may upload 3 MB a day, and this would be more"):
        quota.take("mine", 2 * MEGABYTE)
    clock.now = 1000
    quota.take("other", 3 * MEGABYTE)
    with pytest.raises(OverLimit, match=r"All visitors together may upload 5 MB a day"):
        quota.take("third", MEGABYTE)
    clock.now = 86_400
    quota.take("mine", 2 * MEGABYTE)


def test_an_empty_file_counts_for_the_room_that_it_takes() -> None:
    quota = UploadQuota(UploadLimits(10 * MIN_UPLOAD))
    for _ in range(10):
        quota.take("mine", 0)
    with pytest.raises(OverLimit):
        quota.take("mine", 0)


def test_the_environment_sets_the_quotas(monkeypatch: pytest.MonkeyPatch) -> None:
    assert (upload_limits().visitor, upload_limits().everybody) == (256 * MEGABYTE, 4096 * MEGABYTE)
    monkeypatch.setenv("HALLASCOPE_UPLOAD_MB_A_DAY", "7")
    monkeypatch.setenv("HALLASCOPE_KEPT_MB_BY_ALL", "none")
    assert upload_limits().visitor == 7 * MEGABYTE
    assert storage_limits().everybody is None
    monkeypatch.setenv("HALLASCOPE_KEPT_MB_A_DAY", "much")
    with pytest.raises(BadRequest, match="HALLASCOPE_KEPT_MB_A_DAY is 'much'"):
        storage_limits()


def test_a_running_public_app_takes_uploads_up_to_the_quota(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    monkeypatch.setenv("HALLASCOPE_UPLOAD_MB_A_DAY", "1")
    monkeypatch.setenv("GRADIO_TEMP_DIR", str(tmp_path / "gradio"))
    stream = io.BytesIO()
    Image.frombytes("RGB", (400, 400), os.urandom(480_000)).save(stream, "PNG")
    with (
        dashboard(tmp_path / "home", 0.0) as address,
        httpx.Client(base_url=address, timeout=PATIENCE) as client,
    ):
        said = [
            client.post("/gradio_api/upload", files={"files": ("a.png", stream.getvalue())})
            for _ in range(3)
        ]
        assert [one.status_code for one in said] == [200, 200, 429]
        assert said[-1].json()["detail"].startswith("A visitor here may upload 1 MB a day")
        large = client.post(
            "/gradio_api/upload", files={"files": ("a.png", b"x" * (65 * MEGABYTE))}
        )
        assert large.status_code == 413

        def chunks() -> Any:
            yield stream.getvalue()

        unsized = client.post(
            "/gradio_api/upload",
            content=chunks(),
            headers={"content-type": "multipart/form-data; boundary=x"},
        )
        assert unsized.status_code == 411
    uploaded = [path for path in files(tmp_path / "gradio") if path.suffix == ".png"]
    assert sum(path.stat().st_size for path in uploaded) < MEGABYTE


# --- tables
# --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("limit", "what"),
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
    state.compare(services, given)
    assert len(computed) == 1
    monkeypatch.setenv("HALLASCOPE_PUBLIC", "1")
    with pytest.raises(
        BadRequest, match=rf"^The tables have 6 {what}, and this app compares at most 5: [^.]*\.$"
    ):
        state.compare(services, given)
    assert len(computed) == 1
