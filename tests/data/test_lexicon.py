"""The vocabularies: what stands in the files is what the Primer world says of itself."""

import pytest

from hallascope.data.lexicon import noun_forms, read_vocabulary, vocabulary_names
from hallascope.primer import scenes


def test_the_lexicon_knows_every_form_that_primer_draws_and_no_other() -> None:
    forms = noun_forms()
    assert list(forms) == list(scenes.nouns())
    for form, noun in scenes.nouns().items():
        thing = forms[form].thing
        assert (thing.name, thing.phrase, thing.plural) == (
            noun.concept.name,
            noun.concept.phrase,
            noun.concept.plural,
        )
        assert forms[form].plural == noun.plural


def test_a_general_name_leaves_its_forms_to_the_rules() -> None:
    names = {thing.name for thing in read_vocabulary("general")}
    assert len(names) == 80
    assert "hot dog" in names
    assert "hot dog" not in noun_forms()


def test_there_are_no_other_vocabularies_than_the_files() -> None:
    assert vocabulary_names() == ("general", "primer")
    with pytest.raises(FileNotFoundError):
        read_vocabulary("latin")
