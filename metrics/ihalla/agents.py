"""Plans questions for any prompt: I-HallA's reasoning and question agents.

The source is Lim, Choi and Shim, AAAI 2025.

Stage 2: a judge says five times of each picture whose label is known whether it is right; what it
says is kept where it tells right, and merged. Stage 3: a writer makes five questions of that. A
person reviews both. The paper's in-context examples are not published and not used. Nothing here
calls a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.files.tidy import tidy as tidy
from hallascope.data.prompts.templates import Template, template
from hallascope.data.records import Difficulty, Question
from hallascope.data.requests import Answer, Ask, Failure, Reply, Request, Write
from hallascope.metrics.base import PlanSteps, text_reply
from hallascope.metrics.ihalla import question_replies
from hallascope.metrics.ihalla.plan import difficulty
from hallascope.metrics.ihalla.question_replies import SETS, RejectedQuestion
from hallascope.metrics.ihalla.reasoning import (
    SCHEMA,
    LabeledPicture,
    Reasoning,
    Response,
    parse_reasoning,
    response,
)
from hallascope.metrics.ihalla.review_hints import concerns as concerns
from hallascope.metrics.ihalla.review_hints import concerns_of_all as concerns_of_all
from hallascope.metrics.replies.letters import strip_thinking

DRAWS = 5  # how often a judge is asked about one picture (paper, "Enhancing our dataset")
TEMPERATURE = (
    1.0  # our reading: the paper calls the five answers independent and gives no temperature
)
_SIDES = {"factual": True, "hallucinated": False}
_HEADINGS = {True: "About a picture that is right:", False: "About a picture that is wrong:"}
_NO_SET = (
    "The writer's reply holds no set of questions: ask again, choose another writer, or write the"
    " questions by hand."
)
_COUNTED = {
    "correct": "gave no evidence",
    "incorrect": "told it wrong",
    "unreadable": "could not be read",
    "failed": "never came",
}


@dataclass(frozen=True)
class MergedReasoning:
    """Holds what is known about the prompt: merged text, its answers, and difficulty.

    The difficulty is by picture (SHA-256).

    `problem` is "" or one sentence: what went wrong and what to do; `text` may then be "".
    `templates` are the versions of those that were used, by name.
    """

    text: str
    reasonings: tuple[Reasoning, ...] = ()
    difficulty: Mapping[str, Difficulty] = field(default_factory=dict)
    problem: str = ""
    templates: Mapping[str, str] = field(default_factory=dict)

    @property
    def kept_reasonings(self) -> tuple[Reasoning, ...]:
        return tuple(one for one in self.reasonings if one.is_usable)


@dataclass(frozen=True, kw_only=True)
class GeneratedQuestions:
    """Holds the questions that can stand, in the reply's order, and the sets that were rejected.

    `note` says where there are not five; `failure` is the sentence of a reply that never came or
    holds no set; `raw` is the reply.
    """

    questions: tuple[Question, ...] = ()
    rejected: tuple[RejectedQuestion, ...] = ()
    failure: str | None = None
    note: str = ""
    raw: str = ""
    templates: Mapping[str, str] = field(default_factory=dict)


# --- stage 2: reasoning


def reason(
    prompt: str, materials: Sequence[LabeledPicture] = (), *, prompts: Path | None = None
) -> PlanSteps[MergedReasoning]:
    """Ask the judge `DRAWS` times about each picture, and let the writer merge what was right.

    Without pictures the writer reasons from the prompt alone; one kept answer needs no merging.
    `prompts`: a folder whose templates go before ours. Raises TemplateError, before anything is
    asked, where one of them cannot be used.
    """
    forms = _forms(prompts)
    materials = list(
        {(material.picture.sha256, material.factual): material for material in materials}.values()
    )
    if len({material.picture.sha256 for material in materials}) < len(materials):
        return MergedReasoning(
            "",
            problem=(
                "One picture is given both as right and as wrong: take it out of one of the two."
            ),
        )
    if not materials:
        return (yield from _unseen(prompt, forms["ihalla_reason_unseen"]))
    asks = [
        _ask(prompt, material, forms["ihalla_reason"], draw)
        for material in materials
        for draw in range(DRAWS)
    ]
    replies = yield list(asks)
    told = tuple(parse_reasoning(materials[i // DRAWS], reply) for i, reply in enumerate(replies))
    found = MergedReasoning("", told, difficulties(told), "", _versions(forms["ihalla_reason"]))
    if not found.kept_reasonings:
        return replace(found, problem=_nothing_kept(told))
    if len(found.kept_reasonings) == 1:
        return replace(found, text=_reasoning_lines(found.kept_reasonings))
    return (yield from _merged(prompt, found, forms["ihalla_merge"]))


def often(
    prompt: str, material: LabeledPicture, ranks: bool = False, prompts: Path | None = None
) -> list[Ask]:
    """The `DRAWS` requests about one picture, each a draw of its own.

    A judge that ranks gets the two words as choices.

    Raises TemplateError where a template of the folder `prompts` cannot be used.
    """
    asks = [_ask(prompt, material, _forms(prompts)["ihalla_reason"], draw) for draw in range(DRAWS)]
    return (
        [replace(ask, choices=get_args(Response), schema=None) for ask in asks] if ranks else asks
    )


def difficulties(told: Sequence[Reasoning]) -> dict[str, Difficulty]:
    """Return the difficulty by picture (paper, table 1).

    Our reading: a picture that has not five readable answers has none.
    """
    found: dict[str, Difficulty] = {}
    for picture in dict.fromkeys(one.material.picture for one in told):
        answered = [
            one.state
            for one in told
            if one.material.picture == picture and one.state in ("correct", "incorrect")
        ]
        if len(answered) == DRAWS:
            found[picture.sha256] = difficulty(answered.count("correct"))
    return found


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a reply to one of these plans is worth keeping in a cache."""
    if not isinstance(reply, Answer):
        return False
    if isinstance(request, Ask):
        return response(reply.text) is not None
    if isinstance(request, Write) and request.schema == question_replies.SCHEMA:
        return bool(question_replies.parse_questions(reply.text)[0])
    return bool(strip_thinking(reply.text)) and not reply.truncated


