"""Answers the addresses below `/class`: lessons, sheets, and what pages of a class ask for.

Pages poll with an ETag. Plain short requests pass any proxy (that of a Space, too), hold no
connection open, and cost nearly nothing while nothing changes.
"""

import asyncio
import base64
import io
from collections.abc import Awaitable, Callable
from functools import lru_cache
from ipaddress import ip_address
from typing import Any

import gradio as gr
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

from hallascope.components.teach.live import class_page, sheets
from hallascope.components.teach.live.step_view import step_view
from hallascope.data.teaching.class_lesson import (
    FOLDER,
    BadClassLessons,
    ClassLesson,
    ClassLessons,
    read_class_lessons,
)
from hallascope.engine.deployment.rate_limit import OverLimit
from hallascope.engine.errors import BadRequest, HallaScopeError
from hallascope.engine.teaching.live.live_class import AnswersClosed, LiveClass, NotInClass
from hallascope.engine.teaching.live.messages import (
    MAX_BYTES,
    BadMessage,
    read_answer,
    read_message,
    read_move,
)
from hallascope.engine.teaching.live.registry import LiveClasses, UnknownClass
from hallascope.pages.server.share_links import base
from hallascope.pages.shared.visitor import visitor_id
from hallascope.pages.teach.live.views import pupil_view, teacher_view

ROOT = "/class"
NO_LESSON = "There is no such lesson: choose one on the Learn tab, under Lessons."
PUPIL = "x-class-pupil"
KEY = "x-class-key"
_STATUS: tuple[tuple[type[HallaScopeError], int], ...] = (
    (UnknownClass, 404),
    (NotInClass, 403),
    (OverLimit, 429),
    (AnswersClosed, 409),
)
# nothing of a class is kept by a browser or a proxy, and no other page learns its address
_PRIVATE = {
    "cache-control": "no-store",
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
}
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


Handler = Callable[[LiveClasses, Request], Awaitable[Response]]


def create_pages(classes: LiveClasses) -> Starlette:
    """Return the pages of these classes as an app of its own."""

    def route(path: str, handler: Handler, method: str = "GET") -> Route:
        async def answer(request: Request) -> Response:
            try:
                return await handler(classes, request)
            except HallaScopeError as error:
                return _error(error)

        return Route(f"{ROOT}{path}", answer, methods=[method])

    return Starlette(
        routes=[
            route("", open_code),
            route("/", open_code),
            route("/lessons/images/{file}", show_image),
            route("/lessons/{lesson}", show_lesson),
            route("/lessons/{lesson}/sheet", show_sheet),
            route("/lessons/{lesson}/key", show_key),
            route("/lessons/{lesson}/start", show_start),
            route("/classes", start_class, "POST"),
            route("/{code}", show_pupil_page),
            route("/{code}/teacher", show_teacher_page),
            route("/{code}/join", join_class, "POST"),
            route("/{code}/state", show_state),
            route("/{code}/answer", take_answer, "POST"),
            route("/{code}/view", show_view),
            route("/{code}/move", move_class, "POST"),
            route("/{code}/end", end_class, "POST"),
        ],
        exception_handlers={HTTPException: _http_error},
    )


