"""The walkthrough shows one picture step by step, each with its own evidence."""

import pytest

from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.engine.teaching import walkthrough as ships
from hallascope.pages.teach import walkthrough


@pytest.mark.parametrize("step", [one.id for one in walkthrough.STEPS])
def test_every_step_shows_the_picture_with_its_own_evidence(services: Services, step: str) -> None:
    said, evidence = walkthrough.step_view(services, [step])
    title = next(one.title for one in walkthrough.STEPS if one.id == step)
    assert title in said
    assert 'class="exhibit' in evidence
    assert 'data-run=""' in evidence
    marks = {
        "picture": "An oxygen atom (red) instead of",
        "ihalla": "question=1",
        "fig": "finding=",
        "scene-graph": "node=",
    }
    assert marks.get(step, "finding=") in evidence


def test_the_step_of_ihalla_says_how_many_faults_the_judge_notices(services: Services) -> None:
    found = ships.read(services)
    (report,) = [
        one.report
        for one in found.services.view(found.facts.run).evaluations
        if one.metric == "ihalla"
    ]
    noticed = sum(verdict.state == "incorrect" for verdict in report.verdicts)
    said, _ = walkthrough.step_view(services, ["ihalla"])
    assert noticed < len(found.faults) == 2, (
        "it is no better than its judge: choose another image where the judge has learnt to count"
    )
    assert f"2 facts are wrong in this image; the judge notices {noticed} of them" in said


def test_the_steps_follow_each_other_and_begin_anew() -> None:
    at, met = None, []
    for _ in walkthrough.STEPS:
        at = walkthrough.next_step(at)
        met += at
    assert met == [*(one.id for one in walkthrough.STEPS[1:]), walkthrough.STEPS[0].id]


def test_where_the_data_is_gone_a_sentence_stands_in_its_place(
    services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def gone(services: Services) -> None:
        raise BadRequest(
            "What shows how it works is not there: make it with `hallascope teach how`."
        )

    monkeypatch.setattr(ships, "read", gone)
    said, evidence = walkthrough.step_view(services, None)
    assert "hallascope teach how" in said
    assert "exhibit" not in evidence
