"""Around a leaderboard's figure: words, the table with its file, and what lies behind a bar."""

import csv
import io
import re
from urllib.parse import unquote

from hallascope.components.leaderboard.charts import Axis, Bar
from hallascope.components.leaderboard.published_tables import published_tables_html
from hallascope.components.leaderboard.ranking_table import (
    TableContext,
    csv_frame,
    differences,
    latex_table,
    summary,
    table,
)
from hallascope.data.files.csv_text import csv_text
from hallascope.data.published.numbers import tables_of_metric
from hallascope.metrics.statistics.paired_difference import ModelDifference
from hallascope.metrics.statistics.ranking import RankInterval

SHARE = Axis("Score")
BY_COMPOSITION = TableContext("composition", SHARE)


BARS = [
    Bar(
        model="m/one", name="one", group="color", value=0.5, low=0.25, high=0.75, n=1200, left_out=3
    ),
    Bar(model="m/two", name="two", group="color", value=0.75, low=None, high=None, n=4, left_out=0),
    Bar(model="m/two", name="two", group="shape", value=None, low=None, high=None, n=0, left_out=2),
]


MARK = Bar(
    model="SDXL",
    name="SDXL",
    group="color",
    value=0.3,
    low=None,
    high=None,
    n=0,
    left_out=0,
    source="a paper, table 1",
)


def test_the_words_name_the_best_of_those_with_enough_prompts() -> None:
    assert summary(BARS, SHARE) == "Best: one, color 0.50 (0.25 to 0.75, 1,200 prompts)."
    assert summary(BARS[1:], SHARE) == "Best so far: two, color 0.75 (4 prompts).", "all are of few"
    worse = BARS[0]._replace(name="worse", value=0.6)
    assert "Best: worse" in summary([worse, BARS[0]], SHARE)
    assert "Best: one" in summary([worse, BARS[0]], Axis("Errors", higher_is_better=False))
    tied = summary([BARS[0], BARS[0]._replace(name="three", low=None)], SHARE)
    assert "(0.25 to 0.75, 1,200 prompts), three, color 0.50 (1,200 prompts)." in tied
    assert summary([BARS[0]] * 4, SHARE).endswith("1,200 prompts), and 2 more.")
    assert summary(BARS[2:], SHARE) == ""


def test_values_of_few_prompts_stand_below_a_line() -> None:
    html = table(BARS, [], BY_COMPOSITION)
    line = html.index("Fewer than 20 prompts: not ranked.")
    places = [found.start() for found in re.finditer("data-pick=", html)]
    assert [place < line for place in places] == [True, False, False]
    assert "Fewer than" not in table(BARS[:1], [], BY_COMPOSITION)
    questions = [bar._replace(unit="questions") for bar in BARS]
    assert "Fewer than 20 questions" in table(questions, [], BY_COMPOSITION)
    assert '<th scope="col">questions</th>' in table(questions, [], BY_COMPOSITION)


def test_the_file_has_every_row_with_all_its_digits() -> None:
    rows = list(csv.DictReader(io.StringIO(csv_text(csv_frame([*BARS, MARK], "coi")), newline="")))
    assert [row["model"] for row in rows] == ["m/one", "m/two", "m/two", "SDXL"]
    assert rows[0] == {
        "model": "m/one",
        "coi": "color",
        "value": "0.5",
        "low": "0.25",
        "high": "0.75",
        "n": "1200",
        "left_out": "3",
        "source": "",
    }
    assert rows[2]["value"] == ""
    address = (
        table(BARS, [MARK], TableContext("coi", SHARE))
        .split('href="data:text/csv;charset=utf-8,')[1]
        .split('"')[0]
    )
    assert unquote(address) == csv_text(csv_frame([*BARS, MARK], "coi"))


