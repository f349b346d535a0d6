"""CLIP-T, CLIP-I and DINO are cosines: against NumPy, over all references, and nothing where an
embedder fails.
"""

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope import metrics
from hallascope.data.concepts import ConceptRef, FactualPrompt
from hallascope.data.models.specs import OF_METRIC
from hallascope.data.records import Picture
from hallascope.data.requests import Embed, Embedded, Failure
from hallascope.metrics.base import Case, run
from tests.support.scripted_vision import evidence_of

IMAGE, ONE, TWO = (Picture(name, Path(f"{name}.png")) for name in ("image", "one", "two"))
PAIR = FactualPrompt(
    prompt="a cat and a dog",
    concepts=(ConceptRef(name="cat", reference=ONE), ConceptRef(name="dog", reference=TWO)),
)
CASE = Case(prompt="a cat and a dog", image=IMAGE, factual=PAIR)
LOST = Failure("broken", "It is out.")
vectors = (
    st.lists(st.floats(-1, 1), min_size=3, max_size=3)
    .map(np.array)
    .filter(lambda v: np.linalg.norm(v) > 0.1)
)


def unit(vector: np.ndarray) -> Embedded:
    return Embedded(tuple((vector / np.linalg.norm(vector)).tolist()))


@given(vectors, vectors, vectors)
def test_the_score_is_the_mean_cosine_of_the_picture_with_its_references(
    own: np.ndarray, one: np.ndarray, two: np.ndarray
) -> None:
    report = run(metrics.get("clip-i").plan(CASE), [[unit(own), unit(one), unit(two)]])
    cosines = [
        float(own @ other / np.linalg.norm(own) / np.linalg.norm(other)) for other in (one, two)
    ]
    assert report.score.value == pytest.approx(np.mean(cosines), abs=1e-9)
    assert (report.score.counted, report.score.left_out) == (2, 0)


def test_clip_t_compares_with_the_prompt_and_dino_with_pictures_alone() -> None:
    assert next(metrics.get("clip-t").plan(CASE)) == [Embed(image=IMAGE), Embed(text=CASE.prompt)]
    assert next(metrics.get("dino").plan(CASE)) == [
        Embed(image=IMAGE),
        Embed(image=ONE),
        Embed(image=TWO),
    ]
    assert next(metrics.get("dino-v1").plan(CASE)) == next(metrics.get("dino").plan(CASE))


def test_each_dino_is_asked_by_its_own_model_and_under_its_own_name() -> None:
    models = {name: OF_METRIC[name]["embedder"] for name in ("dino", "dino-v1")}
    assert models == {"dino": "dinov2-base", "dino-v1": "dino-vit-small"}
    assert metrics.get("dino-v1").name == "dino-v1"


def test_without_concepts_the_picture_is_compared_with_the_one_reference_that_is_given() -> None:
    assert next(metrics.get("clip-i").plan(Case(prompt="a cat", image=IMAGE, reference=ONE))) == [
        Embed(image=IMAGE),
        Embed(image=ONE),
    ]


def test_what_an_embedder_fails_at_is_left_out_and_said() -> None:
    same = unit(np.array([1.0, 0, 0]))
    report = run(metrics.get("clip-i").plan(CASE), [[same, LOST, same]])
    assert (report.score.value, report.score.counted, report.score.left_out) == (1.0, 1, 1)
    assert [(one.expected, one.state, one.note) for one in evidence_of(report).findings] == [
        ("cat", "failed", "It is out.")
    ]
    assert run(metrics.get("clip-i").plan(CASE), [[LOST, same, same]]).score.value is None


def test_a_reference_that_is_gone_is_left_out_and_with_none_nothing_is_asked() -> None:
    gone = Case(
        prompt="a cat",
        image=IMAGE,
        factual=FactualPrompt(prompt="a cat", concepts=(ConceptRef(name="cat"),)),
    )
    report = run(metrics.get("dino").plan(gone), [])
    assert (report.score.value, report.score.left_out) == (None, 1)


def test_a_cosine_may_be_anything_from_minus_one_to_one() -> None:
    opposite = run(
        metrics.get("clip-t").plan(CASE),
        [[unit(np.array([1.0, 0, 0])), unit(np.array([-1.0, 0, 0]))]],
    )
    assert opposite.score.value == metrics.score("clip-t", "score").bounds[0] == -1.0
