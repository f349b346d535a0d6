"""Answers the addresses below `/class`: lessons, sheets, and what pages of a class ask for.

Pages poll with an ETag. Plain short requests pass any proxy (that of a Space, too), hold no
connection open, and cost nearly nothing while nothing changes.
"""

import base64
import io
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from markupsafe import Markup
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import (
    FileResponse,
    HTMLResponse,
    JSONResponse,
    RedirectResponse,
    Response,
)
from starlette.routing import Route
from starlette.types import ASGIApp, Receive, Scope, Send

from hallascope.components.learn.live import class_page, sheets
from hallascope.data.teaching.class_lesson import (
    FOLDER,
    ClassLesson,
    ClassLessons,
    read_class_lessons,
)
from hallascope.data.teaching.judged_image import BadTeachingData
from hallascope.engine.access.limits import OverLimit
from hallascope.engine.access.visitors import COOKIE, network_of
from hallascope.engine.deployment.hosts import is_loopback
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.teaching.live_class import (
    Admission,
    AnswersClosed,
    ClassStart,
    LiveClass,
    LiveClasses,
    NotAdmitted,
    NotInClass,
    UnknownClass,
    read_answer,
    read_message,
    read_move,
)
from hallascope.pages.learn.live.views import pupil_view, teacher_view
from hallascope.pages.server.share_links import base

ROOT = "/class"
NO_LESSON = "There is no such lesson: choose one on the Learn tab, under Lessons."
PUPIL = "x-class-pupil"
KEY = "x-class-key"
_STATUS: tuple[tuple[type[HallaScopeError], int], ...] = (
    (UnknownClass, 404),
    (NotAdmitted, 410),
    (NotInClass, 403),
    (OverLimit, 429),
    (AnswersClosed, 409),
)
_PRIVATE = {"cache-control": "no-store"}  # nothing of a class is kept by a browser or a proxy
_DAY = {"cache-control": "public, max-age=86400"}


class ClassPages:
    """Serves `/class` and all below it as ASGI middleware; the classes live in this process."""

    def __init__(self, app: ASGIApp, classes: LiveClasses) -> None:
        self._app = app
        self._pages = create_pages(classes)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        path = str(scope.get("path"))
        if scope["type"] == "http" and (path == ROOT or path.startswith(f"{ROOT}/")):
            await self._pages(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def create_pages(classes: LiveClasses) -> Starlette:
    """Return the pages of these classes as an app of its own."""
    pages = Starlette(
        routes=[
            *(Route(f"{ROOT}{path}", page) for path, page in _PAGES.items()),
            *(Route(f"{ROOT}{path}", act, methods=["POST"]) for path, act in _ACTIONS.items()),
        ],
        exception_handlers={HTTPException: _http_error, HallaScopeError: _error},
    )
    pages.state.classes = classes
    return pages


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"error": "There is nothing at this address."}, status, _PRIVATE)


async def _error(request: Request, error: Exception) -> Response:
    status = next((number for kind, number in _STATUS if isinstance(error, kind)), 400)
    return JSONResponse({"error": str(error)}, status, _PRIVATE)


def _page(html: Markup, status: int = 200) -> Response:
    return HTMLResponse(html, status, _PRIVATE)


# --- lessons --------------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def lessons() -> ClassLessons:
    """Return the lessons that ship. Raises BadRequest."""
    try:
        return read_class_lessons()
    except BadTeachingData as error:
        raise BadRequest(str(error)) from error


def _lesson(request: Request) -> ClassLesson:
    lesson = lessons().find(request.path_params["lesson"])
    if lesson is None:
        raise UnknownClass(NO_LESSON)
    return lesson


async def show_lesson(request: Request) -> Response:
    """Show a lesson on the projector, without a class."""
    return _page(class_page.projector_page(_lesson(request), None))


async def show_sheet(request: Request) -> Response:
    """Show the sheet for pupils; its QR code leads to where they type the code of their class.

    A computer that only it can reach has none.
    """
    lesson = _lesson(request)
    if is_loopback(request.url.hostname or ""):
        return _page(sheets.pupil_sheet(lesson))
    address = f"{base(request)}{ROOT}"
    return _page(sheets.pupil_sheet(lesson, address, qr_address(address)))


async def show_key(request: Request) -> Response:
    """Show the plan and the answers."""
    return _page(sheets.answer_key(_lesson(request), lessons().judge))


async def show_start(request: Request) -> Response:
    """Show the page that starts a class."""
    lesson = _lesson(request)
    return _page(class_page.start_page(lesson.title, lesson.id))


async def show_image(request: Request) -> Response:
    """Send an image of a lesson."""
    file = request.path_params["file"]
    files = {step.image.file for each in lessons().lessons for step in each.steps if step.image}
    if file not in files:
        raise UnknownClass("There is no such image.")
    return FileResponse(FOLDER / file, media_type="image/webp", headers=_DAY)


# --- a class --------------------------------------------------------------------------------------


def _network(request: Request) -> str:
    return network_of(request.client.host if request.client else None)


def _classes(request: Request) -> LiveClasses:
    found: LiveClasses = request.app.state.classes
    return found


def _class(request: Request) -> LiveClass:
    return _classes(request).find(request.path_params["code"])


def _teacher_class(request: Request) -> LiveClass:
    live = _class(request)
    live.require_teacher(request.headers.get(KEY, ""))
    return live


