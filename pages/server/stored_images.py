"""Serves the images of the store by their hashes, and says not where they lie on the machine.

A thumbnail is rendered when it is first asked for.
"""

import re

from starlette.concurrency import run_in_threadpool
from starlette.responses import FileResponse, PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from hallascope.engine.leaderboard.redraw import FOLDER
from hallascope.engine.services import Services

_IMAGE = re.compile(rf"/images/((?:[0-9a-f]{{2}}|{FOLDER})/[0-9a-f]{{62,64}}\.(?:png|webp))")


class StoredImages:
    """Serves images and thumbnails, as ASGI middleware."""

    def __init__(self, app: ASGIApp, services: Services) -> None:
        self._app = app
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        found = _IMAGE.fullmatch(str(scope.get("path"))) if scope["type"] == "http" else None
        answer = self._app
        if found:
            path = self._services.store.folder / "images" / found[1]
            if path.suffix == ".webp" and not path.is_file():
                render = self._services.store.images.render_thumbnail
                await run_in_threadpool(render, f"{path.parent.name}{path.stem}")
            answer = FileResponse(path) if path.is_file() else PlainTextResponse("", 404)
        await answer(scope, receive, send)
