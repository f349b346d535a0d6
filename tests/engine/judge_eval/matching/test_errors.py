"""Each row of a picture is found, missed, right, left out or a false alarm."""

import random
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from hallascope.data.evidence import Evidence, Finding, SegmentEvidence, State
from hallascope.engine.judge_eval.matching.errors import ErrorTally, rows, tally
from hallascope.primer.benchmark.composition_sampler import composition
from hallascope.primer.claims import claims
from hallascope.primer.truth.compositions import DrawnThing, things
from tests.support.composition_evidence import (
    CIRCLES,
    COMPOSITIONS,
    changed_evidence,
    faultless_evidence,
)


def test_shares_of_a_tally_agree_with_a_worked_example_and_are_none_where_nothing_counts() -> None:
    example = ErrorTally(found=6, false=2, missed=4, right=20, left_out=3, unasked=1)
    assert (example.precision, example.recall, example.n) == (0.75, 0.6, 32)
    assert example.f1 == pytest.approx(2 * 0.75 * 0.6 / (0.75 + 0.6))
    assert (ErrorTally(right=5).precision, ErrorTally(right=5).recall, ErrorTally(right=5).f1) == (
        None,
        None,
        None,
    )


def test_words_about_things_that_are_not_drawn_make_no_row_but_their_omission() -> None:
    found = rows(CIRCLES, things(CIRCLES, 96), faultless_evidence(CIRCLES))
    assert [(row.kind, row.fate) for row in found] == [
        ("object", "found"),
        ("object", "right"),
        ("extraneous", "found"),
    ]


@pytest.mark.parametrize(
    ("kinds", "fates"),
    [
        (
            {"object": "omission", "color": "attribute", "position": "relation"},
            ["found", "right", "found"],
        ),
        ({"object": "text"}, ["missed", "right", "found"]),
    ],
)
def test_kinds_of_other_metrics_mean_the_same_rows_and_unknown_kinds_none(
    kinds: dict[str, str], fates: list[str]
) -> None:
    evidence = changed_evidence(CIRCLES, lambda f: replace(f, kind=kinds.get(f.kind, f.kind)))
    assert [row.fate for row in rows(CIRCLES, things(CIRCLES, 96), evidence)] == fates


def test_one_of_several_findings_on_a_row_is_enough_to_flag_it() -> None:
    claim, *_ = claims(CIRCLES)
    states: tuple[State, ...] = ("correct", "incorrect", "failed")
    both = [
        Finding(
            kind="object", expected="circle", observed="", state=state, prompt_spans=claim.spans
        )
        for state in states
    ]
    fates = [
        rows(CIRCLES, (), Evidence(findings=tuple(some)))[0].fate
        for some in (both, both[:1], both[::2], both[2:])
    ]
    assert fates == ["found", "missed", "missed", "left out"]


def test_an_alarm_about_what_the_prompt_does_not_say_is_false() -> None:
    stray = Finding(
        kind="object", expected="above", observed="", state="incorrect", prompt_spans=((16, 21),)
    )
    assert [row.fate for row in rows(CIRCLES, (), Evidence(findings=(stray,)))].count(
        "false alarm"
    ) == 1
    assert "false alarm" not in [
        row.fate for row in rows(CIRCLES, (), Evidence(findings=(replace(stray, state="correct"),)))
    ]


def extra(seen: str, box: DrawnThing | None = None, state: State = "incorrect") -> Evidence:
    segments = (SegmentEvidence(name="s1", phrase=seen, box=box.box, score=1.0),) if box else ()
    return Evidence(
        segments=segments,
        findings=(
            Finding(
                kind="extraneous",
                expected="",
                observed=seen,
                state=state,
                segments=("s1",) if box else (),
            ),
        ),
    )


def test_an_extra_thing_is_found_by_its_name_or_by_its_place_and_another_one_is_a_false_alarm() -> (
    None
):
    ladybug, star = things(CIRCLES, 96)

    def fates(*evidence: Evidence) -> list[str]:
        whole = Evidence(
            segments=sum((e.segments for e in evidence), ()),
            findings=sum((e.findings for e in evidence), ()),
        )
        return [
            row.fate for row in rows(CIRCLES, (ladybug, star), whole) if row.kind == "extraneous"
        ]

    assert fates(extra("a blue star")) == ["found"]
    assert fates(extra("starfish", star)) == ["found"]
    assert fates(extra("starfish", ladybug)) == ["missed", "false alarm"]
    assert fates(extra("a star"), extra("stars")) == ["found"]
    assert fates(extra("a star"), extra("a hat")) == ["found", "false alarm"]
    assert fates() == ["missed"]


def test_extra_things_that_could_not_be_looked_at_or_were_not_judged_are_left_out() -> None:
    ladybug, star = things(CIRCLES, 96)
    passed = Finding(
        kind="object",
        expected="ladybug",
        observed="",
        state="correct",
        prompt_spans=claims(CIRCLES)[-2].spans,
    )
    for thing, fate in ((star, "left out"), (ladybug, "missed")):
        lost = Evidence(
            segments=(
                SegmentEvidence(
                    name="s1", phrase="", box=thing.box, score=1.0, failure="It has no description."
                ),
            ),
            findings=(passed,),
        )
        assert rows(CIRCLES, (ladybug, star), lost)[-1].fate == fate
    blind = Evidence(findings=(replace(passed, state="failed"),))
    assert [row.fate for row in rows(CIRCLES, (), blind) if row.kind == "extraneous"] == [
        "left out"
    ]
    right = next(made for made in COMPOSITIONS if not made.errors)
    assert (
        rows(right, (), changed_evidence(right, lambda f: replace(f, state="failed")))[-1].fate
        == "left out"
    )


@given(st.integers(0, 2_000), st.randoms(use_true_random=False))
@settings(max_examples=40)
def test_every_row_has_one_fate_whatever_a_metric_says(seed: int, chance: random.Random) -> None:
    made = composition(seed)
    states: tuple[State, ...] = ("correct", "incorrect", "abstained", "unreadable", "failed")
    evidence = changed_evidence(
        made, lambda f: None if chance.random() < 0.2 else replace(f, state=chance.choice(states))
    )
    found = rows(made, (), evidence)
    claimed = [claim for claim in claims(made) if claim.holds is not None]
    assert len([row for row in found if row.kind != "extraneous"]) == len(claimed)
    whole = tally(found)
    assert whole.n + whole.left_out == len(found)
    assert all(
        share is None or 0 <= share <= 1 for share in (whole.precision, whole.recall, whole.f1)
    )