def test_ranks_and_letters_stand_in_the_table_and_in_the_file() -> None:
    ranked = [BARS[0]._replace(rank=RankInterval(1, 2, "ab")), *BARS[1:]]
    html = table(ranked, [MARK], BY_COMPOSITION)
    assert "<tr><td>1 to 2</td><th" in html
    assert "<td>ab</td><td>1,200</td><td>3</td>" in html
    assert html.count("<tr><td>–</td><th") == html.count("<td>–</td><td>") == len(BARS) - 1
    assert "Same letter: no significant difference. “1 to 2”: the data allow places 1 to 2." in html
    rows = list(csv.DictReader(io.StringIO(csv_text(csv_frame(ranked, "coi")), newline="")))
    ranks = [(row["best_rank"], row["worst_rank"], row["letters"]) for row in rows]
    assert ranks == [("1", "2", "ab"), ("", "", ""), ("", "", "")]
    assert "Same letter" not in table(BARS, [], BY_COMPOSITION)


def test_no_name_is_a_formula_in_a_spreadsheet() -> None:
    frame = csv_frame([BARS[0]._replace(model="=1+1")], "by")
    assert csv_text(frame).splitlines()[1].startswith("'=1")


def test_the_table_for_latex_has_the_rows_and_escapes_names() -> None:
    rows = [BARS[0]._replace(rank=RankInterval(1, 2, "ab")), BARS[1]._replace(name="a_b & 5 %")]
    text = latex_table(rows, BY_COMPOSITION)
    assert r"Rank & Model & Composition & Score & Letter & Prompts & Left out \\" in text
    assert r"1 to 2 & one & color & 0.50 (0.25 to 0.75) & ab & 1,200 & 3 \\" in text
    assert r" & a\_b \& 5 \% & color & 0.75 &  & 4 & 0 \\" in text
    assert "booktabs" in text
    with_published = latex_table([*rows, MARK._replace(unit="questions")], BY_COMPOSITION)
    assert "Source" in with_published
    assert "NaN" not in with_published


def test_groups_by_judge_name_the_judges() -> None:
    rows = [BARS[0]._replace(group=judge, judge=judge) for judge in ("m/strict", "m/mild")]
    by_judge = TableContext("judge", SHARE)
    html, text = table(rows, [], by_judge), latex_table(rows, by_judge)
    assert "<td>m/strict</td>" in html
    assert "<td>m/mild</td>" in html
    assert r"Model & Judge & Score & Prompts & Left out \\" in text
    assert "one & m/mild &" in text


def minus(group: str, *numbers: float | None, n: int) -> ModelDifference:
    """One minus two: value, ends of the interval, p."""
    value, low, high, p = numbers or (None,) * 4
    return ModelDifference(
        one="one", other="two", group=group, value=value, low=low, high=high, p=p, n=n
    )


def test_a_difference_is_told_only_where_its_p_is_small() -> None:
    rows = [
        minus("", 0.2, 0.1, 0.3, 0.0004, n=1200),
        minus("food", 0.1, -0.1, 0.3, 0.4, n=50),
        minus("animal", 0.1, -0.4, 0.6, None, n=5),
    ]
    html = differences("one", "two", rows, "domain", ["By sign flips."])
    assert "<strong>one minus two: </strong>+0.20 (0.10 to 0.30, 1,200 prompts).</p>" in html
    assert html.index("Method") < html.index("By sign flips.")
    assert (
        "<td>+0.200</td><td>+0.100 to +0.300</td><td>&lt;"
        " 0.001</td><td>1,200</td><td>different</td>" in html
    )
    assert "<td>0.400</td><td>50</td><td>cannot be told apart</td>" in html
    assert "<td>–</td><td>5</td><td>too few prompts to tell</td>" in html
    assert differences("one", "two", [], "domain", []) == ""


def test_a_doubtful_number_has_the_sign_of_its_note() -> None:
    html = published_tables_html(tables_of_metric("fig"))
    assert html.count("<table") == 3
    assert re.search(r"<td>10\.23<sup>(\d)</sup></td>", html)
    sign = re.search(r"<td>20\.83<sup>(\d)</sup></td>", html)
    assert sign
    assert f"<li><sup>{sign[1]}</sup> 20.83 on DrawBench: table 3 prints 10.23" in html
