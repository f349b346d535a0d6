"""Plans the rounds of T2I-FactualBench for a judge that ranks choices: one criterion a question.

Such a judge (BLIP and its like, `primer/judge`) follows no instructions and gives no rating: the
rating is the number of criteria that are met, as the paper's scale defines it. Our reading: a
criterion that cannot be told is left out of it, and a concept in whose place another thing is shown
meets none. The judge does not see the prompt: what that asks to be otherwise than in the reference
counts as a difference.
"""

from collections.abc import Mapping, Sequence

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.files.tidy import line
from hallascope.data.prompts.templates import Template
from hallascope.data.records import CANNOT_TELL, LETTERS, Picture, Question
from hallascope.data.regions import Box, Detection
from hallascope.data.requests import Answer, Ask, Detect, Detected, Failure, Reply
from hallascope.metrics.base import PlanSteps, reply_of, text_reply
from hallascope.metrics.factualbench.report import (
    CriterionVerdict,
    Rounds,
    RoundVerdict,
    TaskVerdict,
    failed_round,
    missing_reference,
)
from hallascope.metrics.parsing.words.language import article
from hallascope.metrics.replies.letters import read_letter

CHOICES = ("Yes", "No", CANNOT_TELL)
THING = "Is the same thing shown in both images?"
QUESTIONS: Mapping[str, str] = {
    "shape": "Is the shape the same in both images?",
    "color": "Is the color the same in both images?",
    "texture": "Is the texture the same in both images?",
    "details": "Are the details the same in both images?",
}
UNSEEN: Mapping[str, str] = {
    "shape": "Is the shape of {concept} right in the image?",
    "color": "Is the color of {concept} right in the image?",
    "texture": "Is the texture of {concept} right in the image?",
    "details": "Are the details of {concept} right in the image?",
}
TOGETHER: Mapping[str, str] = {
    "seamless": "Do all things in the image blend in without seams?",
    "completeness": "Is everything in the image whole?",
    "authenticity": "Are the sizes and places of all things in the image possible?",
    "following": "Does the image show this: {prompt}?",
}
_NOTE = (
    "The composition was asked in questions of yes and no, which say little where the judge was not"
    " trained on their like."
)
_CANNOT_TELL = "The judge cannot tell."
_UNASKED = CriterionVerdict(
    "abstained", "Not asked: the prompt's own questions stand for the composition."
)


def rounds(
    image: Picture, prompt: FactualPrompt, form: Template, seen: bool, detector: bool = False
) -> PlanSteps[Rounds]:
    """Plan all rounds of the level in one step.

    A concept whose reference is gone is left out; without references none is needed.

    Of several concepts a detector, where there is one, is asked first where each is: the judge
    compares that part of the picture alone. Where the detector fails all is left out, as to compare
    whole pictures is another instrument.
    """
    places = (yield from _places(image, prompt)) if detector and len(prompt.concepts) > 1 else {}
    if isinstance(places, Failure):
        return _unplaced(prompt, f"The detector gave nothing: {places.message}")
    asking = ChoiceQuestions(image, prompt, form, seen, places)
    requests = asking.requests()
    replies = (yield list(requests)) if requests else []
    said = dict(zip(requests, replies, strict=True))
    concepts = tuple(asking.concept(concept, said) for concept in prompt.concepts)
    task = asking.task(said) if prompt.level != "SKCM" else None
    composition = asking.composition(said) if prompt.level == "MKCC" else None
    return Rounds(
        concepts, task, composition, (_NOTE,) if composition and not prompt.checks else (), places
    )


def _unplaced(prompt: FactualPrompt, why: str) -> Rounds:
    """Return the rounds of a picture in which nobody could say where the concepts are."""
    concepts = tuple(failed_round(concept.name, why) for concept in prompt.concepts)
    return Rounds(
        concepts,
        TaskVerdict(wanted=prompt.task_text, state="failed", note=why),
        failed_round("", why) if prompt.level == "MKCC" else None,
    )


def _places(image: Picture, prompt: FactualPrompt) -> PlanSteps[dict[str, Detection] | Failure]:
    """Return where each concept is, as the detector is surest.

    One that it does not find is looked for in the whole picture.
    """
    names = tuple(concept.name for concept in prompt.concepts)
    (reply,) = yield [Detect(image, names)]
    found = reply_of(reply, Detected, "detector")
    if isinstance(found, Failure):
        return found
    best: dict[str, Detection] = {}
    for one in found.detections:
        if one.phrase in names and one.score > (
            best[one.phrase].score if one.phrase in best else 0.0
        ):
            best[one.phrase] = one
    return best


