"""I-HallA's published agreement with people says on how many images it rests."""

import csv
from pathlib import Path

PUBLISHED = Path(__file__).parents[3] / "data" / "published"


def rows(name: str) -> list[dict[str, str]]:
    with (PUBLISHED / name).open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_the_agreement_with_people_says_on_how_many_images_it_rests() -> None:
    assert {(row["images"], row["raters"]) for row in rows("ihalla_human_agreement.csv")} == {
        ("10", "53")
    }
