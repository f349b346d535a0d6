"""Plans the rounds of T2I-FactualBench for a judge that ranks choices: one criterion a question.

Such a judge (BLIP and its like, `primer/judge`) follows no instructions and gives no rating: the
rating is the number of criteria that are met, as the paper's scale defines it. A criterion that
cannot be told is left out of it, a concept in whose place another thing is shown meets none, and
one of which that cannot be told has no rating. The judge does not see the prompt: what that asks to
be otherwise than in the reference counts as a difference.
"""

from collections.abc import Mapping, Sequence

from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.files.tidy import line
from hallascope.data.lexicon import with_article
from hallascope.data.records import CANNOT_TELL, LETTERS, Picture, Question
from hallascope.data.regions import Detection
from hallascope.data.requests import Answer, Ask, Detect, Detected, Failure, Reply
from hallascope.data.wordings.templates import Template
from hallascope.metrics.base import PlanSteps, reply_of, text_reply
from hallascope.metrics.factualbench.verdicts import (
    CriterionVerdict,
    Rounds,
    RoundVerdict,
    TaskVerdict,
    failed_round,
    missing_reference,
)
from hallascope.metrics.replies.letters import read_letter, unread_reason

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
    questions = ChoiceQuestions(image, prompt, form, seen, places)
    requests = questions.requests()
    answers = (yield list(requests)) if requests else []
    replies = dict(zip(requests, answers, strict=True))
    concepts = tuple(questions.concept(concept, replies) for concept in prompt.concepts)
    task = questions.task(replies) if prompt.level != "SKCM" else None
    if prompt.level != "MKCC":
        return Rounds(concepts, task, places=places)
    notes = () if prompt.checks else (_NOTE,)
    return Rounds(concepts, task, questions.composition(replies), notes, places)


def _unplaced(prompt: FactualPrompt, why: str) -> Rounds:
    """Return the rounds of a picture in which nobody could say where the concepts are."""
    concepts = tuple(failed_round(concept.name, why) for concept in prompt.concepts)
    task = TaskVerdict(wanted=prompt.task_text, state="failed", note=why)
    composition = failed_round("", why) if prompt.level == "MKCC" else None
    return Rounds(concepts, task, composition)


def _places(image: Picture, prompt: FactualPrompt) -> PlanSteps[dict[str, Detection] | Failure]:
    """Return where each concept is, as the detector is surest.

    One that it does not find is looked for in the whole picture.
    """
    names = tuple(concept.name for concept in prompt.concepts)
    (reply,) = yield [Detect(image, names)]
    detected = reply_of(reply, Detected, "detector")
    if isinstance(detected, Failure):
        return detected
    surest: dict[str, Detection] = {}
    best_scores = dict.fromkeys(names, 0.0)
    for detection in detected.detections:
        name = detection.phrase
        if name in best_scores and detection.score > best_scores[name]:
            surest[name] = detection
            best_scores[name] = detection.score
    return surest


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
        asks: list[Ask] = []
        for concept in self.prompt.concepts:
            asks += self._concept_asks(concept).values()
        if self.prompt.level != "SKCM":
            asks += self._presence_asks().values()
            asks += self._task_asks()
        if self.prompt.level == "MKCC" and not self.prompt.checks:
            asks += self._composition_asks().values()
        return list(dict.fromkeys(asks))

    def concept(self, concept: ConceptRef, replies: Mapping[Ask, Reply]) -> RoundVerdict:
        """Return the verdict on a concept, of the replies to its questions."""
        asks = self._concept_asks(concept)
        if not asks:
            return missing_reference(concept)
        thing = read_criterion(asks.pop("thing"), replies)
        if thing.state == "incorrect":
            other_thing = CriterionVerdict("incorrect", "Another thing is shown.")
            return RoundVerdict(
                name=concept.name, criteria=dict.fromkeys(asks, other_thing), state="incorrect"
            )
        if thing.state != "correct":  # the criteria of another thing would count
            return count_criteria(concept.name, dict.fromkeys(asks, thing))
        return count_criteria(
            concept.name, {kind: read_criterion(ask, replies) for kind, ask in asks.items()}
        )

    def task(self, replies: Mapping[Ask, Reply]) -> TaskVerdict:
        """Return the verdict on the task: not done where a concept is absent."""
        wanted = self.prompt.task_text
        presence = {
            name: read_criterion(ask, replies) for name, ask in self._presence_asks().items()
        }
        absent = tuple(name for name, there in presence.items() if there.state == "incorrect")
        if absent:
            return TaskVerdict(wanted=wanted, state="incorrect", absent=absent)
        done = first_open((*presence.values(), self._task_criterion(replies)))
        if done.state in ("correct", "incorrect"):
            return TaskVerdict(wanted=wanted, state=done.state, reason=done.reason)
        return TaskVerdict(wanted=wanted, state=done.state, note=done.reason)

    def composition(self, replies: Mapping[Ask, Reply]) -> RoundVerdict:
        """Return the verdict on the composition.

        Where the prompt has questions of its own, these stand for "following", and the other
        criteria are not asked.
        """
        if self.prompt.checks:
            criteria = dict.fromkeys(TOGETHER, _UNASKED)
            criteria["following"] = self._task_criterion(replies)
        else:
            criteria = {
                kind: read_criterion(ask, replies) for kind, ask in self._composition_asks().items()
            }
        return count_criteria("", criteria)

    def _task_criterion(self, replies: Mapping[Ask, Reply]) -> CriterionVerdict:
        """Return what the questions come to that are all answered right where the task is done."""
        checks: Sequence[Question | None] = self.prompt.checks or (None,)
        return first_open(
            [
                read_criterion(ask, replies, check)
                for ask, check in zip(self._task_asks(), checks, strict=True)
            ]
        )

    def _concept_asks(self, concept: ConceptRef) -> dict[str, Ask]:
        """Ask for the thing itself and the four criteria; nothing where the reference is gone."""
        if not self.seen:
            asks = {"thing": self._presence_ask(concept)}
            for kind, text in UNSEEN.items():
                question = text.replace("{concept}", the(concept))
                asks[kind] = self._ask(question, CHOICES, of=concept)
            return asks
        if not concept.reference:
            return {}
        return {
            kind: self._ask(text, CHOICES, concept.reference, concept)
            for kind, text in {"thing": THING, **QUESTIONS}.items()
        }

    def _presence_asks(self) -> dict[str, Ask]:
        """Ask whether each concept is there.

        Of several concepts the prompt's own questions tell that too, where it has some.
        """
        if self.prompt.checks and len(self.prompt.concepts) > 1:
            return {}
        return {concept.name: self._presence_ask(concept) for concept in self.prompt.concepts}

    def _presence_ask(self, concept: ConceptRef) -> Ask:
        """Ask for one concept by its reference (paper, section 4.3), for several by name."""
        if self.seen and concept.reference and len(self.prompt.concepts) == 1:
            return self._ask(THING, CHOICES, concept.reference)
        return self._ask(f"Is there {concept_in_sentence(concept)} in the image?", CHOICES)

    def _task_asks(self) -> list[Ask]:
        """Return all questions that are answered right where the task is done."""
        if self.prompt.checks:
            return [self._ask(check.text, check.choices) for check in self.prompt.checks]
        wanted = line(self.prompt.task_text).rstrip(".")
        return [self._ask(f"Does the image show this: {wanted}?", CHOICES)]

    def _composition_asks(self) -> dict[str, Ask]:
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
        place = self.places.get(of.name) if of else None
        return Ask(
            images=(self.image, reference) if reference else (self.image,),
            text=self.form.fill({"question": question, "choices": listed}),
            question=question,
            choices=tuple(choices),
            template=self.form.version,
            region=place.box if place else None,
        )


