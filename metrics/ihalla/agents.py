"""Plans questions for any prompt: I-HallA's reasoning and question agents.

The source is Lim, Choi and Shim, AAAI 2025.

Stage 2: a judge says five times of each picture whose label is known whether it is right; what it
says is kept where it is right, and merged. Stage 3: a writer makes five questions of that. A
person reviews both. The paper's in-context examples are not published and not used. Nothing here
calls a model.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import get_args

from hallascope.data.files.tidy import line, paragraphs
from hallascope.data.records import Difficulty, Question
from hallascope.data.requests import Answer, Ask, Failure, Reply, Request, Write
from hallascope.data.wordings.templates import Template, template
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
from hallascope.metrics.replies.letters import strip_thinking

DRAWS = 5  # how often a judge is asked about one picture (paper, "Enhancing our dataset")
TEMPERATURE = 1.0  # the paper calls the five answers independent
_HEADINGS = {True: "About a picture that is right:", False: "About a picture that is wrong:"}
_NO_SET = (
    "The writer's reply holds no set of questions: ask again, choose another writer, or write the"
    " questions by hand."
)
_WHY_UNUSED = {
    "correct": "gave no evidence",
    "incorrect": "called the image wrong",
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
        """Return the answers that tell right and say why."""
        return tuple(reasoning for reasoning in self.reasonings if reasoning.is_usable)


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
        problem = "One image is given both as right and as wrong: take it out of one of the two."
        return MergedReasoning("", problem=problem)
    if not materials:
        return (yield from _reason_unseen(prompt, forms["ihalla_reason_unseen"]))
    form = forms["ihalla_reason"]
    asks = [_ask(prompt, material, form, draw) for material in materials for draw in range(DRAWS)]
    replies = yield list(asks)
    asked_materials = [material for material in materials for _ in range(DRAWS)]
    reasonings = tuple(map(parse_reasoning, asked_materials, replies))
    unmerged = MergedReasoning("", reasonings, difficulties(reasonings), templates=_versions(form))
    if not unmerged.kept_reasonings:
        return replace(unmerged, problem=_nothing_kept(reasonings))
    if len(unmerged.kept_reasonings) == 1:
        return replace(unmerged, text=_reasoning_lines(unmerged.kept_reasonings))
    return (yield from _merge(prompt, unmerged, forms["ihalla_merge"]))


def repeated_asks(
    prompt: str, material: LabeledPicture, ranks: bool = False, prompts: Path | None = None
) -> list[Ask]:
    """Return the `DRAWS` requests about one picture, each a draw of its own.

    A judge that ranks gets the two words as choices.

    Raises TemplateError where a template of the folder `prompts` cannot be used.
    """
    form = _forms(prompts)["ihalla_reason"]
    asks = [_ask(prompt, material, form, draw) for draw in range(DRAWS)]
    if ranks:
        return [replace(ask, choices=get_args(Response), schema=None) for ask in asks]
    return asks


def difficulties(reasonings: Sequence[Reasoning]) -> dict[str, Difficulty]:
    """Return the difficulty by picture (paper, table 1).

    A picture that has not five readable answers has none.
    """
    states_by_picture: dict[str, list[str]] = {}
    for reasoning in reasonings:
        if reasoning.state in ("correct", "incorrect"):
            sha256 = reasoning.material.picture.sha256
            states_by_picture.setdefault(sha256, []).append(reasoning.state)
    return {
        sha256: difficulty(states.count("correct"))
        for sha256, states in states_by_picture.items()
        if len(states) == DRAWS
    }


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
    names = ("ihalla_reason", "ihalla_reason_unseen", "ihalla_merge")
    return {name: template(name, prompts) for name in names}


def _versions(*forms: Template) -> dict[str, str]:
    return {form.path.stem: form.version for form in forms}


def _ask(prompt: str, material: LabeledPicture, form: Template, draw: int) -> Ask:
    return Ask(
        images=(material.picture,),
        text=form.fill({"caption": line(prompt)}),
        question="Is the image normal or weird?",
        choices=(),
        template=form.version,
        schema=SCHEMA,
        temperature=TEMPERATURE,
        seed=draw,
    )


def _reason_unseen(prompt: str, form: Template) -> PlanSteps[MergedReasoning]:
    (reply,) = yield [Write(form.fill({"caption": line(prompt)}), form.version)]
    written = _writer_text(reply)
    problem = ""
    if written.fault:
        wanted = "whole reasoning" if written.text else "reasoning"
        problem = (
            f"The writer gave no {wanted} ({written.fault}): write it by hand, or choose another"
            " writer."
        )
    return MergedReasoning(written.text, problem=problem, templates=_versions(form))


def _merge(prompt: str, unmerged: MergedReasoning, form: Template) -> PlanSteps[MergedReasoning]:
    """Let the writer merge the kept answers; where it fails they stand below one another."""
    kept = unmerged.kept_reasonings
    values = {
        "caption": line(prompt),
        "factual": _joined_texts(kept, factual=True),
        "hallucinated": _joined_texts(kept, factual=False),
    }
    (reply,) = yield [Write(form.fill(values), form.version)]
    written = _writer_text(reply)
    text = written.text
    problem = ""
    if written.fault:
        # The judge's answers are paid for: they are not lost with the writer's reply.
        text = _reasoning_lines(kept)
        problem = (
            f"The reasonings could not be merged ({written.fault}): they stand below one another;"
            " shorten them by hand."
        )
    templates = {**unmerged.templates, **_versions(form)}
    return replace(unmerged, text=text, problem=problem, templates=templates)


def _joined_texts(kept: Sequence[Reasoning], factual: bool) -> str:
    texts = [reasoning.text for reasoning in kept if reasoning.material.factual is factual]
    return "\n\n".join(texts) or "(nothing)"


def _reasoning_lines(kept: Sequence[Reasoning]) -> str:
    """Return the kept reasonings below one another, each with what it is about."""
    parts = [f"{_HEADINGS[reasoning.material.factual]}\n{reasoning.text}" for reasoning in kept]
    return paragraphs("\n\n".join(parts))


@dataclass(frozen=True)
class _WriterText:
    """Holds a writer's text, and its fault as the middle of a sentence, "" where there is none."""

    text: str
    fault: str


