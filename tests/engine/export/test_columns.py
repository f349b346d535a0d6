"""Columns say of every row what the documentation says that they tell."""

from pathlib import Path

from hallascope.engine.export.columns import TABLES, VERDICTS
from hallascope.engine.storage.store import Store
from tests.support.exports import Send, read_table
from tests.support.shared_runs import EVIL, PROMPT, keep, keep_corrected


def test_the_table_of_verdicts_has_a_row_for_every_verdict_and_finding(
    home: Store, send: Send, tmp_path: Path
) -> None:
    written = send(home, "csv")
    rows = read_table(tmp_path / "out" / "verdicts.csv")
    assert written.verdicts == len(rows) == 2 * (2 + 3)
    assert list(rows[0]) == [column.name for column in VERDICTS]
    wrong = next(
        row for row in rows if row["model"] == "primer/hasty" and row["kind"] == "question"
    )
    told = [
        wrong[name]
        for name in (
            "coi",
            "wanted",
            "seen",
            "gold",
            "answer",
            "value",
            "raw",
            "seed",
            "trial",
            "prompt",
            "category",
        )
    ]
    assert told == ["counting", "four", "three", "B", "A", "0", EVIL, "1", "0", PROMPT, "Physics"]
    left_out = next(row for row in rows if row["state"] == "failed")
    assert (left_out["value"], left_out["answer"], left_out["note"]) == (
        "",
        "",
        "The judge did not answer: ask again.",
    )
    assert [row["asked"] for row in rows if row["kind"] == "color"] == ["a red molecule"] * 2


def test_every_column_is_explained_in_the_documentation_and_no_other() -> None:
    said = (Path(__file__).parents[3] / "docs" / "exports.md").read_text("utf-8")
    for columns in TABLES.values():
        assert (
            "\n".join(
                f"| `{column.name}` | {column.type} | {column.description} |" for column in columns
            )
            in said
        )


def test_tables_say_whose_reading_a_result_rests_on(
    store: Store, send: Send, tmp_path: Path
) -> None:
    keep(store)
    keep_corrected(store)
    send(store, "csv")
    rows = read_table(tmp_path / "out" / "evaluations.csv")
    told = {(row["metric"], row["reading"], row["reading_author"]) for row in rows}
    assert told == {("ihalla", "", ""), ("fig", "", ""), ("fig", "person", "Ann Example")}
    findings = read_table(tmp_path / "out" / "verdicts.csv")
    assert "Ann Example" in {row["reading_author"] for row in findings}
