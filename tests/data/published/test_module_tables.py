"""Published tables that rank no image model stand as printed, with contradictions named."""

import csv

import pytest

from hallascope.data.published.module_tables import FOLDER, published_tables, tables_of_metric

PRINTED = {
    "fig": ["FiG, table 2", "FiG, table 3", "FiG, table 4"],
    "factualbench": ["T2I-FactualBench, table 4 (150 concept and 150 composition samples)"],
    "ihalla": [],
}


@pytest.mark.parametrize("metric", PRINTED)
def test_each_metric_has_its_own_tables(metric: str) -> None:
    assert [table.source for table in tables_of_metric(metric)] == PRINTED[metric]


def test_every_number_of_the_files_is_in_the_tables() -> None:
    with (FOLDER / "fig_scores.csv").open(encoding="utf-8", newline="") as file:
        of_file = sorted(
            (f"FiG, table {row['table']}", row["name"], row["dataset"], float(row["percent"] or 0))
            for row in csv.DictReader(file)
            if row["table"] != "1"
        )
    shown = sorted(
        (table.source, row.name, row.group, float(number.text or 0))
        for table in tables_of_metric("fig")
        for row in table.rows
        for number in row.numbers
    )
    assert shown == of_file
    (agreement,) = tables_of_metric("factualbench")
    assert [number.text for number in agreement.rows[3].numbers] == ["0.504", "0.432"]
    assert len(agreement.rows) == 9
    assert all(
        len(row.numbers) == len(table.columns) for table in published_tables() for row in table.rows
    )


def test_numbers_of_the_recommended_configuration_that_differ_have_a_note() -> None:
    detectors, captioners, mergers = tables_of_metric("fig")
    assert detectors.notes == ()
    assert (
        "10.23 on DrawBench: tables 1 and 4 print 20.83 for the same configuration"
        in captioners.notes
    )
    assert len(captioners.notes) == 5
    noted = {number.text for row in mergers.rows for number in row.numbers if number.note}
    assert noted == {"20.83", "34.05", "28.80", "26.80", "12.30"}
    assert "20.83 on DrawBench: table 3 prints 10.23 for the same configuration" in mergers.notes
