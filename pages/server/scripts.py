"""Serves the scripts of the page: the ES modules beside the components, and nothing else there."""

from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from hallascope.components.html.scripts import ADDRESS, ROOT


class _Modules(StaticFiles):
    """Serves JavaScript, which browsers ask for again: after an upgrade it may be another."""

    async def get_response(self, path: str, scope: Scope) -> Response:
        if not path.endswith(".js"):
            raise HTTPException(404)
        response = await super().get_response(path, scope)
        response.headers["cache-control"] = "no-cache"
        return response


def script_routes() -> list[Mount]:
    """Return the routes under which the page finds its scripts."""
    return [Mount(f"/{ADDRESS}", _Modules(directory=ROOT))]
