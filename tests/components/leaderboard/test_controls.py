"""Around a leaderboard's figure: words, the table with its file, and what lies behind a bar."""

import csv
import io
import re
from pathlib import Path
from urllib.parse import unquote

from hallascope.components.leaderboard.charts import Axis, Bar
from hallascope.components.leaderboard.controls import (
    Chips,
    Select,
    comma_separated,
    controls,
    differences,
    figure_summary,
    table,
)
from hallascope.components.leaderboard.drilldown import (
    Pagination,
    Prompt,
    PromptPicture,
    prompts,
)
from hallascope.components.leaderboard.published_tables import published_tables_html
from hallascope.components.models.pickers import Option
from hallascope.data.published.numbers import tables_of_metric
from hallascope.metrics.statistics.paired_difference import ModelDifference
from hallascope.metrics.statistics.ranking import RankInterval
from tests.support.corrected_scores import corrected_score

SHARE = Axis("Score")


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


def test_the_words_name_the_best_and_the_worst_and_what_was_not_counted() -> None:
    said = figure_summary(BARS, [MARK], SHARE)
    assert "2 values measured here, 1 of which nothing was counted" in said
    assert "Best: two, color 0.75; of 4, left out 0." in said
    assert "Worst: one, color 0.50 (0.25 to 0.75); of 1,200, left out 3." in said
    assert "published: 1" in said
    assert "Best: one" in figure_summary(BARS, [], SHARE, higher_is_better=False)
    tied = figure_summary([*BARS, BARS[1]._replace(name="three")], [], SHARE)
    assert "Best: two, color 0.75; of 4, left out 0, three, color 0.75" in tied


def test_every_measured_value_is_a_button_and_no_published_one_is() -> None:
    html = table(BARS, [MARK], "composition", SHARE, "judged by j")
    assert html.count("data-pick=") == len(BARS)
    assert "&#34;model&#34;: &#34;m/two&#34;, &#34;group&#34;: &#34;shape&#34;" in html
    assert "1 value that was published" in html
    assert "a paper, table 1" in html
    assert "nothing counted" in html


def test_the_file_has_every_row_with_all_its_digits() -> None:
    rows = list(csv.DictReader(io.StringIO(comma_separated([*BARS, MARK], "coi"), newline="")))
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
        table(BARS, [MARK], "coi", SHARE)
        .split('href="data:text/csv;charset=utf-8,')[1]
        .split('"')[0]
    )
    assert unquote(address) == comma_separated([*BARS, MARK], "coi")


def test_ranks_and_letters_stand_in_the_table_and_in_the_file() -> None:
    ranked = [BARS[0]._replace(rank=RankInterval(1, 2, "ab")), *BARS[1:]]
    html = table(ranked, [MARK], "composition", SHARE)
    assert "<td>1 to 2</td><td>ab</td>" in html
    assert html.count("<td>–</td><td>–</td>") == len(BARS) - 1
    rows = list(csv.DictReader(io.StringIO(comma_separated(ranked, "coi"), newline="")))
    ranks = [(row["best_rank"], row["worst_rank"], row["letters"]) for row in rows]
    assert ranks == [("1", "2", "ab"), ("", "", ""), ("", "", "")]
    assert "not told apart" not in table(BARS, [], "composition", SHARE)


def test_corrected_values_stand_in_the_table_in_the_words_and_in_the_file() -> None:
    score = corrected_score(value=0.4, low=0.3, high=0.5, labeled=60)
    rows = [BARS[0]._replace(corrected=score), BARS[1]._replace(labels_needed=3), BARS[2]]
    html = table(rows, [MARK], "composition", SHARE)
    assert html.count('<th scope="col">corrected by people</th>') == 1, "papers have none"
    assert '<td>0.40 (0.30 to 0.50)<span class="about"> 60 labeled</span></td>' in html
    assert "label 3 more" in html
    words = figure_summary(rows, [], SHARE)
    assert (
        "1 value is corrected by people: one, color 0.40 (0.30 to 0.50); 60 prompts labeled."
        in words
    )
    lines = list(csv.DictReader(io.StringIO(comma_separated([*rows, MARK], "coi"), newline="")))
    names = ("corrected", "corrected_low", "corrected_high", "labeled")
    assert [[line[name] for name in names] for line in lines] == [
        ["0.4", "0.3", "0.5", "60"],
        ["", "", "", ""],
        ["", "", "", ""],
        ["", "", "", ""],
    ]
    assert "corrected" not in table(BARS, [], "composition", SHARE)


