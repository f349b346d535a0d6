"""Says what a detector is asked for beside the things of a prompt."""

from collections.abc import Sequence

from hallascope.data.lexicon import vocabulary
from hallascope.metrics.reading.parsed import Parsed


def distractors(prompt: Parsed, phrases: Sequence[str], vocabulary_name: str) -> tuple[str, ...]:
    """Return what else is looked for beside the prompt, of the names of a vocabulary.

    So things are found that the prompt does not ask for.

    The vocabulary is that of the detector that answers (`Case.vocabulary`), whatever the words of
    the prompt are.
    """
    in_prompt = {phrase.casefold() for phrase in phrases}
    in_prompt |= {thing.concept.casefold() for thing in prompt.objects}
    return tuple(name for name in vocabulary(vocabulary_name) if name.casefold() not in in_prompt)
