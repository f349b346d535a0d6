"""Plans TIFA-style questions from the prompt alone, to compare I-HallA with.

It shows what external knowledge adds (I-HallA's appendix D).

After Hu et al., TIFA (ICCV 2023): the elements of the prompt, and for each a question to be
answered with yes and one whose answer is the element. A writer finds them, or rules do where there
is none. Nothing here calls a model.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from hallascope.data.evidence import Evidence
from hallascope.data.files.tidy import line
from hallascope.data.lexicon import capitalize, noun_forms, with_article
from hallascope.data.prompt_reading import PromptReading
from hallascope.data.records import LETTERS, CoI, Question, Verdict
from hallascope.data.requests import Answer, Ask, Failure, ReadPrompt, Reply, Request, Write
from hallascope.data.wordings.templates import Template, template
from hallascope.metrics.base import Case, Metric, Plan, text_reply
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.reading.case_reading import (
    is_readable_reading,
    parser_version,
    read_case,
)
from hallascope.metrics.reading.model_reading import reading_template
from hallascope.metrics.reading.thing_names import is_acceptable
from hallascope.metrics.reading.words.language import number_word
from hallascope.metrics.replies.letters import unread_reason
from hallascope.metrics.tifa import replies as tifa_replies
from hallascope.metrics.tifa.elements import (
    Elements,
    PromptThing,
    ThingRelation,
    elements_of_reading,
)

NAME = "tifa"
# Raise it with every change of a reading or scoring rule, and of the rules in `elements`.
READING = 10
ORIGIN = "TIFA-style, by rule"
_COLORS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black")
_COMMON = (
    "dog",
    "car",
    "tree",
    "house",
    "chair",
    "book",
    "boat",
    "bird",
    "flower",
    "bottle",
    "mountain",
    "clock",
    "bridge",
    "lamp",
    "horse",
    "cup",
    "train",
    "table",
    "fish",
    "ladder",
)
_SIDES = {
    "to the left of": ("on the left", "on the right"),
    "to the right of": ("on the right", "on the left"),
    "above": ("at the top", "at the bottom"),
    "below": ("at the bottom", "at the top"),
}
_PLACES = ("on", "under", "behind", "next to", "in front of", "in")


def metric(prompts: Path | None = None) -> Metric:
    """Return the metric with the templates of a folder (None: ours).

    Raises TemplateError where one of them cannot be used.
    """
    ask = template("tifa_ask", prompts)
    writing = template("tifa_questions", prompts)
    parsing = reading_template(prompts)
    return Metric(
        name=NAME,
        title="TIFA-style",
        definition=(
            "TIFA-style: the share of questions where the judge saw what the prompt says (0 to 1)."
        ),
        caveat="It checks only what the prompt says, no other fact.",
        version=f"{READING}+{ask.version}+{writing.version}{parser_version(parsing)}",
        required_roles=("judge",),
        plan=partial(plan, ask=ask, writing=writing, parsing=parsing),
        scores=ihalla.SCORES,
        presents="questions",
        readable=readable,
        needs_questions=False,
        reads_prompt=True,
        optional_roles=("writer", "parser"),
        judge_template="tifa_ask",
    )


def plan(case: Case, ask: Template, writing: Template, parsing: Template) -> Plan:
    """Plan the questions first, by the writer if the case has one, then ask the judge each of them.

    Reports of the two ways have different versions, so that they are never averaged. A writer
    without a usable reply is one verdict without an answer, and so is a prompt that nobody can
    read; one without elements has no verdicts and no score.
    """
    if "writer" in case.roles:
        version = f"{READING}+{ask.version}+{writing.version}"
        text = writing.fill({"prompt": line(case.prompt)})
        (reply,) = yield [Write(text, writing.version, tifa_replies.SCHEMA)]
        made = parse_written_questions(reply)
        evidence = None
    else:
        read = yield from read_case(case, parsing, "fig")
        version = f"{READING}+{ask.version}+rules{read.version}"
        made = questions(read.reading)
        evidence = Evidence(reading=read.reading, notes=read.notes)
    if isinstance(made, Verdict):
        return replace(ihalla.report(case, (made,), version, NAME), evidence=evidence)
    replies = (yield [ihalla.request(case, question, ask) for question in made]) if made else []
    verdicts = tuple(
        ihalla.question_verdict(question, reply)
        for question, reply in zip(made, replies, strict=True)
    )
    return replace(ihalla.report(case, verdicts, version, NAME), evidence=evidence)


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a reply of the judge names one choice, or the writer's holds questions."""
    if isinstance(request, Ask):
        return ihalla.readable(request, reply)
    if isinstance(request, ReadPrompt):
        return is_readable_reading(request, reply)
    if isinstance(request, Write) and isinstance(reply, Answer) and not reply.truncated:
        return tifa_replies.parse_element_questions(reply.text) is not None
    return False


# What a report holds in the place of questions that nobody wrote.
_UNWRITTEN = Question(
    text="Which questions follow from the prompt?",
    choices=("Those of the writer", "None"),
    gold="A",
    coi="others",
)


def parse_written_questions(reply: Reply) -> tuple[Question, ...] | Verdict:
    """Return the writer's questions, or what became of them.

    Raises TypeError where the reply is no text.
    """
    answer = text_reply(reply, "writer")
    if isinstance(answer, Failure):
        return Verdict(
            question=_UNWRITTEN,
            answer=None,
            state="failed",
            raw="",
            failure=f"The writer gave no questions: {answer.message}",
        )
    written = tifa_replies.parse_element_questions(answer.text)
    if answer.truncated or written is None:
        lack = "The writer's reply holds no questions"
        return Verdict(
            question=_UNWRITTEN,
            answer=None,
            state="unreadable",
            raw=answer.text,
            failure=unread_reason(answer.text, lack, answer.truncated, who="writer"),
        )
    return written


