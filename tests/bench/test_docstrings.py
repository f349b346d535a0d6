"""The first sentence of a docstring is found, and whether it has a verb of its own."""

import ast

import pytest

from bench import docstrings


@pytest.mark.parametrize(
    "sentence",
    [
        "Return the rows of a table.",
        "Draw a picture of every prompt.",
        "Reads the modules of the rooms.",
        "Draws prompts of the Primer grammar.",
        "The score is the share of correct answers.",
        "There is no picture.",
        "A metric never loads a model.",
    ],
)
def test_a_sentence_has_a_verb(sentence: str) -> None:
    assert docstrings.have_verbs([sentence]) == [True]


@pytest.mark.parametrize(
    "sentence",
    [
        "The rows of a table.",
        "Models ranked by their mean.",
        "What came of it.",
        "Whether a key is set.",
        "A setting that is unknown or wrong.",
        "Rows and relations of the two graphs.",
        "Tables and lists on disk, read row by row.",
    ],
)
def test_a_heading_has_none_whatever_its_parts_say(sentence: str) -> None:
    assert docstrings.have_verbs([sentence]) == [False]


@pytest.mark.parametrize(
    ("docstring", "sentence"),
    [
        ("Return it. It is late.", "Return it."),
        ("Return what\nis there.\n\nMore.", "Return what is there."),
        ("Return `a.b` as e.g. this.", "Return a.b as e.g. this."),
        ("Without an end", "Without an end"),
    ],
)
def test_the_first_sentence_ends_where_the_next_begins(docstring: str, sentence: str) -> None:
    assert docstrings.first_sentence(docstring) == sentence


def test_docstrings_are_those_of_modules_classes_and_functions() -> None:
    source = (
        '"""One."""\nclass A:\n    """Two."""\n    def f(self):\n        """Three."""\n"""none"""'
    )
    assert set(docstrings.docstrings(ast.parse(source))) == {"One.", "Two.", "Three."}


def test_the_count_is_of_all_trees() -> None:
    trees = [ast.parse('"""Return it."""'), ast.parse('"""A table."""\ndef f(): ...')]
    assert docstrings.count_without_verb(trees) == (1, 2)
