"""Holds the command for teachers: pages, links and answers of sets, and data that ships.

The data is of How it works, of the rounds of the first page, and of the ready lessons.
"""

from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name

from hallascope.cli.options import ForceOption, JsonOption
from hallascope.cli.output import printing
from hallascope.cli.terminal import DONE
from hallascope.data.teaching.class_lesson import FOLDER as LESSONS_FOLDER
from hallascope.data.teaching.lesson import BadLesson, Lesson, read_token, token
from hallascope.data.teaching.odd_one_out import FOLDER as ROUNDS_FOLDER
from hallascope.data.teaching.odd_one_out import judge_score
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.export import folder as folders
from hallascope.engine.services import Services, create_services
from hallascope.engine.teaching import classes, shipped_lessons, walkthrough
from hallascope.engine.teaching.exercises import JUDGE
from hallascope.primer.teaching.set_files import read_lesson

# imported by its name, as it is of a room above this one
PAGE = "hallascope.pages.learn.lesson_page:page"
_ADDRESS = "?tab=learn&set="


def teach(
    kind: str = "",
    names: list[str] | None = None,
    *,
    judge: str = JUDGE,
    force: ForceOption = False,
    as_json: JsonOption = False,
) -> int:
    """List the sets of exercises, or make a page, a link or a table of one.

    `page SET FILE`: one page that needs no server. `link SET`: the end of an address of the
    dashboard. `answers SET`: the first answers of learners to each exercise, as CSV.

    `how`, `odd-one-out`, `lessons` with a folder or without: make again what ships, with images,
    truth and the answers of the embedded judge.

    Args:
        kind: page, link, answers, how, odd-one-out or lessons.
        names: The set (a file in YAML, its link, or its id), then the file or folder to write.
        judge: The model whose answers a page shows; `none` for none.
    """
    given = list(names or ())
    makers: dict[str, tuple[Callable[[Services, Path], str], Path]] = {
        "how": (_make_how, walkthrough.FOLDER),
        "odd-one-out": (_make_rounds, ROUNDS_FOLDER),
        "lessons": (_make_lessons, LESSONS_FOLDER),
    }
    services = create_services()
    match kind, given:
        case "", []:
            _list_sets(services, as_json)
        case "page", [named, out]:
            _write_page(services, named, Path(out), judge, force, as_json)
        case "link", [named]:
            link = f"{_ADDRESS}{token(_lesson(services, named))}"
            printing.print_result(as_json, {"link": link}, link)
        case "answers", [named]:
            answers = services.store.lessons.answers(_lesson(services, named).id)
            record = [row._asdict() for row in classes.rows(answers)]
            printing.print_result(as_json, record, classes.table(answers).rstrip("\n"))
        case name, [] | [_] if name in makers:
            write, folder = makers[name]
            folder = Path(given[0]) if given else folder
            printing.print_result(as_json, {"folder": folder}, write(services, folder))
        case _:
            raise BadRequest(
                f"{' '.join([kind, *given])!r} cannot be made: give page SET FILE, link SET,"
                f" answers SET, or {', '.join(makers)} with a folder or without."
            )
    return DONE


def _write_page(
    services: Services, named: str, out: Path, judge: str, force: bool, as_json: bool
) -> None:
    if out.suffix.lower() not in (".html", ".htm"):
        raise BadRequest(
            f"The page cannot be written as {out.name!r}: give a name that ends in .html."
        )
    lesson = _lesson(services, named)
    write: Callable[[Services, Lesson, str | None], str] = resolve_name(PAGE)
    html = write(services, lesson, None if judge == "none" else judge)
    with folders.open_export_file(out, out.name, force) as folder:
        folder.write_text(out.name, html)
    printing.print_result(
        as_json,
        {"file": out, "exercises": len(lesson.items)},
        f"{out}: {len(lesson.items)} exercises, {len(html) / 1e6:.1f} MB",
    )


def _make_how(services: Services, out: Path) -> str:
    shown = walkthrough.make(services, out)
    return f"run {shown.run} and {len(shown.halo)} questions to the judge: {out}"


def _make_rounds(services: Services, out: Path) -> str:
    made = shipped_lessons.make_rounds(services, out)
    return (
        f"{len(made.rounds)} rounds and an example, {_kilobytes(out)} kB: {out}\n"
        f"{made.judge} finds the odd image in {judge_score(made.rounds)} of {len(made.rounds)}"
        " rounds."
    )


def _make_lessons(services: Services, out: Path) -> str:
    lines = []
    for lesson in shipped_lessons.make_lessons(services, out).lessons:
        images = sum(step.image is not None for step in lesson.steps)
        lines.append(f"{lesson.title} {len(lesson.steps)} steps, {images} images")
    return "\n".join([*lines, f"{_kilobytes(out)} kB: {out}"])


def _kilobytes(folder: Path) -> str:
    size = sum(file.stat().st_size for file in folder.rglob("*") if file.is_file())
    return f"{size / 1000:.0f}"


def _list_sets(services: Services, as_json: bool) -> None:
    """Print the sets that were made here, the newest first."""
    lessons = services.store.lessons
    rows = [
        {
            "id": lesson.id,
            "title": lesson.title,
            "answers": len(lessons.answers(lesson.id)),
            "link": f"{_ADDRESS}{lesson.token}",
        }
        for lesson in lessons.all()
    ]
    printing.print_result(as_json, rows, printing.table(rows) or "No set was made here yet.")


def _lesson(services: Services, named: str) -> Lesson:
    """Return the set of a file, a link or an id; raise BadRequest where there is none."""
    with refuse(BadLesson):
        if Path(named).suffix.lower() in (".yaml", ".yml"):
            return read_lesson(Path(named))
        stored = [lesson for lesson in services.store.lessons.all() if lesson.id == named]
        if stored:
            return read_token(stored[0].token)
        return read_token(named.rpartition("set=")[2].partition("&")[0])
