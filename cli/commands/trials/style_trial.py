"""Holds the command that measures the detector of images outside Primer's drawn style.

Exit codes as in `hallascope.cli.main`.
"""

import hashlib
import tempfile
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.trials import style_trial as output
from hallascope.cli.terminal import DONE, FAILURES, JsonOption, say
from hallascope.data.records import Picture
from hallascope.engine.errors import BadRequest

if TYPE_CHECKING:
    from PIL.Image import Image

JUDGE = "primer/judge"
MOST = 0.01  # the share of wrong decisions, of each sort, above which the command fails


def style_trial(
    drawings: Annotated[int, typer.Option(min=1, help="How many Primer drawings are made.")] = 600,
    generated: Annotated[
        int, typer.Option(min=0, help="Also so many images of each built-in diffusion model.")
    ] = 0,
    folder: Annotated[
        Path | None,
        typer.Option(help="Also the images of this folder, none of them in Primer's style."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Measure how often the built-in judge would score an image outside Primer's drawn style.

    And how often it would refuse an image in it. It fails where either is more than 1 %.
    """
    from hallascope.backends.embedded.style_images.measurement import measure_detector

    if folder and not folder.is_dir():
        raise BadRequest(f"There is no folder {str(folder)!r}: name one that holds images.")
    with tempfile.TemporaryDirectory() as kept:
        accepts = partial(_judge_sees, _load_judge(), Path(kept))
        measured = measure_detector(accepts, drawings, generated, folder)
    say(printing.document(output.document(measured)) if as_json else output.lines(measured))
    shares = (output.sum_up(counts).share for counts in measured)
    return DONE if all(share <= MOST for share in shares) else FAILURES


def _load_judge() -> Any:
    from hallascope.backends import registry
    from hallascope.data.models.specs import read_models

    return registry.load(read_models()[JUDGE])


def _judge_sees(judge: Any, folder: Path, image: "Image") -> bool:
    """Return whether the judge would answer about an image, which is written into a folder."""
    path = folder / "image.png"
    image.save(path)
    picture = Picture(hashlib.sha256(path.read_bytes()).hexdigest(), path)
    return judge.check_domain(picture) is None
