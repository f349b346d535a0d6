"""A metric under a pack: what it sends is the pack's, and its reports are marked with it."""

from dataclasses import replace
from pathlib import Path

import pytest

from hallascope import metrics
from hallascope.data.records import Picture, Question
from hallascope.data.requests import Ask
from hallascope.data.wordings.catalog import wordings_of
from hallascope.data.wordings.packs import AS_PUBLISHED, find_pack, read_pack, wording_mark
from hallascope.data.wordings.templates import TemplateError
from hallascope.metrics.base import Case

QUESTION = Question(text="How many?", choices=("One", "Two"), gold="B", coi="counting")
CASE = Case(prompt="two dogs", image=Picture("0" * 64, Path("x.png")), questions=(QUESTION,))


@pytest.fixture
def lab(tmp_path: Path) -> Path:
    folder = tmp_path / "lab"
    folder.mkdir()
    return folder


@pytest.mark.parametrize("name", metrics.METRICS)
def test_without_a_pack_and_under_ours_nothing_is_marked(name: str) -> None:
    ours = metrics.get(name)
    assert metrics.get(name, find_pack("ours")).version == ours.version
    assert (ours.wording, str(wording_mark(ours.version))) == ("ours", "ours")


@pytest.mark.parametrize("name", metrics.METRICS)
def test_under_as_published_a_metric_is_marked_if_a_text_differs(name: str) -> None:
    pack = find_pack(AS_PUBLISHED)
    metric = metrics.get(name, pack)
    differs = bool(set(pack.texts) & set(wordings_of(name)))
    assert metric.version.removesuffix("~free") == metrics.get(name).version or differs
    assert wording_mark(metric.version).name == (AS_PUBLISHED if differs else "ours")


def test_a_judge_that_may_answer_freely_is_another_way_of_judging(lab: Path) -> None:
    (lab / "protocol.txt").write_text("free", encoding="utf-8")
    ours, free = metrics.get("ihalla"), metrics.get("ihalla", read_pack(lab))
    (ask, *_), (usual, *_) = next(free.plan(CASE)), next(ours.plan(CASE))
    assert isinstance(ask, Ask)
    assert (replace(ask, free=False), ask.offered, len(ask.choices)) == (usual, (), 3)
    assert free.version != ours.version
    assert metrics.get("clipscore", read_pack(lab)).version == metrics.get("clipscore").version


def test_what_a_protocol_file_cannot_say_is_refused(lab: Path) -> None:
    (lab / "protocol.txt").write_text("ranked", encoding="utf-8")
    with pytest.raises(TemplateError, match=r"line 1: write .free."):
        read_pack(lab)