def test_no_name_is_a_formula_in_a_spreadsheet() -> None:
    assert comma_separated([BARS[0]._replace(model="=1+1")], "by").splitlines()[1].startswith("'=1")


def less(group: str, *numbers: float | None, n: int) -> ModelDifference:
    """One less two: value, ends of the interval, p."""
    value, low, high, p = numbers or (None,) * 4
    return ModelDifference(
        one="one", other="two", group=group, value=value, low=low, high=high, p=p, n=n
    )


def test_a_difference_is_told_only_where_its_p_is_small() -> None:
    rows = [
        less("", 0.2, 0.1, 0.3, 0.0004, n=1200),
        less("food", 0.1, -0.1, 0.3, 0.4, n=50),
        less("animal", 0.1, -0.4, 0.6, None, n=5),
    ]
    html = differences("one", "two", rows, "domain", "")
    assert (
        "<td>+0.200</td><td>+0.100 to +0.300</td><td>&lt;"
        " 0.001</td><td>1,200</td><td>different</td>" in html
    )
    assert "<td>0.400</td><td>50</td><td>cannot be told apart</td>" in html
    assert "<td>–</td><td>5</td><td>too few prompts to tell</td>" in html
    assert differences("one", "two", [], "domain", "") == ""
    assert "nothing to compare" in differences("one", "two", [less("", n=0)], "domain", "")


def test_a_list_of_one_is_no_choice_and_defaults_are_named() -> None:
    rows = [
        Chips(
            name="by",
            label="By",
            options=[Option("model", "Model"), Option("coi", "CoI")],
            chosen=["coi"],
        ),
        Chips(
            name="models", label="Models", options=[Option("a", "a")], chosen=[], sort="checkbox"
        ),
    ]
    html = controls(
        rows,
        [
            Select("score", "Score", {"score": "Score"}),
            Select("run", "Run", {"": "all", "r": "r"}, "r"),
        ],
        (),
    )
    assert 'data-field="by" data-default="model"' in html
    assert 'data-field="models" data-default=""' in html
    assert 'data-field="score"' not in html
    assert '<option value="r" selected>' in html


def test_behind_a_bar_each_prompt_and_each_of_its_pictures_is_a_button() -> None:
    found = [
        Prompt(
            "a cat",
            0.2,
            "2 images",
            [PromptPicture("g1", Path("a.webp"), 0.0), PromptPicture("g2", None, None)],
        )
    ]
    html = prompts("Behind one", found, Pagination(2, 5, 41), 10)
    assert html.count("data-pick=") == 3 + 2
    assert 'start="21"' in html
    assert "41 prompts, the worst first" in html
    assert "nothing answered" in html
    assert "3 of 5" in html
    assert "Nothing was counted here" in prompts("Behind one", [], Pagination(0, 0, 0), 10)


def test_a_doubtful_number_has_the_sign_of_its_note() -> None:
    html = published_tables_html(tables_of_metric("fig"))
    assert html.count("<table") == 3
    assert re.search(r"<td>10\.23<sup>(\d)</sup></td>", html)
    sign = re.search(r"<td>20\.83<sup>(\d)</sup></td>", html)
    assert sign
    assert f"<li><sup>{sign[1]}</sup> 20.83 on DrawBench: table 3 prints 10.23" in html
