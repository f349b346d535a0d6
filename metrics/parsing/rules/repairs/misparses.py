"""Repairs what spaCy's small model takes for another part of speech than it is.

The finders say which words are misread (`misread_verbs`, `misread_doing`,
`misread_words`). The text is parsed once
more with a plain word in place of each, and what the model then says is carried over to the words
of the text.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping
from typing import TYPE_CHECKING

from hallascope.metrics.parsing.rules.repairs.misread_doing import find_misread_doing
from hallascope.metrics.parsing.rules.repairs.misread_verbs import find_misread_verbs
from hallascope.metrics.parsing.rules.repairs.misread_words import find_misread_words
from hallascope.metrics.parsing.rules.repairs.stand_ins import StandIn

if TYPE_CHECKING:
    from spacy.tokens import Doc


def repair_misparses(
    doc: Doc, parse: Callable[[Doc], Doc], sentence_starts: Collection[int]
) -> Doc:
    """Return a parsed text with words that were misread read as what they are.

    `parse` is the model; `sentence_starts` are the characters at which a sentence must begin.
    """
    # a verb in -ing makes its object what it is
    stand_ins = {
        **dict(find_misread_words(doc)),
        **dict(find_misread_verbs(doc)),
        **dict(find_misread_doing(doc)),
    }
    if not stand_ins:
        return doc
    from spacy.tokens import Doc as EmptyDoc

    words = [token.text for token in doc]
    spaces = [bool(token.whitespace_) for token in doc]
    plain_words = [stand_ins[at].word if at in stand_ins else word for at, word in enumerate(words)]
    plain = EmptyDoc(doc.vocab, words=plain_words, spaces=spaces)
    for token, original in zip(plain, doc, strict=True):
        if original.idx in sentence_starts:
            token.is_sent_start = True
    return _carry_over(parse(plain), words, spaces, stand_ins)


def _carry_over(
    parsed: Doc, words: list[str], spaces: list[bool], stand_ins: Mapping[int, StandIn]
) -> Doc:
    """Return what was parsed, with the words of the text."""
    own_tags = {at: stand_in.tag for at, stand_in in stand_ins.items() if stand_in.tag}
    return type(parsed)(
        parsed.vocab,
        words=words,
        spaces=spaces,
        tags=[own_tags.get(token.i, token.tag_) for token in parsed],
        pos=[_part_of_speech(own_tags.get(token.i, ""), token.pos_) for token in parsed],
        lemmas=[
            stand_ins[token.i].lemma if token.i in stand_ins else token.lemma_ for token in parsed
        ],
        heads=[token.head.i for token in parsed],
        deps=[token.dep_ for token in parsed],
    )


def _part_of_speech(own_tag: str, read: str) -> str:
    """Return the part of speech of a stand-in with a tag of its own, and of others what is read."""
    if not own_tag:
        return read
    return "VERB" if own_tag.startswith("V") else "NOUN"
