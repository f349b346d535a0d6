"""Lists the three ready lessons of 15 minutes: what a class does, and what is drawn wrongly.

It knows no judge: what a judge answers, and so what is right where pupils guess it, is found when
the lessons are made.
"""

from dataclasses import dataclass
from typing import Literal

from hallascope.primer.world import FactValue

ChoiceKind = Literal["text", "facts", "judge", "questions"]
"""What pupils choose from: written choices, the facts of the image, what the judge does, or
questions about the image of which one asks about its error."""


@dataclass(frozen=True)
class LessonDrawing:
    """Says what is drawn: a Primer prompt, a seed, and the wrong fact; "" where all are right.

    `asked_too`: the judge is also asked about the wrong fact, which its five questions leave out.
    """

    prompt: str
    seed: int
    parameter: str = ""
    value: FactValue = ""
    asked_too: bool = False


@dataclass(frozen=True, kw_only=True)
class StepPlan:
    """Says what happens in a step; `right` counts only where `kind` is "text".

    With the kind "questions", `choices` are names of facts.
    """

    title: str
    minutes: int
    teacher: str
    pupils: str
    question: str = ""
    kind: ChoiceKind = "text"
    choices: tuple[str, ...] = ()
    right: int | None = None
    reveal: str = ""
    drawing: LessonDrawing | None = None


@dataclass(frozen=True, kw_only=True)
class LessonPlan:
    """Says what a lesson is for, and lists its steps and what to talk about in the end."""

    id: str
    title: str
    summary: str
    goals: tuple[str, ...]
    steps: tuple[StepPlan, ...]
    discussion: tuple[tuple[str, str], ...]


HALLUCINATION = LessonPlan(
    id="hallucination",
    title="What is a hallucination?",
    summary="Find what is wrong in four images, and learn what is an error and what is not.",
    goals=(
        "Say in one sentence what a hallucination in an image is.",
        "Find an error by comparing an image with facts, and show where it is.",
        "Tell an error from what is only unusual, simple or a matter of taste.",
    ),
    steps=(
        StepPlan(
            title="First look",
            minutes=3,
            teacher=(
                "Read the prompt aloud. Say that the images of this lesson are drawn by code, so"
                " that it is known exactly what is wrong, and that image models make errors of the"
                " same kinds. Give the class one minute, then reveal step by step."
            ),
            pupils="They tap the place that is wrong and choose the fact that is wrong.",
            question="Which fact is wrong?",
            kind="facts",
            reveal="Nothing in the image warns you: the error looks as sure as everything else.",
            drawing=LessonDrawing("a gentoo penguin", 4, "feet", "blue"),
        ),
        StepPlan(
            title="What the word means",
            minutes=2,
            teacher=(
                "Read the definition. Explain that an image model learns from many images what is"
                " likely; it does not look facts up. Ask for an example from the pupils' own"
                " experience."
            ),
            pupils="They say in their own words what the hallucination in the first image was.",
            reveal=(
                "A hallucination is something that an image shows as if it were right, although it"
                " contradicts the prompt or known facts."
            ),
        ),
        StepPlan(
            title="Count it",
            minutes=2,
            teacher=(
                "Give no hint. After the reveal, ask what a person must know to see this error."
            ),
            pupils="They tap and choose again.",
            question="Which fact is wrong?",
            kind="facts",
            reveal="To see this error you must know the number and count.",
            drawing=LessonDrawing("a molecule of methane", 3, "hydrogens", 5),
        ),
        StepPlan(
            title="Look again",
            minutes=2,
            teacher=(
                "Ask as before, in the same tone. After the reveal, ask who felt sure that"
                " something had to be wrong, and why."
            ),
            pupils="They decide whether anything is wrong at all.",
            question="Which fact is wrong, if any?",
            kind="facts",
            reveal="To call a right image wrong is an error, too: a false alarm.",
            drawing=LessonDrawing("a ladybug", 13),
        ),
        StepPlan(
            title="You have to know it",
            minutes=2,
            teacher="After the reveal, ask where the class could look the fact up.",
            pupils="They tap and choose; whoever does not know may guess.",
            question="Which fact is wrong?",
            kind="facts",
            reveal="Without the knowledge this image looks fine: look facts up before you trust.",
            drawing=LessonDrawing("a rainbow", 13, "outermost", "purple"),
        ),
        StepPlan(
            title="Hallucination or not?",
            minutes=2,
            teacher="Let pupils defend their choice before you reveal the answer.",
            pupils="They choose the one hallucination among four images that are only described.",
            question="Which of these is a hallucination?",
            choices=(
                "A penguin drawn as a simple cartoon",
                "A ladybug with eight legs",
                "A purple sky, where the prompt asks for one",
                "A photo that is too dark",
            ),
            right=1,
            reveal=(
                "A ladybug is an insect and has six legs. A cartoon and a dark photo contradict no"
                " fact, and the purple sky is what the prompt asks for."
            ),
        ),
        StepPlan(
            title="Where does it matter?",
            minutes=2,
            teacher="There is no right answer: ask two pupils with different choices for reasons.",
            pupils="They choose and give a reason.",
            question="Where would such an error do the most harm?",
            choices=(
                "In a school book",
                "In the news",
                "In medicine or engineering",
                "In a chat among friends",
            ),
            reveal="Every answer counts. What matters is who relies on the image, and for what.",
        ),
    ),
    discussion=(
        (
            "Why does a model draw an error as surely as everything else?",
            "It produces what is likely after its training, and has no step that checks facts.",
        ),
        (
            "Can an image contradict facts and still be right?",
            "Yes, where the prompt asks for it: then it does what was asked.",
        ),
        (
            "How can you check an image when you do not know the subject?",
            "Compare it with a trusted source, ask somebody who knows, and look at one fact at a"
            " time.",
        ),
    ),
)

