"""The published F1 of scene-graph QA are shares, and the best row is the best."""

from hallascope.data.published.scene_graph import BEST, error_f1


def test_every_f1_is_a_share() -> None:
    assert all(0 < f1 < 1 for row in error_f1().values() for f1 in row.values())


def test_the_best_row_knows_all_types_and_is_at_least_as_good_in_each() -> None:
    rows = error_f1()
    assert len(rows[BEST]) == 4
    for row in rows.values():
        assert all(rows[BEST][error] >= f1 for error, f1 in row.items())


def test_a_type_that_a_row_does_not_tell_apart_is_missing() -> None:
    assert set(error_f1()["T2ICompbench"]) == {"attribute", "relation"}