def _writer_text(reply: Reply) -> _WriterText:
    answer = text_reply(reply, "writer")
    if isinstance(answer, Failure):
        return _WriterText("", answer.message.rstrip(". "))
    text = paragraphs(strip_thinking(answer.text))
    if answer.truncated:
        return _WriterText(text, "its reply breaks off")
    return _WriterText(text, "" if text else "its reply is empty")


def _nothing_kept(reasonings: Sequence[Reasoning]) -> str:
    """Return the sentence that counts why no answer could be kept, with the first failure."""
    states = [reasoning.state for reasoning in reasonings]
    counts = [
        f"{states.count(state)} {words}" for state, words in _WHY_UNUSED.items() if state in states
    ]
    failures = [reasoning.failure for reasoning in reasonings if reasoning.failure]
    first = f" (first: {failures[0].rstrip('. ')})" if failures else ""
    return (
        f"No reasoning could be kept: of {len(reasonings)} answers {', '.join(counts)}{first}. "
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
    form = template("ihalla_questions", prompts)
    if not reasoning.strip():
        problem = "There is no reasoning to make questions of: write what a right image must show."
        return GeneratedQuestions(failure=problem)
    text = form.fill({"caption": line(prompt), "reasoning": paragraphs(reasoning)})
    request = Write(text, form.version, question_replies.SCHEMA)
    if draw:
        request = replace(request, temperature=TEMPERATURE, seed=draw)
    (reply,) = yield [request]
    return replace(collect_questions(reply, origin), templates=_versions(form))


def collect_questions(reply: Reply, origin: str = "") -> GeneratedQuestions:
    """Return what a writer's reply gives.

    Raises TypeError where the reply is no text, which no writer gives.
    """
    answer = text_reply(reply, "writer")
    if isinstance(answer, Failure):
        return GeneratedQuestions(failure=answer.message)
    questions, rejected = question_replies.parse_questions(answer.text, origin)
    if not questions and not rejected:
        return GeneratedQuestions(failure=_NO_SET, raw=answer.text)
    note = ""
    if len(questions) != SETS:
        breaks_off = ", and its reply breaks off" if answer.truncated else ""
        note = (
            f"The writer gave {len(questions) + len(rejected)} of {SETS} sets{breaks_off};"
            f" {len(questions)} can be used. Add what is missing, or ask again."
        )
    return GeneratedQuestions(questions=questions, rejected=rejected, note=note, raw=answer.text)
