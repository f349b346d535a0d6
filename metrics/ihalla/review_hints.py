"""Names what a reviewer should look at in a made question: signs of weakness, not errors."""

from collections.abc import Sequence

from hallascope.data.records import NONE_OF_THE_ABOVE, Question
from hallascope.metrics.reading.words import language


def concerns(prompt: str, question: Question) -> tuple[str, ...]:
    """Return hints for the reviewer of one question, none where nothing stands out.

    They follow the constraints of the paper's appendix J.
    """
    hints = []
    if shared := _shared_words(prompt, question):
        hints.append(
            f"Names the subject ({', '.join(shared)}): write “the image” or a general word instead."
        )
    if question.choices and question.choice(question.gold) == NONE_OF_THE_ABOVE:
        hints.append(
            "The right answer is “None of the above”: an image without the thing would be right"
            " too."
        )
    return tuple(hints)


def concerns_of_all(questions: Sequence[Question]) -> tuple[str, ...]:
    """Return sentences about the questions of one prompt together."""
    letters = {question.gold for question in questions}
    if len(questions) < 3 or len(letters) > 1:
        return ()
    (letter,) = letters
    return (
        f"The right answer is {letter} everywhere: a judge that always says {letter} would be"
        " right.",
    )


def _shared_words(prompt: str, question: Question) -> list[str]:
    """Return the content words of the prompt that the question or a choice names.

    General words do not count.
    """
    words = {
        language.singular(word)
        for text in (question.text, *question.choices)
        for word in language.words(text)
    }
    words |= {language.singular(part) for word in words for part in word.split("-")}
    return [
        word for word in language.content(prompt) if word in words and word not in language.GENERAL
    ]
