"""Names what a reviewer should look at in a made question: signs of weakness, not errors."""

from collections.abc import Sequence

from hallascope.data.records import NONE_OF_THE_ABOVE, Question
from hallascope.metrics.parsing.words import language


def concerns(prompt: str, question: Question) -> tuple[str, ...]:
    """Return hints for the reviewer of one question, none where nothing stands out.

    They follow the constraints of the paper's appendix J.
    """
    found = []
    if named := _shared_words(prompt, question):
        found.append(
            f"Names the subject ({', '.join(named)}): write “the image” or a general word instead."
        )
    if len(question.choices) >= 1 and question.choice(question.gold) == NONE_OF_THE_ABOVE:
        found.append(
            "The right answer is “None of the above”: a picture without the thing would be right"
            " too."
        )
    return tuple(found)


def concerns_of_all(questions: Sequence[Question]) -> tuple[str, ...]:
    """Return sentences about the questions of one prompt together."""
    letters = [question.gold for question in questions]
    if len(letters) >= 3 and len(set(letters)) == 1:
        return (
            (
                f"The right answer is {letters[0]} everywhere: a judge that always says"
                f" {letters[0]} would be right."
            ),
        )
    return ()


def _shared_words(prompt: str, question: Question) -> list[str]:
    """Return the content words of the prompt that the question or a choice names.

    General words do not count.
    """
    said = {
        language.singular(word)
        for text in (question.text, *question.choices)
        for word in language.words(text)
    }
    said |= {language.singular(part) for word in said for part in word.split("-")}
    return [
        word for word in language.content(prompt) if word in said and word not in language.GENERAL
    ]
