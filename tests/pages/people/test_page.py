"""The tab People starts a rater, sets people and judges beside each other, and reads and writes
tables.
"""

from pathlib import Path

import pytest

from hallascope.engine import ratings as engine_people
from hallascope.engine.errors import BadRequest
from hallascope.engine.services import Services
from hallascope.pages.people import page, state
from hallascope.pages.shared.context import CurrentRun


def test_without_a_name_or_pictures_there_is_a_sentence_and_no_desk(services: Services) -> None:
    for name, words in (
        ("", "type your name"),
        ("ann", "There are no images with questions here"),
    ):
        line, work = page.start_rating(services, CurrentRun(), name, ["questions"], ["all"])
        assert words in line
        assert work == {"items": []}
    with pytest.raises(BadRequest, match="No judge has answered"):
        state.rating_view(services, "ann", "check", None)


def test_people_and_judges_are_set_beside_each_other(judged: Services) -> None:
    assert page.numbers(judged) == ""
    assert page.figure(judged) is None
    first, second = engine_people.rateable_pictures(judged, None, "ann")
    engine_people.keep_answers(judged, first, ["A"] * 5, "<b>ann")
    engine_people.keep_grade(judged, second, ["7"], "bo")
    html = page.numbers(judged)
    assert "&lt;b&gt;ann" in html
    for head in page.JUDGE_HEADS:
        assert html.count(f">{head}</th>") == 1
    figure = page.figure(judged)
    assert figure is not None
    assert [trace.type for trace in figure.data] == ["violin", "scatter"]


def test_a_table_goes_out_and_comes_in_with_its_complaints(
    judged: Services, tmp_path: Path
) -> None:
    (item, _) = engine_people.rateable_pictures(judged, None, "ann")
    engine_people.keep_grade(judged, item, ["7"], "ann")
    file = page.export_ratings(judged)
    path = tmp_path / file["name"]
    path.write_text(file["text"] + "broken,,grade,,ann,7,now\n", encoding="utf-8")
    for rating in judged.store.ratings.all():
        judged.store.ratings.remove(rating.subject)
    line = page.import_verdicts(judged, str(path))
    assert "1 verdict taken from people.csv" in line
    assert "people.csv, row 3" in line
    assert "cannot be opened" in page.import_verdicts(judged, str(tmp_path / "nowhere.csv"))
