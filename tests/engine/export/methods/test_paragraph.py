"""The methods paragraph says what the store holds, and nothing that it does not hold."""

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.export import reader
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.formats import ExportSource
from hallascope.engine.export.methods.paragraph import MethodsText, describe_methods, seed_text
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.shared_runs import keep, keep_corrected


def describe(store: Store, runs: str = "all") -> MethodsText:
    names = reader.select_runs(store, runs)
    return describe_methods(ExportSource(services=Services(store, {}), runs=names))


def test_it_names_images_models_seeds_versions_and_judge(store: Store) -> None:
    keep(store)
    text = describe(store).paragraph
    assert "We generated 2 images of the prompt “a molecule of methane” with primer/exact" in text
    assert "primer/hasty (revision r1, seed 1)" in text
    assert "1 image could not be made and was left out." in text
    assert "I-HallA [lim2025ihalla], version 2, was computed on 2 images" in text
    assert "judge primer/judge (revision j1)" in text
    assert "FiG [fig], version 1, was computed on 2 images" in text


def test_it_says_what_was_unanswered_and_that_one_prompt_has_no_interval(store: Store) -> None:
    keep(store)
    text = describe(store).paragraph
    assert "Of 4 questions, 2 had no answer that could be read and were left out" in text
    assert "of one prompt, so that there is no interval" in text
    assert "95 % intervals" not in text
    assert "corrected" not in text


def test_several_prompts_have_intervals_whose_method_is_named(store: Store) -> None:
    keep(store, "run0", "another prompt")
    keep(store)
    text = describe(store).paragraph
    assert "We generated 4 images of 2 prompts" in text
    assert "95 % intervals by prompt (Clopper-Pearson" in text


def test_a_corrected_reading_is_said_without_the_name_of_its_author(store: Store) -> None:
    keep(store)
    keep_corrected(store)
    text = describe(store).paragraph
    assert "What 1 prompt asked for was corrected by people" in text
    assert "Ann" not in text


def test_only_papers_of_metrics_that_were_used_are_cited(store: Store) -> None:
    keep(store)
    text = describe(store)
    assert set(text.entries) == {"hallascope", "lim2025ihalla", "fig"}
    assert text.bibtex.count("@") == 3
    for key in text.entries:
        assert f"[{key}]" in text.paragraph


def test_a_key_in_a_prompt_does_not_leave(store: Store) -> None:
    keep(store, prompt="sk-proj-abcdefghijklmnop1234")
    with pytest.raises(HoldsSecret, match="a key of a service"):
        describe(store)


def test_a_run_without_images_cannot_be_described(store: Store) -> None:
    keep(store, models=())
    with pytest.raises(BadRequest, match="has no image yet"):
        describe(store)


def test_seeds_are_said_in_few_words() -> None:
    assert seed_text([3]) == "seed 3"
    assert seed_text([0, 1, 2, 3]) == "seeds 0 to 3"
    assert seed_text([0, 1]) == "seeds 0, 1"
    assert seed_text([0, 5, 7]) == "seeds 0, 5, 7"
