"""The Probe part shows levels, sentences, and the images behind each level."""

from typing import Any

import pytest

from hallascope.engine.error_analysis.probe.findings import find_failures
from hallascope.engine.error_analysis.probe.probe import ProbeOutcome, run_probe
from hallascope.engine.errors import BadRequest
from hallascope.pages.error_analysis import probe

INPUTS = probe.ProbeInputs(
    prompt="two red circles",
    axis=["number"],
    models=["primer/exact"],
    other_models="",
    judge=["primer/judge"],
    other_judge="",
    writer=["none"],
    other_writer="",
    images=8,
)


def test_a_probe_is_shown_with_the_images_of_each_level(services: Any) -> None:
    *_, outcome = run_probe(services, INPUTS.request())
    assert isinstance(outcome, ProbeOutcome)
    findings = find_failures(outcome)
    (line,) = probe.probe_lines(findings)
    assert [point.label for point in line.points] == ["1", "2", "3", "4"]
    images = probe.images_by_level(findings)
    assert list(images) == [f"primer/exact, number {level}" for level in (1, 2, 3, 4)]
    assert sum(map(len, images.values())) == 8
    name = "primer/exact, number 3"
    shown = probe.show_images([name], images)
    assert shown == {"title": name, "evaluations": images[name]}
    assert probe.show_images([], images) is None
    message, figure, words, *_ = probe.show_outcome(outcome)
    assert "8 images are judged." in message
    assert figure is not None
    assert "three red circles" in words


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"axis": []}, "Nothing varies as ''"),
        ({"images": None}, "number of images is missing"),
        ({"images": 2.5}, "give a whole number from 1 to 2,000"),
    ],
)
def test_what_cannot_be_probed_is_one_sentence(change: dict[str, Any], sentence: str) -> None:
    with pytest.raises(BadRequest, match=sentence):
        INPUTS._replace(**change).request()
