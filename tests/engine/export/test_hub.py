"""Runs go to the Hub as a private data set: what is called, what is refused, and that no token is
ever said.
"""

from collections.abc import Sequence
from functools import partial
from io import BytesIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow.parquet as pq
import pytest

from hallascope.backends.base import Denied, Unavailable
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.export.hub import push
from hallascope.engine.export.tables import ALL_TABLES
from hallascope.engine.storage.store import Store
from tests.support.shared_runs import keep, keep_corrected

TOKEN = "hf_abcdefghijklmnopqrstuvwxyz"


class Hub:
    """Notes what it is called for, and what lies in the folder it is given."""

    def __init__(
        self, private: bool = True, fault: Exception | None = None, holds: Sequence[str] = ()
    ) -> None:
        self.private, self.fault = private, fault
        self.siblings = [SimpleNamespace(rfilename=name) for name in holds]
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.files: dict[str, bytes] = {}

    def __getattr__(self, name: str) -> Any:
        return partial(self._note, name)

    def _note(self, name: str, repo_id: str, folder_path: str = "", **options: Any) -> Any:
        self.calls.append((name, {"repo_id": repo_id, **options}))
        if folder_path:
            self.files = {path.name: path.read_bytes() for path in Path(folder_path).iterdir()}
        if self.fault:
            raise self.fault
        return SimpleNamespace(private=self.private, siblings=self.siblings)


@pytest.fixture
def source(store: Store) -> ExportSource:
    keep(store)
    return ExportSource(
        services=SimpleNamespace(store=store),  # type: ignore[arg-type]
        runs=["run1"],
        people=False,
    )


def test_a_data_set_is_made_private_and_filled(source: ExportSource) -> None:
    hub = Hub()
    pushed = push(source, "me/my-run", api=hub)
    assert hub.calls == [
        (
            "create_repo",
            {"repo_id": "me/my-run", "repo_type": "dataset", "private": True, "exist_ok": True},
        ),
        ("repo_info", {"repo_id": "me/my-run", "repo_type": "dataset"}),
        (
            "upload_folder",
            {
                "repo_id": "me/my-run",
                "repo_type": "dataset",
                "commit_message": "evaluations: 4, of runs: 1",
                "delete_patterns": [f"{name}.parquet" for name in ALL_TABLES],
            },
        ),
    ]
    assert sorted(hub.files) == [
        "README.md",
        "evaluations.parquet",
        "pictures.parquet",
        "runs.parquet",
        "verdicts.parquet",
    ]
    assert (pushed.private, pushed.url) == (True, "https://huggingface.co/datasets/me/my-run")


def test_only_a_data_set_of_runs_is_written_over(source: ExportSource) -> None:
    hub = Hub(holds=[".gitattributes", "train.parquet", "README.md"])
    with pytest.raises(BadRequest, match="'me/my-run' holds files and no runs: name another"):
        push(source, "me/my-run", api=hub)
    assert [name for name, _ in hub.calls] == ["create_repo", "repo_info"]
    for holds in ([".gitattributes"], ["runs.parquet", "train.parquet"]):
        hub = Hub(holds=holds)
        push(source, "me/my-run", api=hub)
        assert "runs.parquet" in hub.files


def test_a_public_data_set_that_is_there_is_not_written_to_by_accident(
    source: ExportSource,
) -> None:
    hub = Hub(private=False)
    with pytest.raises(
        BadRequest, match="'me/my-run' is there and public: name another, or say --public"
    ):
        push(source, "me/my-run", api=hub)
    assert [name for name, _ in hub.calls] == ["create_repo", "repo_info"]


def test_a_private_data_set_that_is_there_stays_private_and_is_not_called_public(
    source: ExportSource,
) -> None:
    pushed = push(source, "me/my-run", public=True, api=Hub())
    assert pushed.private
    assert "private" in pushed.summary.notes[-1]


def test_nothing_is_called_where_a_key_would_leave(store: Store) -> None:
    keep(store, prompt=f"an image of {TOKEN}")
    hub = Hub()
    services: Any = SimpleNamespace(store=store)
    with pytest.raises(HoldsSecret, match="a token of Hugging Face"):
        push(ExportSource(services=services, runs=["run1"]), "me/my-run", api=hub)
    assert hub.calls == []


def _of_status(code: int) -> Exception:
    error = RuntimeError(f"Client error for url with Bearer {TOKEN}")
    error.response = SimpleNamespace(status_code=code)  # type: ignore[attr-defined]
    return error


@pytest.mark.parametrize(
    "fault, kind, said",
    [
        (_of_status(403), Denied, "does not let you write to 'me/my-run'"),
        (
            _of_status(500),
            Unavailable,
            (
                r"did not take 'me/my-run' \(500, RuntimeError: Client error for url with Bearer"
                r" \[key\]\)"
            ),
        ),
        (OSError("no route to host"), Unavailable, "no route to host"),
    ],
)
def test_what_the_hub_refuses_is_one_sentence_without_the_token(
    fault: Exception,
    kind: type[Exception],
    said: str,
    source: ExportSource,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("HF_TOKEN", TOKEN)
    with pytest.raises(kind, match=said) as refused:
        push(source, "me/my-run", api=Hub(fault=fault))
    assert TOKEN not in str(refused.value)
    assert refused.value.__cause__ is None


@pytest.mark.parametrize("name", ["my-run", "me/my run", "../x", "me/..", "a/b/c", ""])
def test_names_that_are_none_are_refused(name: str, source: ExportSource) -> None:
    with pytest.raises(BadRequest, match="is not a name of a data set"):
        push(source, name, api=Hub())


def test_who_corrected_a_reading_is_named_only_with_what_people_said(store: Store) -> None:
    keep(store)
    keep_corrected(store)
    for people in (False, True):
        hub = Hub()
        source = ExportSource(
            services=SimpleNamespace(store=store),  # type: ignore[arg-type]
            runs=["run1"],
            people=people,
        )
        push(source, "me/my-run", api=hub)
        tables = [
            pq.read_table(BytesIO(data)).to_pylist()
            for name, data in hub.files.items()
            if name.endswith(".parquet")
        ]
        assert ("Ann Example" in str(tables)) is people
        assert "'reading': 'person'" in str(tables)
