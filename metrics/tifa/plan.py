"""Plans TIFA-style questions from the prompt alone, to compare I-HallA with.

It shows what external knowledge adds (I-HallA's appendix D).

After Hu et al., TIFA (ICCV 2023): the elements of the prompt, and for each a question to be
answered with yes and one whose answer is the element. A writer finds them, or rules do where there
is none. Nothing here calls a model.
"""

import random
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

from hallascope.data.files.tidy import line
from hallascope.data.lexicon import NamedThing, noun_forms
from hallascope.data.prompts.templates import Template, template
from hallascope.data.records import LETTERS, CoI, Question, Verdict
from hallascope.data.requests import Answer, Ask, Failure, Reply, Request, Write
from hallascope.metrics.base import Case, Metric, Plan, text_reply
from hallascope.metrics.ihalla import plan as ihalla
from hallascope.metrics.parsing.words import english
from hallascope.metrics.parsing.words.language import NUMBERS, article, capitalize_first
from hallascope.metrics.tifa import replies as tifa_replies
from hallascope.metrics.tifa.elements import PromptThing, ThingRelation, elements

NAME = "tifa"
READING = (
    2  # raise it with every change of a reading or scoring rule, and of the rules in `elements`
)
ORIGIN = "TIFA-style, by rule"
_COLORS = ("red", "orange", "yellow", "green", "blue", "purple", "pink", "black")
_COMMON = (
    *(
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
    ),
    *("bridge", "lamp", "horse", "cup", "train", "table", "fish", "ladder"),
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
    ask = template("tifa_ask", prompts, places=("question", "choices"))
    writing = template("tifa_questions", prompts, places=("prompt",))
    version = f"{READING}+{ask.version}+{writing.version}"
    start = partial(plan, ask=ask, writing=writing)
    return Metric(
        name=NAME,
        title="TIFA-style",
        version=version,
        required_roles=("judge",),
        plan=start,
        scores=ihalla.SCORES,
        presents="questions",
        readable=readable,
        needs_questions=False,
        optional_roles=("writer",),
        judge_template="tifa_ask",
    )


def plan(case: Case, ask: Template | None = None, writing: Template | None = None) -> Plan:
    """Plan the questions first, by the writer if the case has one, then ask the judge each of them.

    Reports of the two ways have different versions, so that they are never averaged. A writer
    without a usable reply is one verdict without an answer; a prompt without elements has no
    verdicts and no score, one that is not English is one verdict without an answer.
    """
    ask = ask or template("tifa_ask")
    writing = writing or template("tifa_questions")
    by = writing.version if "writer" in case.roles else "rules"
    version = f"{READING}+{ask.version}+{by}"
    if "writer" in case.roles:
        (reply,) = yield [
            Write(writing.fill({"prompt": line(case.prompt)}), writing.version, tifa_replies.SCHEMA)
        ]
        asked = parse_written_questions(reply)
        if isinstance(asked, Verdict):
            return ihalla.report(case, (asked,), version, NAME)
    elif why := english.not_english_reason(
        case.prompt, "the rule that makes the questions", ", or choose a writer for the questions"
    ):
        lost = Verdict(question=_UNWRITTEN, answer=None, state="failed", raw="", failure=why)
        return ihalla.report(case, (lost,), version, NAME)
    else:
        asked = questions(case.prompt)
    replies = (yield [ihalla.request(case, question, ask) for question in asked]) if asked else []
    verdicts = tuple(
        ihalla.question_verdict(question, reply)
        for question, reply in zip(asked, replies, strict=True)
    )
    return ihalla.report(case, verdicts, version, NAME)


def readable(request: Request, reply: Reply) -> bool:
    """Return whether a reply of the judge names one choice, or the writer's holds questions."""
    if isinstance(request, Write):
        return (
            isinstance(reply, Answer)
            and tifa_replies.parse_element_questions(reply.text) is not None
        )
    return isinstance(request, Ask) and ihalla.readable(request, reply)


# what stands in a report in the place of questions that nobody wrote
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
    said = text_reply(reply, "writer")
    if isinstance(said, Failure):
        return Verdict(
            question=_UNWRITTEN,
            answer=None,
            state="failed",
            raw="",
            failure=f"The writer gave no questions: {said.message}",
        )
    found = tifa_replies.parse_element_questions(said.text)
    return (
        Verdict(question=_UNWRITTEN, answer=None, state="unreadable", raw=said.text)
        if found is None
        else found
    )


# --- questions by rule


def questions(prompt: str) -> tuple[Question, ...]:
    """Return the questions of a prompt by rule, two for each element.

    The same prompt always gives the same. () where it names nothing.
    """
    found = elements(prompt)
    asked = [question for thing in found.things for question in _of_thing(thing, found.things)]
    asked += [
        question
        for relation in found.relations
        for question in _of_relation(relation, found.things)
    ]
    return tuple(
        question
        for question in dict.fromkeys(asked)
        if len(set(map(str.casefold, question.choices))) == len(question.choices)
    )


def _of_thing(thing: PromptThing, all_things: Sequence[PromptThing]) -> Iterator[Question]:
    if thing.absent:
        yield Question(
            text=_is_there(thing), choices=("Yes", "No"), gold="B", coi="existence", origin=ORIGIN
        )
        return
    yield _yes(_is_there(thing), "existence")
    yield _choose(
        "What is shown in the image?", thing.name_phrase, _strangers(thing, all_things), "existence"
    )
    if thing.count:
        numbers = [
            n for n in (thing.count + 1, thing.count - 1, thing.count + 2, thing.count + 3) if n > 0
        ]
        yield from _question_pair(
            f"How many {thing.plural} are in the image?",
            _number(thing.count),
            [_number(n) for n in numbers],
            "counting",
        )
    if thing.colour:
        others = random.Random(f"{thing.name_phrase} {thing.colour}").sample(
            [c for c in _COLORS if c != thing.colour], 3
        )
        yield from _question_pair(
            f"What color {_verb(thing)} the {thing.name_phrase} in the image?",
            thing.colour,
            others,
            "color",
        )


def _of_relation(relation: ThingRelation, all_things: Sequence[PromptThing]) -> Iterator[Question]:
    first = relation.first
    second = relation.second
    if relation.words in _SIDES:
        for side, thing, other in zip(
            _SIDES[relation.words], (first, second), (second, first), strict=True
        ):
            wrong = [other.name_phrase, *_strangers(thing, all_things)]
            yield _choose(f"What is {side} in the image?", thing.name_phrase, wrong, "relation")
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
        return f"{capitalize_first(_verb(thing))} the {thing.name} in the image?"
    if thing.many:
        return f"Are there {thing.name} in the image?"
    return f"Is there {article(thing.name) if thing.article else thing.name} in the image?"


def _verb(thing: PromptThing) -> str:
    return "are" if thing.many else "is"


def _number(n: int) -> str:
    return NUMBERS[n] if n < len(NUMBERS) else str(n)


def _strangers(thing: PromptThing, all_things: Sequence[PromptThing]) -> list[str]:
    """Return three names of other things, of the same kind where the lexicon has the thing.

    The same things always give the same names.
    """
    named = {one.singular.casefold() for one in all_things}
    said = {word for name in named for word in name.split()}
    chance = random.Random(" ".join(sorted(named)) + thing.name_phrase)
    if thing.known:
        pool = [one for one in _kin(thing.known) if one.singular.casefold() not in named]
    else:
        pool = [PromptThing(name=name) for name in _COMMON if name not in said]
    return [one.plural if thing.many else one.singular for one in chance.sample(pool, 3)]


def _kin(known: NamedThing) -> list[PromptThing]:
    """Return the other things of the lexicon that are of the same kind."""
    named = dict.fromkeys(noun.thing for noun in noun_forms().values())
    return [
        PromptThing(name=one.name, known=one)
        for one in named
        if one.kind == known.kind and one != known
    ]


def _question_pair(text: str, gold: str, wrong: Sequence[str], coi: CoI) -> Iterator[Question]:
    yield _yes(f"{text} {capitalize_first(gold)}?", coi)
    yield _choose(text, gold, wrong, coi)


def _yes(text: str, coi: CoI) -> Question:
    return Question(text=text, choices=("Yes", "No"), gold="A", coi=coi, origin=ORIGIN)


def _choose(text: str, gold: str, wrong: Sequence[str], coi: CoI) -> Question:
    """Return a question with four choices, in a random order that depends on the question alone."""
    choices = [capitalize_first(each) for each in (gold, *wrong[:3])]
    random.Random(f"{text} {gold}").shuffle(choices)
    return Question(
        text=text,
        choices=tuple(choices),
        gold=LETTERS[choices.index(capitalize_first(gold))],
        coi=coi,
        origin=ORIGIN,
    )
