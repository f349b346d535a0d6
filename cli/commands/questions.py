"""Holds the commands about questions: make, categorize, show, import, export, remove.

Exit codes as in `hallascope.cli.main`.
"""

from pathlib import Path
from typing import Annotated

import typer

from hallascope.cli.output import printing
from hallascope.cli.output.problems import problem_lines
from hallascope.cli.terminal import (
    DONE,
    FAILURES,
    BudgetOption,
    DayBudgetOption,
    JsonOption,
    UnpricedOption,
    WordingOption,
    say,
)
from hallascope.data.wordings.catalog import OURS
from hallascope.engine.money.budget import SpendingPolicy
from hallascope.engine.questions.categories import with_category
from hallascope.engine.questions.generation import AnswerProgress, QuestionGenerationEvent, Writing
from hallascope.engine.questions.made_sets import make_set
from hallascope.engine.services import create_services
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.reasoning import LabeledPicture

commands = typer.Typer(
    no_args_is_help=True,
    rich_markup_mode=None,
    help="The questions of prompts: make, categorize, show, import, export, remove.",
)


@commands.command("make")
def make(
    prompt: Annotated[str, typer.Argument(help="What the images should show.")],
    writer: Annotated[str, typer.Option(help="The model that writes the questions.")],
    judge: Annotated[
        str | None,
        typer.Option(help="The model that looks at the images; none are needed without images."),
    ] = None,
    reference: Annotated[
        list[Path] | None, typer.Option(help="An image that is right; may be given several times.")
    ] = None,
    wrong: Annotated[
        list[Path] | None, typer.Option(help="An image that is wrong; may be given several times.")
    ] = None,
    save: Annotated[
        bool,
        typer.Option("--save", help="Save the questions as they are; else they are only shown."),
    ] = False,
    wording: WordingOption = OURS,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    as_json: JsonOption = False,
) -> int:
    """Make five questions from pictures whose label is known (I-HallA, stages 2 and 3).

    The judge reasons about them, and what was right is merged.
    """
    services = create_services()
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    labels = [(path, True) for path in reference or ()] + [(path, False) for path in wrong or ()]
    materials = [LabeledPicture(services.import_picture(path), factual) for path, factual in labels]
    reasoned = MergedReasoning("")
    made = GeneratedQuestions()
    maker = services.question_maker
    texts = services.wording_texts(wording)
    for event in maker.reason_about(prompt, materials, judge, writer, terms, texts=texts):
        reasoned = event if isinstance(event, MergedReasoning) else reasoned
        _print_event(event, quiet=as_json)
    if reasoned.text:
        steps = maker.make_questions(prompt, reasoned.text, writer, terms, texts=texts)
        for event in steps:
            made = event if isinstance(event, GeneratedQuestions) else made
            _print_event(event, quiet=as_json)
    saved = save and bool(made.questions)
    if saved:
        services.sets.save(
            make_set(
                prompt=prompt,
                reasoned=reasoned,
                generated=made,
                writer=writer,
                judge=judge or "",
            )
        )
    printing.print_result(
        as_json, printing.made_json(reasoned, made, saved), printing.made_lines(reasoned, made)
    )
    return DONE if len(made.questions) == 5 and not reasoned.problem else FAILURES


def _print_event(event: QuestionGenerationEvent, quiet: bool) -> None:
    if quiet:
        return
    match event:
        case AnswerProgress(reasoning=answer, done=done, of=of):
            words = answer.response or answer.failure or "not readable"
            say(f"answer {done} of {of}: {words} ({answer.state})")
        case Writing():
            say("the writer is at work")
        case _:
            pass


@commands.command("categorize")
def categorize_prompt(
    prompt: Annotated[str, typer.Argument(help="What the images should show.")],
    writer: Annotated[
        str | None,
        typer.Option(help="The model that says the category; without it Primer's own concepts do."),
    ] = None,
    save: Annotated[
        bool, typer.Option("--save", help="Save the category with the prompt's questions.")
    ] = False,
    wording: WordingOption = OURS,
    budget: BudgetOption = None,
    budget_day: DayBudgetOption = None,
    unpriced: UnpricedOption = False,
    as_json: JsonOption = False,
) -> int:
    """Say to which of I-HallA's nine categories a prompt belongs, and why."""
    services = create_services()
    terms = SpendingPolicy(run=budget, day=budget_day, unpriced=unpriced)
    texts = services.wording_texts(wording)
    answer = services.question_maker.categorize(prompt, writer, terms, texts=texts)
    if save:
        services.sets.save(with_category(services.sets.for_prompt(prompt), answer))
    printing.print_result(
        as_json, printing.category_json(answer, saved=save), printing.category_line(answer)
    )
    return FAILURES if answer.problem else DONE


@commands.command("list")
def list_question_sets(as_json: JsonOption = False) -> int:
    """List all saved sets, by prompt."""
    sets = create_services().sets.all()
    printing.print_result(as_json, sets, printing.table(printing.QUESTION_SET_COLUMNS, sets))
    return DONE


@commands.command("show")
def show(
    prompt: Annotated[str, typer.Argument(help="The prompt.")], as_json: JsonOption = False
) -> int:
    """Show the questions of a prompt: those that were saved, else those of the Primer world."""
    saved = create_services().sets.for_prompt(prompt)
    printing.print_result(as_json, saved, printing.questions_lines(saved.questions))
    return DONE


@commands.command("import")
def read(
    path: Annotated[
        Path,
        typer.Argument(
            help="A file .xlsx or .jsonl, or questions as TIFA, DSG, GenEval or WISE publish them."
        ),
    ],
    as_json: JsonOption = False,
) -> int:
    """Save the questions of a file; what is wrong is named by file, sheet and row."""
    loaded = create_services().sets.load(path)
    if as_json:
        prompts = [saved.prompt for saved in loaded.sets]
        say(printing.document({"saved": prompts, "complaints": list(loaded.complaints)}))
    else:
        say(f"{len(loaded.sets)} sets saved\n{problem_lines(loaded.complaints)}".rstrip())
    return FAILURES if loaded.complaints else DONE


@commands.command("export")
def write(
    path: Annotated[
        Path, typer.Argument(help="The file to write, .xlsx (the authors' form) or .jsonl.")
    ],
    prompt: Annotated[
        list[str] | None,
        typer.Option(help="Only the questions of this prompt; may be given several times."),
    ] = None,
    as_json: JsonOption = False,
) -> int:
    """Write saved questions to a file."""
    number = create_services().sets.export(path, prompt)
    printing.print_result(
        as_json, {"written": number, "file": path}, f"{number} sets written to {path}"
    )
    return DONE


@commands.command("remove")
def remove(prompt: Annotated[str, typer.Argument(help="The prompt.")]) -> int:
    """Forget the saved questions of a prompt."""
    services = create_services()
    services.sets.remove(prompt)
    say(f"Removed the questions of {prompt!r}.")
    return DONE
