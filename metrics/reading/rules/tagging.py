"""Runs spaCy's small English model: tags, dependencies, and the lemmas of verbs.

The model's own rules for classes and lemmas take a quarter of its time; tags say nearly as much.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING

from hallascope.metrics.reading.words import wordnet
from hallascope.metrics.reading.words.language import COLORS, wordset
from hallascope.metrics.reading.words.lists import MODIFIERS, word_lists
from hallascope.metrics.reading.words.spacy_model import LOCK, load_model

if TYPE_CHECKING:
    from spacy.tokens import Doc, Token

_CLASS_OF_TAG = {tag: name for name, tags in word_lists("classes").items() for tag in tags}
_NOUN_TAGS = ("NN", "NNS", "NNP", "NNPS")
_COMPONENTS = ("tok2vec", "tagger", "parser")
_PRONOUNS = wordset("""
    i you he she it we they me him her us them mine yours his hers ours theirs 's one
    myself yourself himself herself itself ourselves yourselves themselves
""")
_FORMS_OF_BE = wordset("be is are was were been being am 's 're 'm")


def tag_text(text: str, starts: Collection[int]) -> Doc:
    """Return the parse of a text; a sentence begins at each of `starts`, and behind a semicolon.

    Raises ParserMissing.
    """
    with LOCK:
        model = load_model()
        doc = model.make_doc(text)
        for token in doc[1:]:
            if token.idx in starts or token.nbor(-1).text == ";":
                token.is_sent_start = True
        for name in _COMPONENTS:
            doc = model.get_pipe(name)(doc)
        alone = [token for token in doc if token.is_alpha]
        if len(alone) == 1 and alone[0].tag_ not in _NOUN_TAGS and wordnet.senses(alone[0].lower_):
            alone[0].tag_ = "NN"
        lemmatizer = model.get_pipe("lemmatizer")
        for token in doc:
            if token.tag_ == "PRP" and token.lower_ not in _PRONOUNS:
                token.tag_ = "NN"
            is_one = token.lower_ in ("one", "ones") and _has_article(token)
            if is_one or (token.tag_ == "JJ" and _is_headless(token)):
                token.tag_ = "NN"
            token.pos_ = _CLASS_OF_TAG.get(token.tag_, "X")
            if token.pos_ == "VERB":
                token.lemma_ = lemmatizer.rule_lemmatize(token)[0]
                if token.dep_ in ("aux", "auxpass") or token.lower_ in _FORMS_OF_BE:
                    token.pos_ = "AUX"
            elif token.tag_ == "IN" and token.dep_ == "mark":
                token.pos_ = "SCONJ"
    return doc


def _has_article(token: Token) -> bool:
    return bool(token.left_edge.dep_ == "det")


def _is_headless(adjective: Token) -> bool:
    """Return whether an adjective with an article has no noun behind it: "a pink square"."""
    word = adjective.lower_
    is_thing = wordnet.has_noun(word) and not wordnet.is_abstract(word)
    return _has_article(adjective) and is_thing and word not in COLORS | MODIFIERS["quantifier"]
