"""Holds the commands about questions: make, show and import."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from hallascope.cli.options import OURS, JsonOption, SpendingOptions, WordingOption, WriterOption
from hallascope.cli.output import printing
from hallascope.cli.output.printing import problem_lines
from hallascope.cli.terminal import DONE, FAILURES, say
from hallascope.data.records import LETTERS, Question
from hallascope.engine.errors import BadRequest
from hallascope.engine.questions.generation import (
    AnswerProgress,
    QuestionGenerationEvent,
    Writing,
    make_set,
    with_category,
)
from hallascope.engine.services import create_services
from hallascope.metrics.ihalla.agents import GeneratedQuestions, MergedReasoning
from hallascope.metrics.ihalla.reasoning import LabeledPicture


def make(
    prompt: str,
    *,
    spending: SpendingOptions,
    writer: WriterOption = None,
    judge: str | None = None,
    reference: list[Path] | None = None,
    wrong: list[Path] | None = None,
    category: bool = False,
    save: bool = False,
    wording: WordingOption = OURS,
    as_json: JsonOption = False,
) -> int:
    """Make five questions from images that you know are right or wrong (I-HallA).

    The judge explains each image; the writer turns the right explanations into questions.

    Args:
        prompt: What the images should show.
        writer: The model that writes the questions; without it --category is read from Primer's
            concepts.
        judge: The model that looks at the images; not needed without images.
        reference: A correct image; may be repeated.
        wrong: A wrong image; may be repeated.
        category: Only find the category of the prompt, of I-HallA's nine.
        save: Save the questions or the category.
    """
    if category:
        return _categorize(prompt, writer, spending, save, wording, as_json)
    if not writer:
        raise BadRequest("No writer is named: give the model that writes with --writer NAME.")
    services = create_services()
    labels = [(path, True) for path in reference or ()] + [(path, False) for path in wrong or ()]
    materials = [LabeledPicture(services.import_picture(path), factual) for path, factual in labels]
    reasoned = MergedReasoning("")
    made = GeneratedQuestions()
    maker = services.question_maker
    texts = services.wording_texts(wording)
    terms = spending.policy
    for event in maker.reason_about(prompt, materials, judge, writer, terms, texts=texts):
        reasoned = event if isinstance(event, MergedReasoning) else reasoned
        _print_event(event, quiet=as_json)
    if reasoned.text:
        for event in maker.make_questions(prompt, reasoned.text, writer, terms, texts=texts):
            made = event if isinstance(event, GeneratedQuestions) else made
            _print_event(event, quiet=as_json)
    is_whole = len(made.questions) == 5
    # fewer replace no set that is saved, which a person may have reviewed
    saved = save and (is_whole or (bool(made.questions) and not services.sets.is_saved(prompt)))
    if save and made.questions and not saved:
        say(f"Not saved: {len(made.questions)} of 5 questions, and a set is saved already.")
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
        as_json,
        _made_json(reasoned, made, saved),
        _made_text(reasoned, made),
        next_step=f'hallascope evaluate "{prompt}" --model NAME' if saved else "",
    )
    return DONE if is_whole and not reasoned.problem else FAILURES


def _print_event(event: QuestionGenerationEvent, quiet: bool) -> None:
    match event:
        case AnswerProgress(reasoning=answer, done=done, of=of) if not quiet:
            words = answer.response or answer.failure or "not readable"
            say(f"answer {done} of {of}: {words} ({answer.state})")
        case Writing() if not quiet:
            say("the writer is at work")
        case _:
            pass


def _made_json(reasoned: MergedReasoning, made: GeneratedQuestions, saved: bool) -> dict[str, Any]:
    """Return what came of making questions for a prompt, as a document."""
    return {
        "reasoning": reasoned.text,
        "answers": [
            {
                "image": each.material.picture.sha256,
                "factual": each.material.factual,
                "state": each.state,
                "response": each.response,
                "visual": each.visual,
                "contextual": each.contextual,
                "failure": each.failure,
            }
            for each in reasoned.reasonings
        ],
        "difficulty": reasoned.difficulty,
        "questions": made.questions,
        "rejected": made.rejected,
        "problems": _problems(reasoned, made),
        "saved": saved,
    }


def _made_text(reasoned: MergedReasoning, made: GeneratedQuestions) -> str:
    """Return what came of making questions for a prompt, for people."""
    rejected = [f"set {each.number} rejected: {each.reason}" for each in made.rejected]
    remarks = "\n".join([*rejected, *_problems(reasoned, made)])
    return printing.join_parts(reasoned.text, questions_text(made.questions), remarks)


def _problems(reasoned: MergedReasoning, made: GeneratedQuestions) -> list[str]:
    return [problem for problem in (reasoned.problem, made.failure, made.note) if problem]


def questions_text(questions: Sequence[Question]) -> str:
    """Return questions as people read them, the right answer marked."""
    blocks = []
    for position, question in enumerate(questions, 1):
        lines = [f"{position}. {question.text} [{question.coi}]"]
        for letter, choice in zip(LETTERS, question.choices, strict=False):
            mark = "*" if letter == question.gold else " "
            lines.append(f"   {mark} {letter}) {choice}")
        blocks.append("\n".join(lines))
    return printing.join_parts(*blocks)


def _categorize(
    prompt: str,
    writer: str | None,
    spending: SpendingOptions,
    save: bool,
    wording: str,
    as_json: bool,
) -> int:
    """Say to which of I-HallA's nine categories a prompt belongs, and why."""
    services = create_services()
    texts = services.wording_texts(wording)
    answer = services.question_maker.categorize(prompt, writer, spending.policy, texts=texts)
    if save:
        services.sets.save(with_category(services.sets.for_prompt(prompt), answer))
    category, reason = answer.value or (None, "")
    record = {
        "category": category,
        "field": category.field if category else None,
        "reason": reason,
        "problem": answer.problem,
        "saved": save,
    }
    name = f"{category.value} ({category.field})" if category else "none of the nine categories"
    words = answer.problem or (f"{name}: {reason}" if reason else name)
    printing.print_result(as_json, record, words)
    return FAILURES if answer.problem else DONE


