"""Puts runs on the Hub as a data set, private unless it is said otherwise.

It shows no token and reads nothing back.
"""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from hallascope.backends.base import Denied, HallaScopeError, Unavailable
from hallascope.backends.keys import scrub
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.columns import TABLES
from hallascope.engine.export.folder import open_export_folder
from hallascope.engine.export.formats import ExportSource, ExportSummary
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.export.tables import write_parquet

_REPOSITORY = re.compile(r"[0-9A-Za-z][\w.-]{0,95}/[0-9A-Za-z][\w.-]{0,95}", re.ASCII)


@dataclass(frozen=True)
class HubUpload:
    """Where the runs are now, who may see them, and what was sent."""

    url: str
    private: bool
    written: ExportSummary


def push(
    source: ExportSource,
    repository: str,
    public: bool = False,
    api: Any = None,
    secrets: Secrets | None = None,
) -> HubUpload:
    """Make the data set where there is none, and put the runs into it as Parquet with a card.

    `api`: of the kind of ``HfApi``.

    A data set that is there and public is left alone unless `public`. Raises BadRequest,
    HoldsSecret, Denied, Unavailable.
    """
    if not _REPOSITORY.fullmatch(repository) or ".." in repository:
        raise BadRequest(
            f"{repository!r} is no name of a data set: write OWNER/NAME, in letters, digits, '.',"
            " '_' and '-'."
        )
    called = api or _api()
    with tempfile.TemporaryDirectory(prefix="hallascope-") as aside:
        out = Path(aside) / "dataset"
        with open_export_folder(out, secrets=secrets) as folder:
            write_parquet(source, folder)
            source.written.files = folder.files
            folder.text("README.md", card(source.written, repository))
        private = not public
        _calling(
            repository,
            lambda: called.create_repo(
                repository, repo_type="dataset", private=private, exist_ok=True
            ),
        )
        if (
            private
            and not _calling(
                repository, lambda: called.repo_info(repository, repo_type="dataset")
            ).private
        ):
            raise BadRequest(
                f"The data set {repository!r} is there and public: name another, or say --public."
            )
        said = f"evaluations: {source.written.evaluations}, of runs: {source.written.runs}"
        _calling(
            repository,
            lambda: called.upload_folder(
                repo_id=repository, repo_type="dataset", folder_path=str(out), commit_message=said
            ),
        )
    return HubUpload(f"https://huggingface.co/datasets/{repository}", private, source.written)


def card(written: ExportSummary, repository: str) -> str:
    """The card of the data set: what its tables are, column by column."""
    configs = "".join(
        f"  - config_name: {name}\n    data_files:"
        f" {name}.parquet\n{'    default: true' + chr(10) if name == 'verdicts' else ''}"
        for name in ("verdicts", "evaluations", "people", "pictures", "runs")
        if f"{name}.parquet" in written.files
    )
    tables = "\n\n".join(
        f"## {title}\n\n| column | tells |\n| --- | --- |\n"
        + "\n".join(f"| `{column.name}` | {column.about} |" for column in columns)
        for title, columns in TABLES.items()
        if f"{title}.parquet" in written.files
    )
    return (
        f"---\nconfigs:\n{configs}tags:\n  - text-to-image\n  - hallucination\n  -"
        f" evaluation\n---\n\n# {repository}\n\n{written.runs} runs of HallaScope:"
        f" {written.pictures} pictures, {written.evaluations} evaluations, {written.verdicts}"
        " verdicts. What has no answer is left out of a score and counted. `hallascope import"
        f" FOLDER` reads a downloaded copy of this data set.\n\n{tables}\n"
    )


def _api() -> Any:
    from huggingface_hub import HfApi, constants, get_token

    if constants.is_offline_mode():
        raise Unavailable(
            "The Hub is not asked, since HF_HUB_OFFLINE is set: unset it and run it again."
        )
    if not get_token():
        raise Denied(
            "Nobody is logged in to the Hub here: run `hf auth login` with a token that may write,"
            " or set HF_TOKEN."
        )
    return HfApi(library_name="hallascope")


def _calling(repository: str, call: Callable[[], Any]) -> Any:
    """What the Hub answers.

    Raises Denied or Unavailable in one sentence, in which no token stands.
    """
    try:
        return call()
    except HallaScopeError:
        raise
    except Exception as error:  # the library has errors of many families, of httpx and of its own
        code = getattr(getattr(error, "response", None), "status_code", None)
        if code in (401, 403):
            raise Denied(
                f"The Hub does not let you write to {repository!r}: log in with a token that may,"
                " or name your own."
            ) from None
        raise Unavailable(
            f"The Hub did not take {repository!r} ({_error_text(error, code)}): look at the"
            " connection and try again."
        ) from None


def _error_text(error: Exception, code: int | None) -> str:
    said = " ".join(str(error).split())[:200]
    for secret in Secrets().values:
        said = scrub(said, secret)
    plain = (
        f"{type(error).__name__}: {said}"
        if said and not Secrets().sort(said)
        else type(error).__name__
    )
    return f"{code}, {plain}" if code else plain