async def _http_error(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    return JSONResponse({"error": "There is nothing at this address."}, status, _PRIVATE)


def _error(error: HallaScopeError) -> Response:
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
    except BadClassLessons as error:
        raise BadRequest(str(error)) from error


def _lesson(request: Request) -> ClassLesson:
    lesson = lessons().find(request.path_params["lesson"])
    if lesson is None:
        raise UnknownClass(NO_LESSON)
    return lesson


def _projected(lesson: ClassLesson) -> dict[str, Any]:
    """Return a lesson as the projector has it."""
    return {
        "id": lesson.id,
        "title": lesson.title,
        "goals": list(lesson.goals),
        "steps": [step_view(lesson, number) for number in range(len(lesson.steps))],
        "discussion": [list(pair) for pair in lesson.discussion],
    }


async def show_lesson(classes: LiveClasses, request: Request) -> Response:
    """Show a lesson on the projector, without a class."""
    return _page(class_page.projector_page(_projected(_lesson(request)), None))


async def show_sheet(classes: LiveClasses, request: Request) -> Response:
    """Show the sheet for pupils; its QR code leads to where they type the code of their class.

    A computer that only it can reach has none.
    """
    lesson = _lesson(request)
    if _is_local(request.url.hostname or ""):
        return _page(sheets.pupil_sheet(lesson))
    address = f"{base(request)}{ROOT}"
    return _page(sheets.pupil_sheet(lesson, address, qr_address(address)))


async def show_key(classes: LiveClasses, request: Request) -> Response:
    """Show the plan and the answers."""
    return _page(sheets.answer_key(_lesson(request), lessons().judge))


async def show_start(classes: LiveClasses, request: Request) -> Response:
    """Show the page that starts a class."""
    lesson = _lesson(request)
    return _page(class_page.start_page(lesson.title, lesson.id))


async def show_image(classes: LiveClasses, request: Request) -> Response:
    """Send an image of a lesson."""
    file = request.path_params["file"]
    files = {step.image.file for each in lessons().lessons for step in each.steps if step.image}
    if file not in files:
        raise UnknownClass("There is no such image.")
    return FileResponse(FOLDER / file, media_type="image/webp", headers=_DAY)


# --- a class --------------------------------------------------------------------------------------


def _visitor(request: Request) -> str:
    return visitor_id(gr.Request(request))


def _class(classes: LiveClasses, request: Request) -> LiveClass:
    return classes.find(request.path_params["code"], _visitor(request))


def _teacher_class(classes: LiveClasses, request: Request) -> LiveClass:
    live = _class(classes, request)
    live.require_teacher(request.headers.get(KEY, ""))
    return live


async def _message(request: Request) -> dict[str, Any]:
    """Read what a page sends, no further than it may be long. Raises BadMessage."""
    body = bytearray()
    try:
        async with asyncio.timeout(10):
            async for chunk in request.stream():
                body += chunk
                if len(body) > MAX_BYTES:
                    break
    except TimeoutError:
        raise BadMessage("The message did not arrive within 10 s: send it again.") from None
    return read_message(bytes(body))


def _unless_known(request: Request, version: str, make: Callable[[], dict[str, Any]]) -> Response:
    """Return what a page shows, or only that it has not changed since the page asked last."""
    tag = f'"{version}"'
    headers = {**_PRIVATE, "etag": tag}
    # a proxy that packs what it sends marks the tag as weak
    if request.headers.get("if-none-match", "").removeprefix("W/") == tag:
        return Response(status_code=304, headers=headers)
    return JSONResponse(make(), headers=headers)


async def open_code(classes: LiveClasses, request: Request) -> Response:
    """Show the page that asks for the code of a class, or lead to the class of a code."""
    # relative addresses hold behind any proxy
    is_below = request.url.path.endswith("/")
    address = "../class" if is_below else "class"
    code = request.query_params.get("code", "").strip()
    if not code:
        return _page(class_page.code_page(address))
    try:
        live = classes.find(code, _visitor(request))
    except HallaScopeError as error:
        return _page(class_page.code_page(address, str(error)), 404)
    return RedirectResponse(f"{address}/{live.code}", 303, _PRIVATE)


async def start_class(classes: LiveClasses, request: Request) -> Response:
    """Start a class; answer with its code, and with the key that its teacher alone has."""
    name = (await _message(request)).get("lesson")
    lesson = lessons().find(name) if isinstance(name, str) else None
    if lesson is None:
        raise UnknownClass(NO_LESSON)
    live, key = classes.start(lesson, _visitor(request))
    return JSONResponse({"code": live.code, "key": key}, 201, _PRIVATE)


async def show_pupil_page(classes: LiveClasses, request: Request) -> Response:
    """Show the page of a pupil; it asks for the code again where there is no such class."""
    try:
        live = _class(classes, request)
    except HallaScopeError as error:
        return _page(class_page.code_page("../class", str(error)), 404)
    if request.path_params["code"] != live.code:
        return RedirectResponse(live.code, 303, _PRIVATE)
    return _page(class_page.pupil_page(live.code))


async def show_teacher_page(classes: LiveClasses, request: Request) -> Response:
    """Show the projector with a class. What it may do hangs on the key that its address ends with.

    Browsers do not send that part of an address.
    """
    live = _class(classes, request)
    address = f"{base(request)}{ROOT}/{live.code}"
    shown = {
        "code": live.code,
        "address": address,
        "qr": qr_address(address),
        "local": _is_local(request.url.hostname or ""),
    }
    return _page(class_page.projector_page(_projected(live.lesson), shown))


async def join_class(classes: LiveClasses, request: Request) -> Response:
    """Add a pupil; answer with the token that stands for the pupil in this class alone."""
    await _message(request)
    return JSONResponse({"token": _class(classes, request).join()}, 201, _PRIVATE)


async def show_state(classes: LiveClasses, request: Request) -> Response:
    """Answer with what a pupil sees now."""
    live = _class(classes, request)
    token = request.headers.get(PUPIL, "")
    return _unless_known(request, live.pupil_version(token), lambda: pupil_view(live, token))


async def take_answer(classes: LiveClasses, request: Request) -> Response:
    """Keep the answer of a pupil."""
    live = _class(classes, request)
    sent = read_answer(await _message(request), live.lesson)
    kept = live.answer(request.headers.get(PUPIL, ""), sent)
    return JSONResponse({"choice": kept.choice, "at": kept.at}, headers=_PRIVATE)


async def show_view(classes: LiveClasses, request: Request) -> Response:
    """Answer the teacher with what the class has done."""
    live = _teacher_class(classes, request)
    return _unless_known(request, live.version, lambda: teacher_view(live))


async def move_class(classes: LiveClasses, request: Request) -> Response:
    """Show another step or phase to the class."""
    live = _teacher_class(classes, request)
    live.move(read_move(await _message(request), live.lesson))
    return JSONResponse({}, headers=_PRIVATE)


async def end_class(classes: LiveClasses, request: Request) -> Response:
    """End a class and forget its answers."""
    live = _teacher_class(classes, request)
    classes.end(live)
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


def _is_local(host: str) -> bool:
    """Return whether a name leads to this computer from itself alone."""
    if host == "localhost":
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False
