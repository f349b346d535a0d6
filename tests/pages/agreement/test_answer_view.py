"""Answers to questions on the page, by question and by item, escaped, with a figure."""

from pathlib import Path

from hallascope.engine.services import Services
from hallascope.pages.agreement import state
from hallascope.pages.agreement.agreement_view import AgreementView
from hallascope.pages.agreement.answer_view import STATISTICS
from tests.pages.agreement.conftest import given, write


def test_answers_need_no_scores_and_have_the_numbers_of_the_command(
    services: Services, tmp_path: Path
) -> None:
    rows = [
        f"i{n},<b>{question},{by},{'yes' if n % 2 else 'no'},{needs}"
        for n in range(6)
        for question, needs in (("one", ""), ("two", "<b>one"))
        for by in ("ann,", "bo,", ",<b>vqa")
    ]
    header = "item,question,rater,metric,answer,depends_on"
    people = write(tmp_path / "a.csv", header, *rows, "i0,three,,<b>vqa,yes,")
    *_, shown = state.steps(services, given(None, people))
    assert isinstance(shown, AgreementView)
    assert shown.words == (
        "Answers to questions, recognized by the columns item, question and answer: 1 metric, 12"
        " questions about 6 items, 2 raters; 1 row left out."
    )
    assert shown.document["questions"]["metrics"]["<b>vqa"]["kappa"]["value"] == 1.0
    assert shown.document["items"]["metrics"]["<b>vqa"]["n"] == 6
    for words in ("Question by question", "Cohen’s kappa", "Item by item", "Spearman rho"):
        assert words in shown.tables
    assert "<b>" not in shown.tables
    assert shown.figure is not None
    assert [trace.name for trace in shown.figure.data[:-1]] == list(STATISTICS)
