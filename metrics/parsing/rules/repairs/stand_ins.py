"""Holds the plain words that are parsed in place of words that the model misreads."""

from typing import NamedTuple


class StandIn(NamedTuple):
    """A plain word that is parsed in place of a word, and the lemma of the word itself.

    `tag` is that of the word, where the model may give the plain word another: "them" stands in
    for nouns, and "sit" is read as a noun at times.
    """

    word: str
    lemma: str
    tag: str = ""
