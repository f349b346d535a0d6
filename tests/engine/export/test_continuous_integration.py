"""JUnit XML and the summary for GitHub say what failed, in text that nothing can break."""

from pathlib import Path
from xml.etree import ElementTree

import pytest

from hallascope.engine.events import UPLOADED
from hallascope.engine.run_history.score_checks import ScoreCheck, Threshold, check_threshold
from hallascope.engine.storage.store import Store
from tests.support.exports import export_runs
from tests.support.shared_runs import EVIL, keep

CHECKS = (
    ScoreCheck(rule="fail-under ihalla=0.9", metric="ihalla", model="m", passed=True, sentence="Y"),
    ScoreCheck(rule="fail-under ihalla=1", metric="ihalla", model="m", passed=False, sentence="N"),
    ScoreCheck(rule="fail-on-worse r", metric="", passed=None, sentence="too few"),
)


def written(store: Store, out: Path, form: str) -> str:
    export_runs(store, form, out, force=True, checks=CHECKS)
    return out.read_text("utf-8")


def cases(text: str) -> dict[tuple[str, str], ElementTree.Element]:
    """The cases by group and name."""
    (suite,) = ElementTree.fromstring(text)
    found = {(case.get("classname", ""), case.get("name", "")): case for case in suite}
    every = [kind for case in found.values() for kind in kinds(case)]
    counts = [len(found), every.count("failure"), every.count("error")]
    assert [suite.get(name) for name in ("tests", "failures", "errors")] == list(map(str, counts))
    return found


def kinds(case: ElementTree.Element) -> list[str]:
    return [child.tag for child in case if child.tag != "system-out"]


def test_a_prompt_by_a_model_and_a_metric_is_a_case(store: Store, tmp_path: Path) -> None:
    keep(store, prompt="a red <cat>")
    text = written(store, tmp_path / "r.xml", "junit")
    found = cases(text)
    wrong = found["ihalla.primer/hasty", "a red <cat>"]
    assert kinds(wrong) == ["failure"]
    (failure,) = wrong.findall("failure")
    assert failure.text
    assert failure.text.splitlines() == [
        "seed 1: How many hydrogen atoms are there? Expected: four; seen: three.",
        "seed 1: The judge did not answer: ask again.",
    ]
    assert failure.get("message") == f"1 wrong, 1 unanswered: {failure.text.splitlines()[0]}"
    unanswered = found["ihalla.primer/exact", "a red <cat>"]
    assert kinds(unanswered) == ["error"]
    assert unanswered.findtext("system-out") == "seed 0: score 1.000"
    rows = found["fig.primer/exact", "a red <cat>"].findtext("failure") or ""
    assert "extraneous Expected: nothing; seen: " in rows
    assert kinds(found["ihalla.primer/careless", "a red <cat>"]) == ["error"]


def test_the_score_of_an_image_that_a_person_brought_is_checked_and_shown(
    store: Store, tmp_path: Path
) -> None:
    keep(store, models=(UPLOADED,))
    (check,) = check_threshold(store, "run1", Threshold("ihalla", 0.5))
    assert (check.model, check.passed) == (UPLOADED, True)
    assert f"| {UPLOADED} | I-HallA | 1.000 |" in written(store, tmp_path / "s.md", "markdown")


@pytest.mark.parametrize(
    "prompt", [EVIL, "a\x00b\x1b[31m \ufffe ]]> & <b>", "| a | `b` @c #1 [x](y)"]
)
def test_no_text_breaks_a_file(prompt: str, store: Store, tmp_path: Path) -> None:
    keep(store, prompt=prompt)
    names = [name for _, name in cases(written(store, tmp_path / "r.xml", "junit"))]
    assert any("]]>" in name or "`" in name or "window.hit" in name for name in names)
    summary = written(store, tmp_path / "s.md", "markdown")
    for sign in "<`@[":
        assert summary.count(sign) == summary.count(f"\\{sign}"), sign
