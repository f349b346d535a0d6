"""What a detector is asked for beside the things of a prompt; it knows no picture and no model."""

from collections.abc import Sequence

from hallascope.metrics.parsing.parsed import Parsed
from hallascope.metrics.parsing.parser import vocabulary


def distractors(asked: Parsed, phrases: Sequence[str], known: str) -> tuple[str, ...]:
    """Return what else is looked for beside the prompt, of the names of a vocabulary.

    So things are found that the prompt does not ask for.

    `known` is the vocabulary of the detector that answers (`Case.vocabulary`), whatever the words
    of the prompt are.
    """
    said = {phrase.casefold() for phrase in phrases} | {
        phrase.known.casefold() for phrase in asked.things
    }
    return tuple(name for name in vocabulary(known) if name.casefold() not in said)