class ChoiceQuestions:
    """Makes the questions about one picture, and reads what their replies come to."""

    def __init__(
        self,
        image: Picture,
        prompt: FactualPrompt,
        form: Template,
        seen: bool,
        places: Mapping[str, Detection] | None = None,
    ) -> None:
        self.image = image
        self.prompt = prompt
        self.form = form
        self.seen = seen
        self.places = places or {}

    def requests(self) -> list[Ask]:
        """Return every question once, in the order of the rounds."""
        found = [
            ask for concept in self.prompt.concepts for ask in self._of_concept(concept).values()
        ]
        if self.prompt.level != "SKCM":
            found += [*self._present().values(), *self._task_questions()]
        found += (
            self._together().values()
            if self.prompt.level == "MKCC" and not self.prompt.checks
            else ()
        )
        return list(dict.fromkeys(found))

    def concept(self, concept: ConceptRef, said: Mapping[Ask, Reply]) -> RoundVerdict:
        asks = self._of_concept(concept)
        if not asks:
            return missing_reference(concept)
        thing = read_criterion(asks.pop("thing"), said)
        if thing.state == "incorrect":
            return RoundVerdict(
                name=concept.name,
                criteria=dict.fromkeys(
                    asks, CriterionVerdict("incorrect", "Another thing is shown.")
                ),
                state="incorrect",
            )
        return count_criteria(
            concept.name, {kind: read_criterion(ask, said) for kind, ask in asks.items()}
        )

    def task(self, said: Mapping[Ask, Reply]) -> TaskVerdict:
        there = {name: read_criterion(ask, said) for name, ask in self._present().items()}
        if absent := tuple(name for name, one in there.items() if one.state == "incorrect"):
            return TaskVerdict(wanted=self.prompt.task_text, state="incorrect", absent=absent)
        done = first_open((*there.values(), self._task_criterion(said)))
        if done.state in ("correct", "incorrect"):
            return TaskVerdict(wanted=self.prompt.task_text, state=done.state, reason=done.reason)
        return TaskVerdict(wanted=self.prompt.task_text, state=done.state, note=done.reason)

    def composition(self, said: Mapping[Ask, Reply]) -> RoundVerdict:
        """Ask a prompt's own questions, if it has any, for "following", not the other criteria."""
        if self.prompt.checks:
            return count_criteria(
                "", dict.fromkeys(TOGETHER, _UNASKED) | {"following": self._task_criterion(said)}
            )
        return count_criteria(
            "", {kind: read_criterion(ask, said) for kind, ask in self._together().items()}
        )

    def _task_criterion(self, said: Mapping[Ask, Reply]) -> CriterionVerdict:
        """Return what the questions come to that are all answered right where the task is done."""
        right: Sequence[Question | None] = self.prompt.checks or (None,)
        return first_open(
            [
                read_criterion(ask, said, check)
                for ask, check in zip(self._task_questions(), right, strict=True)
            ]
        )

    def _of_concept(self, concept: ConceptRef) -> dict[str, Ask]:
        """Ask for the thing itself and the four criteria; nothing where the reference is gone."""
        if not self.seen:
            named = {kind: text.replace("{concept}", the(concept)) for kind, text in UNSEEN.items()}
            return {"thing": self._presence(concept)} | {
                kind: self._ask(text, CHOICES, of=concept) for kind, text in named.items()
            }
        if not concept.reference:
            return {}
        asked = {"thing": THING, **QUESTIONS}
        return {
            kind: self._ask(text, CHOICES, concept.reference, concept)
            for kind, text in asked.items()
        }

    def _present(self) -> dict[str, Ask]:
        """Ask whether each concept is there.

        Of several concepts the prompt's own questions tell that too, where it has some.
        """
        told_by_checks = self.prompt.checks and len(self.prompt.concepts) > 1
        return (
            {}
            if told_by_checks
            else {concept.name: self._presence(concept) for concept in self.prompt.concepts}
        )

    def _presence(self, concept: ConceptRef) -> Ask:
        """Ask for one concept by its reference (paper, section 4.3), for several by name."""
        if self.seen and concept.reference and len(self.prompt.concepts) == 1:
            return self._ask(THING, CHOICES, concept.reference)
        return self._ask(f"Is there {concept_in_sentence(concept)} in the image?", CHOICES)

    def _task_questions(self) -> list[Ask]:
        """Return all questions that are answered right where the task is done."""
        if self.prompt.checks:
            return [self._ask(check.text, check.choices) for check in self.prompt.checks]
        return [
            self._ask(
                f"Does the image show this: {line(self.prompt.task_text).rstrip('.')}?", CHOICES
            )
        ]

    def _together(self) -> dict[str, Ask]:
        prompt = line(self.prompt.prompt).rstrip(".?")
        return {
            kind: self._ask(text.replace("{prompt}", prompt), CHOICES)
            for kind, text in TOGETHER.items()
        }

    def _ask(
        self,
        question: str,
        choices: Sequence[str],
        reference: Picture | None = None,
        of: ConceptRef | None = None,
    ) -> Ask:
        """Ask about the whole picture, or that part of it where a concept was found."""
        listed = "\n".join(
            f"{letter}) {choice}" for letter, choice in zip(LETTERS, choices, strict=False)
        )
        images = (self.image, reference) if reference else (self.image,)
        text = self.form.fill({"question": question, "choices": listed})
        return Ask(
            images=images,
            text=text,
            question=question,
            choices=tuple(choices),
            template=self.form.version,
            region=self._region(of),
        )

    def _region(self, of: ConceptRef | None) -> Box | None:
        place = self.places.get(of.name) if of else None
        return place.box if place else None