def _unless_known(request: Request, version: str, make: Callable[[], dict[str, Any]]) -> Response:
    """Return what a page shows, or only that it has not changed since the page asked last."""
    tag = f'"{version}"'
    headers = {**_PRIVATE, "etag": tag}
    # a proxy that packs what it sends marks the tag as weak
    if request.headers.get("if-none-match", "").removeprefix("W/") == tag:
        return Response(status_code=304, headers=headers)
    return JSONResponse(make(), headers=headers)


async def open_code(request: Request) -> Response:
    """Show the page that asks for the code of a class, or lead to the class of a code."""
    # relative addresses hold behind any proxy
    is_below = request.url.path.endswith("/")
    address = "../class" if is_below else "class"
    code = request.query_params.get("code", "").strip()
    if not code:
        return _page(class_page.code_page(address))
    try:
        live = _classes(request).find(code)
    except HallaScopeError as error:
        return _page(class_page.code_page(address, str(error)), 404)
    return RedirectResponse(f"{address}/{live.code}", 303, _PRIVATE)


async def start_class(request: Request) -> Response:
    """Start a class; answer with its code, and with the key that its teacher alone has."""
    lesson = lessons().find(read_message(ClassStart, await request.body()).lesson)
    if lesson is None:
        raise UnknownClass(NO_LESSON)
    browser = request.cookies.get(COOKIE, "")
    live, key = _classes(request).start(lesson, _network(request), browser)
    return JSONResponse({"code": live.code, "key": key}, 201, _PRIVATE)


async def show_pupil_page(request: Request) -> Response:
    """Show the page of a pupil; it asks for the code again where there is no such class."""
    try:
        live = _class(request)
    except HallaScopeError as error:
        return _page(class_page.code_page("../class", str(error)), 404)
    if request.path_params["code"] != live.code:
        return RedirectResponse(live.code, 303, _PRIVATE)
    return _page(class_page.pupil_page(live.code))


async def show_teacher_page(request: Request) -> Response:
    """Show the projector with a class. What it may do hangs on the key that its address ends with.

    Browsers do not send that part of an address.
    """
    live = _class(request)
    address = f"{base(request)}{ROOT}/{live.code}"
    shown = class_page.LiveAddress(
        live.code, address, qr_address(address), is_loopback(request.url.hostname or "")
    )
    return _page(class_page.projector_page(live.lesson, shown))


async def join_class(request: Request) -> Response:
    """Add a pupil; answer with the token that stands for the pupil in this class alone."""
    live = _class(request)
    token = live.join(_network(request), request.headers.get(PUPIL, ""))
    return JSONResponse({"token": token}, 201, _PRIVATE)


async def show_state(request: Request) -> Response:
    """Answer with what a pupil sees now."""
    live = _class(request)
    token = request.headers.get(PUPIL, "")
    return _unless_known(request, live.pupil_version(token), lambda: pupil_view(live, token))


async def take_answer(request: Request) -> Response:
    """Keep the answer of a pupil."""
    live = _class(request)
    sent = read_answer(await request.body(), live.lesson)
    kept = live.answer(request.headers.get(PUPIL, ""), sent)
    return JSONResponse({"choice": kept.choice, "at": kept.at}, headers=_PRIVATE)


async def show_view(request: Request) -> Response:
    """Answer the teacher with what the class has done."""
    live = _teacher_class(request)
    return _unless_known(request, live.version, lambda: teacher_view(live))


async def move_class(request: Request) -> Response:
    """Show another step or phase to the class."""
    live = _teacher_class(request)
    live.move(read_move(await request.body(), live.lesson))
    return JSONResponse({}, headers=_PRIVATE)


async def admit_pupils(request: Request) -> Response:
    """Open or close a class to new pupils, and remove pupils from it."""
    live = _teacher_class(request)
    live.admit(read_message(Admission, await request.body()))
    return JSONResponse({}, headers=_PRIVATE)


async def end_class(request: Request) -> Response:
    """End a class and forget its answers."""
    live = _teacher_class(request)
    _classes(request).end(live)
    return JSONResponse({}, headers=_PRIVATE)


# --- how pupils get there -------------------------------------------------------------------------


def qr_address(text: str) -> str:
    """Return a QR code of a text as the address of a drawing that holds all of it."""
    import segno  # only a class needs it

    stream = io.BytesIO()
    segno.make(text, error="m", micro=False).save(
        stream, kind="svg", scale=8, border=4, xmldecl=False, dark="#000", light="#fff"
    )
    return f"data:image/svg+xml;base64,{base64.b64encode(stream.getvalue()).decode()}"


_PAGES = {
    "": open_code,
    "/": open_code,
    "/lessons/images/{file}": show_image,
    "/lessons/{lesson}": show_lesson,
    "/lessons/{lesson}/sheet": show_sheet,
    "/lessons/{lesson}/key": show_key,
    "/lessons/{lesson}/start": show_start,
    "/{code}": show_pupil_page,
    "/{code}/teacher": show_teacher_page,
    "/{code}/state": show_state,
    "/{code}/view": show_view,
}
_ACTIONS = {
    "/classes": start_class,
    "/{code}/join": join_class,
    "/{code}/answer": take_answer,
    "/{code}/move": move_class,
    "/{code}/admit": admit_pupils,
    "/{code}/end": end_class,
}
