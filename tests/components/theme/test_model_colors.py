"""A model looks the same everywhere, and models are told apart without color."""

from hallascope.components.theme.model_colors import COLORS, MARKS, model_styles
from tests.components.leaderboard.test_charts import KNOWN


def test_a_model_looks_the_same_whatever_stands_beside_it() -> None:
    known = [f"m/{i}" for i in range(20)]
    assert model_styles(["m/3"], known)["m/3"] == model_styles(known, known)["m/3"]
    assert model_styles(["unknown"], known) == model_styles(["unknown"], known[:5] + known[5:])


def test_models_are_told_apart_without_colour_where_the_colours_come_again() -> None:
    known = [f"m/{i}" for i in range(2 * len(COLORS))]
    found = model_styles(known, known)
    assert len({(look.color, look.pattern) for look in found.values()}) == len(known)
    assert len({(look.color, look.mark, look.dash) for look in found.values()}) == len(known)
    assert len({(look.mark, look.dash) for look in list(found.values())[: len(MARKS)]}) == len(
        MARKS
    )


def test_with_knowledge_a_model_keeps_its_colour_and_has_another_pattern() -> None:
    found = model_styles(["m/one", "m/one + visual knowledge"], KNOWN)
    plain, given = found.values()
    assert plain.color == given.color
    assert plain.pattern != given.pattern
