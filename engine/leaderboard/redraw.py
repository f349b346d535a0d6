"""Draws a picture of the shipped leaderboard again with the embedded model that drew it.

The embedded models draw the same of the same prompt and seed.
"""

import json
from hashlib import sha256
from pathlib import Path

from hallascope.data.requests import Generate, Generated
from hallascope.engine.errors import BadRequest, HallaScopeError
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
            f"Images of {model!r} are not drawn again: only those of the models that ship with"
            " HallaScope are."
        )
    services.registry.require(model, "generator")
    path = _redrawn_path(services, model, prompt, seed)
    if not path.exists():
        bound = services.registry.bind(model)
        (reply,) = bound.call([Generate(prompt, seed)], lambda step, steps: None)
        if not isinstance(reply, Generated):
            reason = getattr(reply, "message", "it gave no image.")
            raise BadRequest(f"{model} did not draw it again: {reason}")
        write_atomically(path, reply.png)
    return path


def redraw_at_once(services: Services, model: str, prompt: str, seed: int) -> Path | None:
    """Return the picture for a list of many; None where drawing it takes too long for that.

    Draughtsmen draw in a moment. A diffusion model takes seconds: of it there are only the pictures
    that were drawn again before. None too where the picture cannot be drawn.
    """
    try:
        if services.registry.spec(model).kind == "simulated":
            return redraw_picture(services, model, prompt, seed)
        path = _redrawn_path(services, model, prompt, seed)
    except HallaScopeError:
        return None
    return path if path.exists() else None


def _redrawn_path(services: Services, model: str, prompt: str, seed: int) -> Path:
    revision = services.registry.bind(model).revision
    key = sha256(json.dumps([model, revision, prompt, seed]).encode()).hexdigest()
    return services.store.folder / "images" / FOLDER / f"{key}.png"