# --- questions by rule


def questions(reading: PromptReading) -> tuple[Question, ...] | Verdict:
    """Return the questions of a reading by rule, two for each element; () where it has none.

    The same reading always gives the same. Where nobody can read the prompt, the verdict says why.
    """
    if reading.unreadable:
        return Verdict(
            question=_UNWRITTEN,
            answer=None,
            state="failed",
            raw="",
            failure=reading.unreadable,
        )
    return element_questions(elements_of_reading(reading))


def element_questions(named: Elements) -> tuple[Question, ...]:
    """Return the questions about what a prompt names, two for each element."""
    distinct: dict[Question, None] = {}
    for thing in named.things:
        distinct |= dict.fromkeys(_thing_questions(thing, named.things))
    for relation in named.relations:
        distinct |= dict.fromkeys(_relation_questions(relation, named.things))
    return tuple(
        question
        for question in distinct
        if len(set(map(str.casefold, question.choices))) == len(question.choices)
    )


def _thing_questions(thing: PromptThing, all_things: Sequence[PromptThing]) -> Iterator[Question]:
    """Yield whether a thing is there and what it is; how many there are, and in which color."""
    is_there = _yes_question(_is_there(thing), "existence")
    if thing.absent:
        yield replace(is_there, gold="B")
        return
    yield is_there
    others = _other_names(thing, all_things)
    yield _choice_question("What is shown in the image?", thing.name_phrase, others, "existence")
    if thing.count:
        count = thing.count
        numbers = [count + 1, count - 1, count + 2, count + 3]
        yield from _question_pair(
            f"How many {thing.plural} are in the image?",
            number_word(count),
            [number_word(number) for number in numbers if number > 0],
            "counting",
        )
    if thing.color:
        chance = random.Random(f"{thing.name_phrase} {thing.color}")
        other_colors = [color for color in _COLORS if color != thing.color]
        yield from _question_pair(
            f"What color {_verb(thing)} the {thing.name_phrase} in the image?",
            thing.color,
            chance.sample(other_colors, 3),
            "color",
        )


def _relation_questions(
    relation: ThingRelation, all_things: Sequence[PromptThing]
) -> Iterator[Question]:
    """Yield what is on each side, where the relation has sides; else where the first thing is."""
    first = relation.first
    second = relation.second
    if relation.words in _SIDES:
        for side, thing, other in zip(
            _SIDES[relation.words], (first, second), (second, first), strict=True
        ):
            wrong = [other.name_phrase, *_other_names(thing, all_things)]
            text = f"What is {side} in the image?"
            yield _choice_question(text, thing.name_phrase, wrong, "relation")
        return
    places = [place for place in _PLACES if place != relation.words]
    wrong = [f"{place} the {second.name_phrase}" for place in places]
    yield from _question_pair(
        f"Where {_verb(first)} the {first.name_phrase} in the image?",
        f"{relation.words} the {second.name_phrase}",
        wrong,
        "relation",
    )


def _is_there(thing: PromptThing) -> str:
    if thing.known:
        return f"Is there {thing.known.phrase} in the image?"
    if thing.article == "the":
        return f"{capitalize(_verb(thing))} the {thing.name} in the image?"
    if thing.many:
        return f"Are there {thing.name} in the image?"
    return f"Is there {with_article(thing.name) if thing.article else thing.name} in the image?"


def _verb(thing: PromptThing) -> str:
    return "are" if thing.many else "is"


def _other_names(thing: PromptThing, all_things: Sequence[PromptThing]) -> list[str]:
    """Return three names of other things, of the same kind where the lexicon has the thing.

    The same things always give the same names.
    """
    names = {other.singular.casefold() for other in all_things}
    words = {word for name in names for word in name.split()}
    common = [PromptThing(name=name) for name in _COMMON if name not in words]
    if thing.known:
        all_known = dict.fromkeys(noun.thing for noun in noun_forms().values())
        pool = [
            PromptThing(name=other.name, known=other)
            for other in all_known
            if other.kind == thing.known.kind
            and other != thing.known
            and other.name.casefold() not in names
        ]
    else:
        pool = [
            other for other in common if not any(is_acceptable(name, other.name) for name in names)
        ]
    chance = random.Random(" ".join(sorted(names)) + thing.name_phrase)
    chosen = chance.sample(pool, min(3, len(pool)))
    chosen += [other for other in common if other not in chosen][: 3 - len(chosen)]
    return [other.plural if thing.many else other.singular for other in chosen]


def _question_pair(text: str, gold: str, wrong: Sequence[str], coi: CoI) -> Iterator[Question]:
    """Yield a question to be answered with yes, then the same with choices."""
    yield _yes_question(f"{text} {capitalize(gold)}?", coi)
    yield _choice_question(text, gold, wrong, coi)


def _yes_question(text: str, coi: CoI) -> Question:
    return Question(text=text, choices=("Yes", "No"), gold="A", coi=coi, origin=ORIGIN)


def _choice_question(text: str, gold: str, wrong: Sequence[str], coi: CoI) -> Question:
    """Return a question with four choices, in a random order that depends on the question alone."""
    choices = [capitalize(choice) for choice in (gold, *wrong[:3])]
    random.Random(f"{text} {gold}").shuffle(choices)
    return Question(
        text=text,
        choices=tuple(choices),
        gold=LETTERS[choices.index(capitalize(gold))],
        coi=coi,
        origin=ORIGIN,
    )
