"""LaTeX tables hold the numbers of the store, and no text of people or models is a command."""

import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.engine.export import reader
from hallascope.engine.export.folder import HoldsSecret
from hallascope.engine.export.formats import ExportSource, export
from hallascope.engine.export.secret_scan import Secrets
from hallascope.engine.export.selection.selection import Selection, read_selection
from hallascope.engine.export.writers.latex import (
    MetricColumn,
    column_titles,
    escape_latex,
    score_table,
)
from hallascope.engine.services import Services
from hallascope.engine.storage.store import Store
from tests.support.exports import NO_SECRETS
from tests.support.shared_runs import keep

# What LaTeX makes of an escape, said apart from how it is written.
MEANINGS = {
    r"\textbackslash{}": "\\",
    r"\{": "{",
    r"\}": "}",
    r"\$": "$",
    r"\&": "&",
    r"\#": "#",
    r"\%": "%",
    r"\_": "_",
    r"\textasciicircum{}": "^",
    r"\textasciitilde{}": "~",
    r"\textless{}": "<",
    r"\textgreater{}": ">",
    r"\textbar{}": "|",
    r"{\char34}": '"',
    r"\textasciigrave{}": "`",
    "-{}": "-",
    "'{}": "'",
    "{[}": "[",
    "{*}": "*",
}
TOKEN = re.compile("|".join(map(re.escape, MEANINGS)) + r"|[^\\{}$&#%_^~<>|\"`]", re.S)


def read_latex(text: str) -> str:
    """What LaTeX prints of a text. Raises ValueError where it has a command of any other kind."""
    printed = []
    place = 0
    while place < len(text):
        token = TOKEN.match(text, place)
        if token is None:
            raise ValueError(f"{text[place : place + 20]!r} is a command")
        printed.append(MEANINGS.get(token.group(), token.group()))
        place = token.end()
    return "".join(printed)


@given(st.text())
def test_latex_prints_any_text_as_it_stands(text: str) -> None:
    escaped = escape_latex(text)
    cleaned = re.sub(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+", " ", text).strip()
    assert read_latex(escaped) == cleaned
    assert not re.search(r"--|''|``|\n|^[\[*]", escaped), "nothing is a dash, a quote or an option"


def test_known_texts_are_escaped() -> None:
    assert escape_latex(r"\input{/etc/passwd}") == r"\textbackslash{}input\{/etc/passwd\}"
    assert escape_latex("50 % of a_b & c") == r"50 \% of a\_b \& c"
    assert escape_latex("I-HallA") == "I-HallA"
    assert escape_latex("line\nbreak\x07") == "line break"


def write(store: Store, out: Path, selection: Selection | None = None) -> str:
    source = ExportSource(
        services=Services(store, {}),
        runs=reader.select_runs(store, "all"),
        selection=selection or Selection(),
    )
    export(source, "latex", out, secrets=NO_SECRETS)
    return (out if out.suffix else out / "tables.tex").read_text("utf-8")


def test_scores_stand_by_model_and_metric_with_interval_and_n(store: Store, tmp_path: Path) -> None:
    keep(store, "run0", "another prompt", models=("primer/exact",))
    keep(store)
    text = write(store, tmp_path / "out.tex")
    head, rest = text.split(r"\end{table}")
    assert r"Model & FiG & I-HallA \\" in head
    assert re.search(r"primer/exact & 0\.50 \[.*\] \(n = 2\) & 1\.00 \[0\.\d\d, 1\.00\] ", head)
    assert r"primer/hasty & 0.50 (n = 1) & 0.00 (n = 1) \\" in head, "one prompt has no interval"
    assert "95 \\% interval by prompt" in head
    for rule in (r"\toprule", r"\midrule", r"\bottomrule"):
        assert rule in head
        assert rule in rest


def test_chosen_verdicts_stand_below_while_the_scores_are_of_all_verdicts(
    store: Store, tmp_path: Path
) -> None:
    keep(store)
    text = write(store, tmp_path / "out", read_selection(outcomes="incorrect", cois="counting"))
    head, rest = text.split(r"\end{table}")
    assert "primer/exact" in head
    rows = [line for line in rest.splitlines() if line.startswith("primer/")]
    assert rows == [
        r"primer/hasty & 1 & How many hydrogen atoms are there? & four & three & -- & incorrect \\"
    ]


def test_a_row_has_seven_cells_whatever_stands_in_them(store: Store, tmp_path: Path) -> None:
    keep(store, prompt=r"a & b \\ \end{longtable} % _ ^ {")
    text = write(store, tmp_path / "out")
    rows = [line for line in text.split(r"\endfoot")[1].splitlines() if line.startswith("primer/")]
    assert len(rows) == 10
    for row in rows:
        assert len(re.findall(r"(?<!\\)&", row)) == 6
        assert row.endswith(r" \\")
    assert text.count(r"\end{longtable}") == 1


def test_a_key_in_the_name_of_a_model_does_not_leave(store: Store, tmp_path: Path) -> None:
    keep(store, models=("openai/sk-proj_abcdefgh_ijklmnop_1234",))
    with pytest.raises(HoldsSecret, match="a key of a service"):
        write(store, tmp_path / "out")


def test_two_judges_of_a_metric_have_columns_of_their_own() -> None:
    columns = [
        MetricColumn("ihalla", "2", "a/judge"),
        MetricColumn("ihalla", "2", "b/judge"),
        MetricColumn("fig", "1", ""),
    ]
    assert column_titles(columns) == ["I-HallA (1)", "I-HallA (2)", "FiG"]
    assert score_table(iter(())).startswith("%")


def test_nothing_is_written_where_a_text_holds_a_key(store: Store, tmp_path: Path) -> None:
    keep(store, prompt="sk-proj-abcdefghijklmnop1234")
    source = ExportSource(services=Services(store, {}), runs=["run1"])
    for form in ("latex", "fiftyone"):
        with pytest.raises(HoldsSecret, match="a key of a service"):
            export(source, form, tmp_path / form, secrets=Secrets({}))
        assert not (tmp_path / form).exists()