def _forms(prompts: Path | None) -> dict[str, Template]:
    places = {
        "ihalla_reason": ("caption",),
        "ihalla_reason_unseen": ("caption",),
        "ihalla_merge": ("caption", "factual", "hallucinated"),
    }
    return {name: template(name, prompts, needed) for name, needed in places.items()}


def _versions(*forms: Template) -> dict[str, str]:
    return {form.path.stem: form.version for form in forms}


def _ask(prompt: str, material: LabeledPicture, form: Template, draw: int) -> Ask:
    text = form.fill({"caption": line(prompt)})
    question = "Is the image normal or weird?"
    return Ask(
        images=(material.picture,),
        text=text,
        question=question,
        choices=(),
        template=form.version,
        schema=SCHEMA,
        temperature=TEMPERATURE,
        seed=draw,
    )


def _unseen(prompt: str, form: Template) -> PlanSteps[MergedReasoning]:
    (reply,) = yield [Write(form.fill({"caption": line(prompt)}), form.version)]
    text, problem = _writer_text(reply)
    if problem:
        problem = (
            f"The writer gave no {'whole ' if text else ''}reasoning ({problem}): write it by hand,"
            " or choose another writer."
        )
    return MergedReasoning(text, problem=problem, templates=_versions(form))


def _merged(prompt: str, found: MergedReasoning, form: Template) -> PlanSteps[MergedReasoning]:
    sides = {
        name: [one for one in found.kept_reasonings if one.material.factual is side]
        for name, side in _SIDES.items()
    }
    texts = {
        name: "\n\n".join(one.text for one in told) or "(nothing)" for name, told in sides.items()
    }
    (reply,) = yield [Write(form.fill({"caption": line(prompt), **texts}), form.version)]
    text, problem = _writer_text(reply)
    if problem:  # what was paid for is not lost
        text = _reasoning_lines(found.kept_reasonings)
        problem = (
            f"The reasonings could not be merged ({problem}): they stand below one another; shorten"
            " them by hand."
        )
    return replace(
        found, text=text, problem=problem, templates={**found.templates, **_versions(form)}
    )


def _reasoning_lines(kept: Sequence[Reasoning]) -> str:
    """Return the kept reasonings below one another, each with what it is about."""
    return paragraphs("\n\n".join(f"{_HEADINGS[one.material.factual]}\n{one.text}" for one in kept))


def _writer_text(reply: Reply) -> tuple[str, str]:
    """Return a writer's text and its fault as the middle of a sentence, "" where there is none."""
    said = text_reply(reply, "writer")
    if isinstance(said, Failure):
        return "", said.message.rstrip(". ")
    text = paragraphs(strip_thinking(said.text))
    if said.truncated:
        return text, "its reply breaks off"
    return text, "" if text else "its reply is empty"


def _nothing_kept(told: Sequence[Reasoning]) -> str:
    states = [one.state for one in told]
    counts = [
        f"{states.count(state)} {words}" for state, words in _COUNTED.items() if state in states
    ]
    first = next((f" (first: {one.failure.rstrip('. ')})" for one in told if one.failure), "")
    return (
        f"No reasoning could be kept: of {len(told)} answers {', '.join(counts)}{first}. "
        "Write the reasoning by hand, or choose another judge."
    )


# --- stage 3: questions


def ask_questions(
    prompt: str, reasoning: str, *, origin: str = "", draw: int = 0, prompts: Path | None = None
) -> PlanSteps[GeneratedQuestions]:
    """Plan one writing of five sets.

    Those that can stand become questions of that `origin`, the others are rejected with the reason.

    `draw` 0 leaves the writer at its own settings; every other number is a fresh draw of its own.
    Raises TemplateError as `reason`.
    """
    form = template("ihalla_questions", prompts, ("caption", "reasoning"))
    if not reasoning.strip():
        return GeneratedQuestions(
            failure=(
                "There is no reasoning to make questions of: write what a right picture must show."
            )
        )
    text = form.fill({"caption": line(prompt), "reasoning": paragraphs(reasoning)})
    temperature, seed = (TEMPERATURE, draw) if draw else (None, None)
    (reply,) = yield [Write(text, form.version, question_replies.SCHEMA, temperature, seed)]
    return replace(collect_questions(reply, origin), templates=_versions(form))


def collect_questions(reply: Reply, origin: str = "") -> GeneratedQuestions:
    """Return what a writer's reply gives.

    Raises TypeError where the reply is no text, which no writer gives.
    """
    said = text_reply(reply, "writer")
    if isinstance(said, Failure):
        return GeneratedQuestions(failure=said.message)
    questions, rejected = question_replies.parse_questions(said.text, origin)
    if not questions and not rejected:
        return GeneratedQuestions(failure=_NO_SET, raw=said.text)
    return GeneratedQuestions(
        questions=questions,
        rejected=rejected,
        note=_note(len(questions), len(rejected), said.truncated),
        raw=said.text,
    )


def _note(taken: int, rejected: int, cut: bool) -> str:
    if taken == SETS:
        return ""
    broken = ", and its reply breaks off" if cut else ""
    return (
        f"The writer gave {taken + rejected} of {SETS} sets{broken}; {taken} can be used. Add what"
        " is missing, or ask again."
    )
