"""Two tables for tests of Agreement: scores of two metrics and ratings of two people."""

import random
from pathlib import Path

from hallascope.pages.agreement.state import ComparisonInput


def tables(folder: Path, lone: str = "") -> tuple[str, str]:
    chance = random.Random(3)
    people = {f"i{n}": chance.randint(1, 5) for n in range(20)}
    scores, ratings = folder / "s.csv", folder / "r.csv"
    both = [
        f"{item},{name},{value + chance.gauss(0, spread):.3f}"
        for item, value in people.items()
        for name, spread in (("near", 1), ("far", 4))
    ]
    scores.write_text(
        "item,metric,value\n" + "\n".join([*both, *([f"{lone},near,1"] if lone else [])]),
        encoding="utf-8",
    )
    rated = [f"{item},{who},{value}" for item, value in people.items() for who in ("ann", "bo")]
    ratings.write_text("item,rater,value\n" + "\n".join(rated), encoding="utf-8")
    return str(scores), str(ratings)


def given(scores: str | None, people: str | None, kind: str = "auto") -> ComparisonInput:
    return ComparisonInput("tables", scores, people, kind)


def write(file: Path, *lines: str) -> str:
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return str(file)