JUDGE = LessonPlan(
    id="judge",
    title="Can you trust the judge?",
    summary="Guess what a model that checks images finds, and where it is wrong itself.",
    goals=(
        "Explain what a judge is: a model that answers questions about an image.",
        "Tell four cases apart: found, missed, false alarm, not asked.",
        "Give a reason why a score has to be compared with the truth.",
    ),
    steps=(
        StepPlan(
            title="Meet the judge",
            minutes=2,
            teacher=(
                "Read the definition. Name the cases: found, missed, false alarm, not asked. Write"
                " them on the board."
            ),
            pupils="They guess in which of the cases a score is too high, and in which too low.",
            reveal=(
                "A judge is a model that sees an image and answers questions about it. The score is"
                " the share of its answers that are as expected."
            ),
        ),
        StepPlan(
            title="The traffic light",
            minutes=2,
            teacher=(
                "Read the five questions that the judge is asked. Let the class look for the error"
                " first, then guess what the judge does."
            ),
            pupils="They tap the error and guess what the judge does.",
            question="What does the judge do?",
            kind="judge",
            drawing=LessonDrawing("a traffic light", 5, "red lamp", "bottom"),
        ),
        StepPlan(
            title="The stars",
            minutes=3,
            teacher=(
                "Let the class count before it answers. After the reveal, ask why counting small"
                " things may be hard for a model."
            ),
            pupils="They count, tap the error and guess what the judge does.",
            question="What does the judge do?",
            kind="judge",
            reveal="After a missed error the score is too high.",
            drawing=LessonDrawing("the Big Dipper", 1, "handle", 4),
        ),
        StepPlan(
            title="The zebra",
            minutes=2,
            teacher=(
                "Read the five questions aloud, slowly. After the reveal, ask which question is"
                " missing."
            ),
            pupils="They tap the error and guess what the judge does.",
            question="What does the judge do?",
            kind="judge",
            reveal="A judge finds only what it is asked about.",
            drawing=LessonDrawing("a zebra", 9, "crown", "horn"),
        ),
        StepPlan(
            title="The last image",
            minutes=2,
            teacher="Ask as before. Then compare with the stars: which error is worse?",
            pupils="They look for an error and guess what the judge does.",
            question="What does the judge do?",
            kind="judge",
            reveal="After a false alarm the score is too low.",
            drawing=LessonDrawing("a lantern festival in strong wind", 1),
        ),
        StepPlan(
            title="Other images",
            minutes=2,
            teacher=(
                "Say that this judge finds nearly all errors in drawings such as those of this"
                " lesson, on which it was trained; the stars and the lanterns were chosen because"
                " it errs there."
            ),
            pupils="They guess how good the judge is on other images.",
            question="How many errors does it find in images that small diffusion models made?",
            choices=("Nearly all", "About half", "None"),
            right=1,
            reveal=(
                "About half of the errors that a labeler found there. How good a judge is"
                " depends on the images: a score is no better than its judge."
            ),
        ),
        StepPlan(
            title="Five of five",
            minutes=2,
            teacher="Ask for a reason before the reveal.",
            pupils="They choose what a full score says.",
            question="An image has the score 5 of 5. What do you know?",
            choices=(
                "The image has no error",
                "The judge saw no error in the five things it was asked",
                "The judge is right",
                "The image shows exactly what the prompt says",
            ),
            right=1,
            reveal="The judge may have missed something, or not have been asked about it.",
        ),
    ),
    discussion=(
        (
            "How can you find out how good a judge is?",
            "Give it images whose truth is known, or that people have labeled, and count what it"
            " finds and what it gets wrong.",
        ),
        (
            "Is a missed error worse than a false alarm?",
            "It depends on the use: a school book must not have errors; somebody who sorts many"
            " images may not have time for false alarms.",
        ),
        (
            "A judge always gives the expected answer. Why can its score still be high?",
            "Most facts are right in most images, so agreeing always is often right and finds no"
            " error.",
        ),
    ),
)

