"""What is true of a drawn picture beside the reference of a concept; it looks at no pixel."""

from hallascope.data.records import CANNOT_TELL
from hallascope.data.requests import Answer, Ask
from hallascope.primer import scenes
from hallascope.primer.benchmark import pair_criteria
from hallascope.primer.benchmark.pair_criteria import Aspect, ShownConcept
from hallascope.primer.truth.answers import DrawnPicture


def shown_concept(drawn: DrawnPicture, name: str) -> ShownConcept | None:
    """How a concept is drawn, one of two kinds of things alone; None where it is not there."""
    groups = drawn.scene.groups
    place = next((i for i, group in enumerate(groups) if group.concept.name == name), None)
    if place is None:
        return None
    count = 1 if len(groups) > 1 else int(drawn.values.get("@count", groups[place].count))
    own = scenes.own_values(drawn.scene, place, drawn.values)
    return ShownConcept(groups[place].concept, own, count)


def truths(drawn: DrawnPicture, name: str) -> dict[Aspect, str]:
    """Return Yes, No or "I cannot tell" to what picture and reference have in common.

    The reference is of a concept, which is drawn once and right.
    """
    shown = shown_concept(drawn, name)
    if shown is None:
        return {**dict.fromkeys(pair_criteria.ASPECTS, CANNOT_TELL), "thing": "No"}
    return pair_criteria.compare(shown, ShownConcept(shown.concept, shown.concept.truths()))


def violations(drawn: DrawnPicture, name: str) -> int:
    """Return how many parameters of a concept are not as they should be, its number among them."""
    shown = shown_concept(drawn, name)
    if shown is None:
        return 0
    right = shown.concept.truths()
    wrong = {
        fact.parameter
        for fact in shown.concept.own_facts
        if shown.values.get(fact.parameter) != right[fact.parameter]
    }
    return len(wrong) + (shown.count != 1)


def answer(ask: Ask, drawn: DrawnPicture, name: str = "") -> Answer:
    """Return the right answer to a question of FactualBench for judges that rank choices.

    `name`: the concept that the reference shows.

    The prompt's own questions are answered from the drawing, all others about the whole picture
    with Yes.
    """
    aspects = pair_criteria.ASPECTS if name else ()
    for aspect in aspects:
        if _asks(ask.question, aspect):
            return Answer(truths(drawn, name)[aspect])
    fact = next((fact for fact in drawn.scene.facts if fact.question == ask.question), None)
    right = scenes.right_answer(fact, drawn.values) if fact else "Yes"
    return Answer(right if right in ask.choices or not ask.choices else CANNOT_TELL)


def _asks(question: str, aspect: Aspect) -> bool:
    """Return whether a question is about an aspect, such as "Is the shape the same ...".

    Another is "Is the shape of the ladybug right ...".
    """
    if aspect == "thing":
        begins = "Is the same thing"
    elif aspect == "details":
        begins = f"Are the {aspect}"
    else:
        begins = f"Is the {aspect}"
    return question.startswith(f"{begins} ")
