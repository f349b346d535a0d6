"""Holds the commands for teachers: pages, links and answers of sets, and data that ships.

The data is of How it works, of the rounds of the first page, and of the ready lessons.
"""

from collections.abc import Callable
from pathlib import Path
from pkgutil import resolve_name
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.printing import TextColumn
from hallascope.cli.terminal import DONE, JsonOption, say
from hallascope.data.teaching.class_lesson import FOLDER as LESSONS_FOLDER
from hallascope.data.teaching.lesson import BadLesson, Lesson, read_token, token
from hallascope.data.teaching.odd_one_out import FOLDER as ROUNDS_FOLDER
from hallascope.data.teaching.odd_one_out import judge_score
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.export import folder as folders
from hallascope.engine.services import Services, create_services
from hallascope.engine.teaching import class_lessons, classes, odd_one_out, walkthrough
from hallascope.engine.teaching.exercises import JUDGE
from hallascope.primer.teaching.set_files import read_lesson

commands = typer.Typer(
    no_args_is_help=True, rich_markup_mode=None, help="Exercises: what is wrong in this image?"
)
LessonArgument = Annotated[
    str, typer.Argument(metavar="SET", help="A file in YAML, the link of a set, or its id.")
]
# imported by its name, as it is of a room above this one
PAGE = "hallascope.pages.teach.lesson_page:page"
_ADDRESS = "?tab=teach&set="


@commands.command("page")
def page(
    named: LessonArgument,
    out: Annotated[Path, typer.Argument(help="The file to write, .html.")],
    judge: Annotated[
        str, typer.Option(help="The model that says what it sees; `none` for none.")
    ] = JUDGE,
    force: Annotated[
        bool, typer.Option("--force", help="Write over a file that is there.")
    ] = False,
) -> int:
    """Write a set as one page that needs no server.

    Pictures, truth, explanations and what the judge says are all in it.
    """
    if out.suffix.lower() not in (".html", ".htm"):
        raise BadRequest(
            f"The page cannot be written as {out.name!r}: give a name that ends in .html."
        )
    services = create_services()
    lesson = _lesson(services, named)
    write: Callable[[Services, Lesson, str | None], str] = resolve_name(PAGE)
    html = write(services, lesson, None if judge == "none" else judge)
    with folders.open_export_file(out, out.name, force) as folder:
        folder.write_text(out.name, html)
    say(f"{out}: {len(lesson.items)} exercises, {len(html) / 1e6:.1f} MB")
    return DONE


@commands.command("link")
def link(named: LessonArgument) -> int:
    """Print what follows the dashboard's address in the link of a set; it holds the whole set."""
    say(f"{_ADDRESS}{token(_lesson(create_services(), named))}")
    return DONE


@commands.command("sets")
def sets(as_json: JsonOption = False) -> int:
    """List the sets that were made here, the newest first, with how many answers each has."""
    lessons = create_services().store.lessons
    rows = [
        {
            "id": lesson.id,
            "title": lesson.title,
            "answers": len(lessons.answers(lesson.id)),
            "link": f"{_ADDRESS}{lesson.token}",
        }
        for lesson in lessons.all()
    ]
    columns = (
        TextColumn("id", lambda row: row["id"]),
        TextColumn("title", lambda row: row["title"]),
        TextColumn("answers", lambda row: str(row["answers"])),
    )
    printing.print_result(as_json, rows, printing.table(columns, rows))
    return DONE


@commands.command("answers")
def answers(named: LessonArgument, as_json: JsonOption = False) -> int:
    """Print what learners first said of each exercise of a set, as CSV."""
    services = create_services()
    first_answers = services.store.lessons.answers(_lesson(services, named).id)
    printing.print_result(
        as_json,
        [row._asdict() for row in classes.rows(first_answers)],
        classes.table(first_answers).rstrip("\n"),
    )
    return DONE


@commands.command("how")
def make_how(
    out: Annotated[Path, typer.Argument(help="The folder to write.")] = walkthrough.FOLDER,
) -> int:
    """Make anew the data of How it works: one picture, judged by all five methods.

    It uses the embedded models.
    """
    shown = walkthrough.make(create_services(), out)
    say(f"run {shown.run} and {len(shown.halo)} questions to the judge: {out}")
    return DONE


@commands.command("odd-one-out")
def make_odd_one_out(
    out: Annotated[Path, typer.Argument(help="The folder to write.")] = ROUNDS_FOLDER,
) -> int:
    """Make anew the twelve rounds of the first page: their images, the truth, the judge's answers.

    It uses the embedded judge.
    """
    made = odd_one_out.make_rounds(create_services(), out)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    say(
        f"{len(made.rounds)} rounds and an example, {size / 1000:.0f} kB: {out}\n"
        f"{made.judge} finds the odd image in {judge_score(made.rounds)} of {len(made.rounds)}"
        " rounds."
    )
    return DONE


@commands.command("lessons")
def make_ready_lessons(
    out: Annotated[Path, typer.Argument(help="The folder to write.")] = LESSONS_FOLDER,
) -> int:
    """Make the three ready lessons anew: their images, the truth, the judge's answers.

    It uses the embedded judge.
    """
    made = class_lessons.make_lessons(create_services(), out)
    size = sum(file.stat().st_size for file in out.rglob("*") if file.is_file())
    for lesson in made.lessons:
        images = sum(step.image is not None for step in lesson.steps)
        say(f"{lesson.title} {len(lesson.steps)} steps, {images} images")
    say(f"{size / 1000:.0f} kB: {out}")
    return DONE


def _lesson(services: Services, named: str) -> Lesson:
    """Return the set of a file, a link or an id; raise BadRequest where there is none."""
    with refuse(BadLesson):
        if Path(named).suffix.lower() in (".yaml", ".yml"):
            return read_lesson(Path(named))
        stored = [lesson for lesson in services.store.lessons.all() if lesson.id == named]
        if stored:
            return read_token(stored[0].token)
        return read_token(named.rpartition("set=")[2].partition("&")[0])
