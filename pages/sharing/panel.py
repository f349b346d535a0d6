"""Answers the buttons above the evidence: the card of an image, an export, a methods paragraph."""

import base64
import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hallascope.components.html.markup import file_url
from hallascope.components.share.panel import FORMATS, share_panel
from hallascope.engine.errors import BadRequest
from hallascope.engine.export import formats
from hallascope.engine.export.formats import ExportSource, Selection, read_selection
from hallascope.engine.export.methods import describe_methods
from hallascope.engine.services import Services
from hallascope.pages.shared import run_pictures
from hallascope.pages.shared.server_functions import SentText, server_functions
from hallascope.pages.sharing import card_text
from hallascope.pages.sharing.addresses import IMAGE, CardAddress, CardSigner

_MOST_BYTES = 64 * 2**20  # of a file that goes through the page
_KINDS = ("question=", "finding=")


def build(services: Services, evidence: str, elem_id: str) -> None:
    """Lay out the row of buttons for the viewer with the id `evidence`."""
    functions = server_functions(services, share_card, export_choices, export_selection, cite_run)
    share_panel(functions, evidence, elem_id)


def share_card(
    services: Services,
    run: SentText = "",
    key: SentText = "",
    metric: SentText = "",
    chosen: SentText = "",
) -> dict[str, Any]:
    """Return the address of the card of an image, and the link to it. Raises HallaScopeError."""
    metric = metric or run_pictures.primary(services.view(run))
    choice = chosen if chosen.startswith(_KINDS) else IMAGE
    address = CardAddress(run, key, metric, choice)
    if not address.is_valid:
        raise BadRequest("This image has no card: open an image of a run, and try again.")
    card = card_text.share_card(services, address, "")
    signer = CardSigner(services.signer)
    return {
        "card": signer.path(address).removeprefix("/"),
        "query": signer.query(address),
        "alt": card.alt,
        "name": f"hallascope-{run}-{choice.replace('=', '-')}.png",
    }


def export_choices(services: Services, run: SentText = "") -> dict[str, Any]:
    """Return the images of a run that can be exported. Raises HallaScopeError."""
    images = [
        {
            "key": image.generation,
            "name": run_pictures.seeded_name(
                run_pictures.picture_name(image), image.model, image.seed
            ),
            "src": file_url(image.thumbnail) if image.thumbnail else None,
        }
        for image in services.view(run).shots
        if image.image
    ]
    if not images:
        raise BadRequest("The run has no image yet: export it when there is one.")
    return {"images": images}


def export_selection(
    services: Services,
    run: SentText = "",
    format: SentText = "",
    images: Sequence[str] = (),
    outcome: SentText = "",
    coi: SentText = "",
) -> dict[str, Any]:
    """Return an exported file as base64. Raises HallaScopeError.

    What people said of the images, under their names, does not go with it.
    """
    if format not in FORMATS:
        raise BadRequest(f"There is no format {format!r}: choose one of {', '.join(FORMATS)}.")
    selection = read_selection(images=",".join(images), outcomes=outcome, cois=coi)
    content, exported = _write(services, run, format, selection)
    return {
        "name": f"hallascope-{run}.{FORMATS[format][1]}",
        "base64": base64.b64encode(content).decode(),
        "said": exported,
    }


def _write(services: Services, run: str, name: str, selection: Selection) -> tuple[bytes, str]:
    """Return the bytes of an export, and in words what it holds."""
    source = ExportSource(
        services=services,
        runs=[services.store.run(run).id],
        people=False,
        selection=selection,
    )
    with tempfile.TemporaryDirectory(prefix="hallascope-export-") as folder:
        _, ending = FORMATS[name]
        out = Path(folder) / ("fiftyone" if ending == "zip" else f"export.{ending}")
        summary = formats.export(source, name, out)
        if not summary.pictures:
            raise BadRequest("No image matches these choices: choose others, and try again.")
        if ending == "zip":
            out = Path(shutil.make_archive(str(Path(folder) / "export"), "zip", out))
        if out.stat().st_size > _MOST_BYTES:
            raise BadRequest(
                f"The file has more than {_MOST_BYTES // 2**20} MB: check fewer images."
            )
        return (
            out.read_bytes(),
            f"Exported {summary.pictures} images, {summary.verdicts} verdicts.",
        )


def cite_run(services: Services, run: SentText = "") -> dict[str, Any]:
    """Return the methods paragraph and the BibTeX of a run. Raises HallaScopeError."""
    runs = [services.store.run(run).id]
    text = describe_methods(ExportSource(services=services, runs=runs, people=False))
    return {"paragraph": text.paragraph, "bibtex": text.bibtex}
