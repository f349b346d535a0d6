"""Draws a picture of the shipped leaderboard anew with the embedded models.

They draw the same of the same prompt and seed; it judges nothing.
"""

import json
from hashlib import sha256
from pathlib import Path

from hallascope.data.requests import Generate, Generated
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.images import write_whole

FOLDER = "redrawn"  # in that of the pictures, which the page may show


def redrawn(services: Services, model: str, prompt: str, seed: int) -> Path:
    """The picture as a file, kept for the next time.

    Draughtsmen always draw the same, a diffusion model on the same kind of machine.

    Raises BadRequest where the model is none that ships, or did not draw; UnknownModel,
    Unavailable.
    """
    spec = services.roster.spec(model)
    if not (spec.repository or "embedded:").startswith("embedded:") or spec.kind not in (
        "simulated",
        "trained",
    ):
        raise BadRequest(
            f"Pictures of {model!r} are not drawn anew: only those of the models that ship with"
            " HallaScope are."
        )
    services.roster.require(model, "generator")
    seat = services.roster.bind(model)
    key = sha256(json.dumps([model, seat.revision, prompt, seed]).encode()).hexdigest()
    path = services.store.folder / "images" / FOLDER / f"{key}.png"
    if not path.exists():
        (reply,) = seat.call([Generate(prompt, seed)], lambda step, steps: None)
        if not isinstance(reply, Generated):
            raise BadRequest(
                f"{model} did not draw it again: {getattr(reply, 'message', 'it gave no picture.')}"
            )
        write_whole(path, reply.png)
    return path