QUESTIONS = LessonPlan(
    id="questions",
    title="Write good questions",
    summary="See why a judge needs the right questions, and write one that finds an error.",
    goals=(
        "Choose the question that finds an error.",
        "Write a question about an image that has exactly one right answer.",
        "Name what makes a question bad.",
    ),
    steps=(
        StepPlan(
            title="Five questions",
            minutes=2,
            teacher=(
                "Let the class find the error first. Read the five questions, then ask what the"
                " judge does."
            ),
            pupils="They tap the error and guess what the judge does.",
            question="What does the judge do?",
            kind="judge",
            reveal="The score is full, and the image is wrong: a question is missing.",
            drawing=LessonDrawing("an octopus", 1, "eyes", 3),
        ),
        StepPlan(
            title="The sixth question",
            minutes=3,
            teacher=(
                "Let pupils say a question of their own before they choose one. The judge was"
                " really asked the added question: reveal what it answers."
            ),
            pupils="They choose the question that would find the error.",
            question="Which question finds the error?",
            kind="questions",
            choices=("arms", "eyes", "arm surface", "scene"),
            reveal="A question finds an error only if its answer changes with the error.",
            drawing=LessonDrawing("an octopus", 1, "eyes", 3, asked_too=True),
        ),
        StepPlan(
            title="Four rules",
            minutes=2,
            teacher="Read the rules and write them on the board. Ask for a bad example of each.",
            pupils="They say a question that breaks a rule.",
            reveal=(
                "1. It asks one thing. 2. The image alone answers it. 3. It has exactly one right"
                " answer. 4. It does not give the answer away."
            ),
        ),
        StepPlan(
            title="Which one is good?",
            minutes=2,
            teacher="For each of the others, ask which rule it breaks.",
            pupils="They choose the question that keeps all four rules.",
            question="Which question about an image of a ladybug is good?",
            choices=(
                "Is the ladybug pretty?",
                "How many legs does the ladybug have?",
                "Is it red, and does it have six legs?",
                "It has six legs, doesn't it?",
            ),
            right=1,
            reveal=(
                "The first has no one right answer, the third asks two things, and the last gives"
                " the answer away."
            ),
        ),
        StepPlan(
            title="Try it again",
            minutes=2,
            teacher="Let the class find the error first, then choose the question.",
            pupils="They tap the error and choose the question that would find it.",
            question="Which question finds the error?",
            kind="questions",
            choices=("legs", "head", "spots", "covers"),
            drawing=LessonDrawing("a ladybug", 2, "head", "large", asked_too=True),
        ),
        StepPlan(
            title="Write your own",
            minutes=4,
            teacher=(
                "Everybody writes one question about the image with four choices, of which one is"
                " right, on paper. Neighbors swap and check the four rules. Then compare with the"
                " questions that the judge was asked."
            ),
            pupils="They write a question, swap it with a neighbor, and check the neighbor's.",
            question="Which rule does your neighbor's question break?",
            choices=(
                "None: it keeps all four rules",
                "It asks more than one thing",
                "The image does not answer it",
                "It has several right answers, or none",
                "It gives the answer away",
            ),
            reveal="Every answer counts here. Mend the question together until it keeps all rules.",
            drawing=LessonDrawing("a hamburger", 21),
        ),
    ),
    discussion=(
        (
            "Why not ask a judge: Is anything wrong with this image?",
            "It does not say what to look at, and its answer says neither what is wrong nor where.",
        ),
        (
            "How many questions does an image need?",
            "At least one for each fact that matters. What no question asks is not checked.",
        ),
        (
            "Why is “None of the above” among the choices for a judge?",
            "An image may show what none of the choices says. Without it, the judge must guess.",
        ),
    ),
)

LESSON_PLANS = (HALLUCINATION, JUDGE, QUESTIONS)