def read_criterion(
    ask: Ask, said: Mapping[Ask, Reply], check: Question | None = None
) -> CriterionVerdict:
    """Yes is met and No is not; of a question with a right answer that answer is.

    "I cannot tell" abstains.
    """
    reply = text_reply(said[ask], "judge")
    if isinstance(reply, Failure):
        return CriterionVerdict("failed", reply.message)
    letter = read_letter(reply.text, ask.choices)
    if letter is None:
        return (
            CriterionVerdict("abstained", _CANNOT_TELL)
            if reply.text == CANNOT_TELL
            else CriterionVerdict("unreadable", reply.text)
        )
    choice = ask.choices[LETTERS.index(letter)]
    if choice == CANNOT_TELL:
        return CriterionVerdict("abstained", _CANNOT_TELL)
    right = check.gold == letter if check else choice == "Yes"
    return CriterionVerdict("correct" if right else "incorrect", f"{ask.question} {choice}.")


def first_open(several: Sequence[CriterionVerdict]) -> CriterionVerdict:
    """Return the first criterion that is not met, else the first that was not answered.

    Met where all are.
    """
    for state in ("incorrect", "failed", "unreadable", "abstained"):
        if first := next((one for one in several if one.state == state), None):
            return first
    return CriterionVerdict("correct", "; ".join(one.reason for one in several if one.reason))


def count_criteria(name: str, criteria: Mapping[str, CriterionVerdict]) -> RoundVerdict:
    """Return the criteria met of those that could be told; a round without any has no score."""
    states = [one.state for one in criteria.values()]
    count = sum(each in ("correct", "incorrect") for each in states)
    met = states.count("correct")
    if not count:
        failed = next((one.reason for one in criteria.values() if one.state == "failed"), "")
        raw = next((one.reason for one in criteria.values() if one.state == "unreadable"), "")
        note = failed or "No criterion could be told."
        return RoundVerdict(
            name=name,
            criteria=criteria,
            state="failed" if failed else "unreadable",
            note=note,
            raw="" if failed else raw,
        )
    left = len(criteria) - count
    if left:
        verb = "is" if left == 1 else "are"
        note = (
            f"{left} of {len(criteria)} criteria could not be told and {verb}"
            " left out of the rating."
        )
    else:
        note = ""
    return RoundVerdict(
        name=name,
        criteria=criteria,
        state="correct" if met == count else "incorrect",
        met=met,
        told=count,
        note=note,
    )


def concept_in_sentence(concept: ConceptRef) -> str:
    """The concept as a sentence calls it: "a beagle dog", "the Parthenon".

    A name of its own stays without an article.
    """
    return concept.phrase or (article(concept.name) if concept.name[:1].islower() else concept.name)


def the(concept: ConceptRef) -> str:
    bare = concept.phrase.removeprefix("an ").removeprefix("a ")
    return bare if bare.startswith("the ") else f"the {bare or concept.name}"


def readable(request: Ask, reply: Answer) -> bool:
    """Return whether the reply names one of the choices."""
    return read_letter(reply.text, request.choices) is not None