def show(
    prompts: list[str] | None = None,
    *,
    out: Path | None = None,
    remove: bool = False,
    as_json: JsonOption = False,
) -> int:
    """Show the questions of a prompt (saved ones, else Primer's), or list all saved sets.

    Args:
        prompts: The prompt; with --out or --remove several.
        out: Write these sets, or all, to this file, .xlsx (the authors' form) or .jsonl.
        remove: Forget the saved questions of these prompts.
    """
    sets = create_services().sets
    named = prompts or []
    if out:
        number = sets.export(out, prompts or None)
        record = {"written": number, "file": out}
        printing.print_result(as_json, record, f"{number} sets written to {out}")
        return DONE
    if remove:
        if not named:
            raise BadRequest("No prompt is named: name the one whose questions are removed.")
        for prompt in named:
            sets.remove(prompt)
        lines = [f"Removed the questions of {prompt!r}." for prompt in named]
        printing.print_result(as_json, {"removed": named}, lines)
        return DONE
    if named:
        saved = sets.for_prompt(named[0])
        printing.print_result(as_json, saved, questions_text(saved.questions))
        return DONE
    every = sets.all()
    table = printing.table(
        {
            "prompt": each.prompt,
            "questions": len(each.questions),
            "source": each.source,
            "made": each.provenance.made if each.provenance else None,
        }
        for each in every
    )
    printing.print_result(as_json, every, table or "No set of questions is saved.")
    return DONE


def read(path: Path, *, as_json: JsonOption = False) -> int:
    """Save the questions of a file; every fault is named by file, sheet and row.

    Args:
        path: A file .xlsx or .jsonl, or the published files of TIFA, DSG, GenEval or WISE.
    """
    loaded = create_services().sets.load(path)
    printing.print_result(
        as_json,
        {"saved": [saved.prompt for saved in loaded.sets], "complaints": loaded.complaints},
        lambda: [f"{len(loaded.sets)} sets saved", problem_lines(loaded.complaints)],
    )
    return FAILURES if loaded.complaints else DONE
