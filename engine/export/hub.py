"""Uploads runs to the Hub as a data set, private unless it is said otherwise.

No message shows a token, and nothing is read back.
"""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from hallascope.backends.base import Denied, HallaScopeError, Unavailable
from hallascope.backends.keys import scrub
from hallascope.engine.errors import BadRequest
from hallascope.engine.export.columns import TABLES
from hallascope.engine.export.folder import Secrets, open_export_folder
from hallascope.engine.export.formats import ExportSource, ExportSummary
from hallascope.engine.export.tables import ALL_TABLES, HEAD, write_parquet

_REPOSITORY = re.compile(r"[0-9A-Za-z][\w.-]{0,95}/[0-9A-Za-z][\w.-]{0,95}", re.ASCII)


@dataclass(frozen=True)
class HubUpload:
    """Holds where the runs are now, who may see them, and what was sent."""

    url: str
    private: bool
    summary: ExportSummary


def push(source: ExportSource, repository: str, public: bool = False, api: Any = None) -> HubUpload:
    """Create the data set where there is none, and put the runs into it as Parquet with a card.

    `api`: of the kind of ``HfApi``.

    A data set that is there and public is left alone unless `public`, one that is private stays
    so. Tables of an earlier upload that are not sent again are deleted, and no other file. Raises
    BadRequest also where the data set holds files, and no runs; HoldsSecret, Denied, Unavailable.
    """
    if not _REPOSITORY.fullmatch(repository) or ".." in repository:
        raise BadRequest(
            f"{repository!r} is not a name of a data set: write OWNER/NAME, in letters, digits,"
            " '.', '_' and '-'."
        )
    hub = api or _connect()
    summary = source.summary
    with tempfile.TemporaryDirectory(prefix="hallascope-") as aside:
        out = Path(aside) / "dataset"
        with open_export_folder(out) as folder:
            write_parquet(source, folder)
            summary.files = [*folder.files, "README.md"]
            folder.write_text("README.md", card(summary, repository))
        with _hub_errors(repository):
            hub.create_repo(repository, repo_type="dataset", private=not public, exist_ok=True)
            info = hub.repo_info(repository, repo_type="dataset")
            is_private = bool(info.private)
            if not (public or is_private):
                raise BadRequest(
                    f"The data set {repository!r} is there and public: name another, or say"
                    " --public."
                )
            files = {file.rfilename for file in info.siblings or ()} - {".gitattributes"}
            if files and HEAD not in files:
                raise BadRequest(
                    f"The data set {repository!r} holds files and no runs: name another, so that"
                    " nothing of it is overwritten."
                )
            hub.upload_folder(
                repo_id=repository,
                repo_type="dataset",
                folder_path=str(out),
                commit_message=f"evaluations: {summary.evaluations}, of runs: {summary.runs}",
                delete_patterns=[f"{name}.parquet" for name in ALL_TABLES],
            )
    if public and is_private:
        summary.notes.append(
            "The data set is there and private: change who may see it in its settings on the Hub."
        )
    return HubUpload(f"https://huggingface.co/datasets/{repository}", is_private, summary)


def card(summary: ExportSummary, repository: str) -> str:
    """Return the card of the data set: what its tables are, column by column."""
    tables = [name for name in (*TABLES, "pictures", "runs") if f"{name}.parquet" in summary.files]
    configs = [
        {"config_name": name, "data_files": f"{name}.parquet"}
        | ({"default": True} if name == "verdicts" else {})
        for name in tables
    ]
    tags = ["text-to-image", "hallucination", "evaluation"]
    front = yaml.safe_dump({"configs": configs, "tags": tags}, sort_keys=False, indent=2)
    sections = [
        f"## {name}\n\n| column | meaning |\n| --- | --- |\n"
        + "\n".join(f"| `{column.name}` | {column.description} |" for column in columns)
        for name, columns in TABLES.items()
        if name in tables
    ]
    counts = (
        f"{summary.runs} runs of HallaScope: {summary.pictures} images, {summary.evaluations}"
        f" evaluations, {summary.verdicts} verdicts. What has no answer is left out of a score and"
        " counted. `hallascope import FOLDER` reads a downloaded copy of this data set."
    )
    return "\n\n".join([f"---\n{front}---", f"# {repository}", counts, *sections]) + "\n"


def _connect() -> Any:
    from huggingface_hub import HfApi, constants, get_token

    if constants.is_offline_mode():
        raise Unavailable(
            "The Hub is not asked, since HF_HUB_OFFLINE is set: unset it and run it again."
        )
    if not get_token():
        raise Denied(
            "No one is logged in to the Hub here: run `hf auth login` with a token that may write,"
            " or set HF_TOKEN."
        )
    return HfApi(library_name="hallascope")


@contextmanager
def _hub_errors(repository: str) -> Iterator[None]:
    """Turn errors of the Hub into Denied or Unavailable, in one sentence without a token."""
    try:
        yield
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
    """Return the status and the message of an error, whose message is left out with a secret."""
    secrets = Secrets()
    message = " ".join(str(error).split())[:200]
    for secret in secrets.values:
        message = scrub(message, secret)
    text = type(error).__name__
    if message and not secrets.find(message):
        text = f"{text}: {message}"
    return f"{code}, {text}" if code else text