def read_criterion(
    ask: Ask, replies: Mapping[Ask, Reply], check: Question | None = None
) -> CriterionVerdict:
    """Read the reply to a question: yes is met, no is not; "I cannot tell" abstains.

    Where the question has a right answer (`check`), that answer is met and every other is not.
    """
    reply = text_reply(replies[ask], "judge")
    if isinstance(reply, Failure):
        return CriterionVerdict("failed", reply.message)
    letter = read_letter(reply.text, ask.choices, ask.question)
    choice = ask.choices[LETTERS.index(letter)] if letter else reply.text
    if choice == CANNOT_TELL:
        return CriterionVerdict("abstained", "The judge cannot tell.")
    if letter is None:
        return CriterionVerdict("unreadable", reply.text)
    right = check.gold == letter if check else choice == "Yes"
    return CriterionVerdict("correct" if right else "incorrect", f"{ask.question} {choice}.")


def first_open(criteria: Sequence[CriterionVerdict]) -> CriterionVerdict:
    """Return the first criterion that is not met, else the first that was not answered.

    Where all are met, return one that is, with the reasons of all.
    """
    for state in ("incorrect", "failed", "unreadable", "abstained"):
        for criterion in criteria:
            if criterion.state == state:
                return criterion
    reasons = [criterion.reason for criterion in criteria if criterion.reason]
    return CriterionVerdict("correct", "; ".join(reasons))


def count_criteria(name: str, criteria: Mapping[str, CriterionVerdict]) -> RoundVerdict:
    """Return the criteria met of those that could be told; a round without any has no score."""
    states = [criterion.state for criterion in criteria.values()]
    met = states.count("correct")
    answered = met + states.count("incorrect")
    if not answered:
        return _unanswered_round(name, criteria)
    note = ""
    if left_out := len(criteria) - answered:
        verb = "is" if left_out == 1 else "are"
        why = f"could not be told and {verb} left out of the rating"
        if _UNASKED in criteria.values():
            why = "were not asked, as the prompt has questions of its own"
        note = f"{left_out} of {len(criteria)} criteria {why}."
    return RoundVerdict(
        name=name,
        criteria=criteria,
        state="correct" if met == answered else "incorrect",
        met=met,
        answered=answered,
        note=note,
    )


def _unanswered_round(name: str, criteria: Mapping[str, CriterionVerdict]) -> RoundVerdict:
    """Return the verdict of a round without an answer: failed where a criterion failed."""
    failures = [lost.reason for lost in criteria.values() if lost.state == "failed"]
    if failures and failures[0]:
        return RoundVerdict(name=name, criteria=criteria, state="failed", note=failures[0])
    unreadable = [lost.reason for lost in criteria.values() if lost.state == "unreadable"]
    raw = next(iter(unreadable), "")
    return RoundVerdict(
        name=name,
        criteria=criteria,
        state="unreadable",
        note=unread_reason(raw, "No criterion could be told")
        if raw
        else "No criterion could be told.",
        raw=raw,
    )


def concept_in_sentence(concept: ConceptRef) -> str:
    """Return the concept as a sentence calls it: "a beagle dog", "the Parthenon".

    A name of its own stays without an article.
    """
    return concept.phrase or (
        with_article(concept.name) if concept.name[:1].islower() else concept.name
    )


def the(concept: ConceptRef) -> str:
    """Return the concept with its definite article: "the beagle dog"."""
    bare = concept.phrase.removeprefix("an ").removeprefix("a ")
    return bare if bare.startswith("the ") else f"the {bare or concept.name}"


def readable(request: Ask, reply: Answer) -> bool:
    """Return whether the reply names one of the choices."""
    return read_letter(reply.text, request.choices, request.question) is not None
