"""Draws a picture of the shipped leaderboard again with the embedded model that drew it.

The embedded models draw the same of the same prompt and seed.
"""

import json
from hashlib import sha256
from pathlib import Path

from hallascope.data.requests import Generate, Generated
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.engine.storage.images import write_atomically

FOLDER = "redrawn"  # a folder within that of the pictures, which the page may show


def redraw_picture(services: Services, model: str, prompt: str, seed: int) -> Path:
    """Return the picture as a file, kept for the next time.

    Draughtsmen always draw the same, a diffusion model on the same kind of machine.

    Raises BadRequest where the model is none that ships, or did not draw; UnknownModel,
    Unavailable.
    """
    spec = services.registry.spec(model)
    embedded = not spec.repository or spec.repository.startswith("embedded:")
    if not embedded or spec.kind not in ("simulated", "trained"):
        raise BadRequest(
            f"Pictures of {model!r} are not drawn anew: only those of the models that ship with"
            " HallaScope are."
        )
    services.registry.require(model, "generator")
    bound = services.registry.bind(model)
    key = sha256(json.dumps([model, bound.revision, prompt, seed]).encode()).hexdigest()
    path = services.store.folder / "images" / FOLDER / f"{key}.png"
    if not path.exists():
        (reply,) = bound.call([Generate(prompt, seed)], lambda step, steps: None)
        if not isinstance(reply, Generated):
            reason = getattr(reply, "message", "it gave no picture.")
            raise BadRequest(f"{model} did not draw it again: {reason}")
        write_atomically(path, reply.png)
    return path
