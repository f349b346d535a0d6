"""Answers the buttons above the evidence: the card of an image, an export, a methods paragraph."""

import base64
import shutil
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
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
from hallascope.pages.shared.server_functions import sent_text, server_functions
from hallascope.pages.sharing.addresses import IMAGE, CardAddress, CardSigner
from hallascope.pages.sharing.card_text import share_card

_MOST_BYTES = 64 * 2**20  # of a file that goes through the page
_KINDS = ("question=", "finding=")


_ENDINGS = {"csv": "csv", "jsonl": "jsonl", "latex": "tex", "fiftyone": "zip"}


def build(services: Services, evidence: str, elem_id: str) -> None:
    """Lay out the row of buttons for the viewer with the id `evidence`."""
    answers = ShareAnswers(services, CardSigner(services.signer))
    functions = server_functions(
        {
            "share_card": lambda sent, _: answers.share_card(sent),
            "export_choices": lambda sent, _: answers.export_choices(sent),
            "export_selection": lambda sent, _: answers.export_selection(sent),
            "cite_run": lambda sent, _: answers.cite_run(sent),
        }
    )
    share_panel(functions, evidence, elem_id)


@dataclass(frozen=True)
class ShareAnswers:
    """Answers what the script of the buttons asks; every method raises HallaScopeError."""

    services: Services
    signer: CardSigner

    def share_card(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return the address of the card of {run, key, metric, chosen}, and the link to it."""
        run = sent_text(sent, "run")
        metric = sent_text(sent, "metric") or run_pictures.primary(self.services.view(run))
        chosen = sent_text(sent, "chosen")
        choice = chosen if chosen.startswith(_KINDS) else IMAGE
        address = CardAddress(run, sent_text(sent, "key"), metric, choice)
        if not address.is_valid:
            raise BadRequest("This image has no card: open an image of a run, and try again.")
        card = share_card(self.services, address, "")
        return {
            "card": self.signer.path(address).removeprefix("/"),
            "query": self.signer.query(address),
            "alt": card.alt,
            "name": f"hallascope-{run}-{choice.replace('=', '-')}.png",
        }

    def export_choices(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return the images of a {run} that can be exported."""
        view = self.services.view(sent_text(sent, "run"))
        images = [
            {
                "key": image.generation,
                "name": run_pictures.seeded_name(
                    run_pictures.picture_name(image), image.model, image.seed
                ),
                "src": file_url(image.thumbnail) if image.thumbnail else None,
            }
            for image in view.shots
            if image.image
        ]
        if not images:
            raise BadRequest("The run has no image yet: export it when there is one.")
        return {"images": images}

    def export_selection(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return the file of {run, format, images, outcome, coi}, as base64.

        What people said of the images, under their names, does not go with it.
        """
        run = sent_text(sent, "run")
        name = sent_text(sent, "format")
        if name not in FORMATS:
            raise BadRequest(f"There is no format {name!r}: choose one of {', '.join(FORMATS)}.")
        images = sent.get("images")
        keys = [str(key) for key in images] if isinstance(images, list) else []
        selection = read_selection(
            images=",".join(keys), outcomes=sent_text(sent, "outcome"), cois=sent_text(sent, "coi")
        )
        content, exported = self._write(run, name, selection)
        return {
            "name": f"hallascope-{run}.{_ENDINGS[name]}",
            "base64": base64.b64encode(content).decode(),
            "said": exported,
        }

    def _write(self, run: str, name: str, selection: Selection) -> tuple[bytes, str]:
        """Return the bytes of an export, and in words what it holds."""
        source = ExportSource(
            services=self.services,
            runs=[self.services.store.run(run).id],
            people=False,
            selection=selection,
        )
        with tempfile.TemporaryDirectory(prefix="hallascope-export-") as folder:
            ending = _ENDINGS[name]
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

    def cite_run(self, sent: Mapping[str, Any]) -> dict[str, Any]:
        """Return the methods paragraph and the BibTeX of a {run}."""
        run = self.services.store.run(sent_text(sent, "run")).id
        text = describe_methods(ExportSource(services=self.services, runs=[run], people=False))
        return {"paragraph": text.paragraph, "bibtex": text.bibtex}
