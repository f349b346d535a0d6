"""The search finds groups that fail more, does not repeat them, and finds nothing in chance."""

import numpy as np

from hallascope.engine.error_analysis.slices.search import Units, find_groups, members

PROMPTS = 120
IMAGES = 4  # of each prompt
# the columns: a third of the prompts, a sixth of the prompts, and every second image
THIRD, SIXTH, SECOND = range(3)


def made_units(chance: np.random.Generator) -> Units:
    prompts = np.repeat(np.arange(PROMPTS), IMAGES)
    image = np.tile(np.arange(IMAGES), PROMPTS)
    conditions = np.array([prompts % 3 == 0, prompts % 6 == 0, image % 2 == 0]).T
    usual = chance.beta(1.2, 10, PROMPTS)[prompts]
    errors = chance.binomial(1, usual).astype(float)
    return Units(
        errors=errors,
        weights=np.ones(len(errors)),
        prompts=prompts,
        models=np.zeros(len(errors), dtype=np.intp),
        conditions=conditions,
        features=[0, 1, 2],
    )


def fail(units: Units, inside: np.ndarray, chance: np.random.Generator) -> Units:
    """Let two thirds of a group fail."""
    errors = np.where(inside, chance.binomial(1, 0.67, len(inside)), units.errors)
    return units._replace(errors=errors.astype(float))


def test_the_group_that_fails_is_found_and_neither_a_wider_nor_a_narrower_one() -> None:
    chance = np.random.default_rng(1)
    units = made_units(chance)
    found = find_groups(fail(units, members(units, [THIRD]), chance))
    assert [group.conditions for group in found.groups] == [(THIRD,)]
    assert found.groups[0].p <= found.groups[0].corrected_p <= 0.05


def test_a_conjunction_that_fails_is_found_as_one() -> None:
    chance = np.random.default_rng(2)
    units = made_units(chance)
    found = find_groups(fail(units, members(units, [THIRD, SECOND]), chance))
    assert found.groups[0].conditions == (THIRD, SECOND)


def test_a_group_within_prompts_is_found_by_flips() -> None:
    chance = np.random.default_rng(3)
    units = made_units(chance)
    found = find_groups(fail(units, members(units, [SECOND]), chance))
    assert [group.conditions for group in found.groups] == [(SECOND,)]


def test_chance_is_seldom_reported() -> None:
    chance = np.random.default_rng(4)
    reported = sum(bool(find_groups(made_units(chance)).groups) for _ in range(40))
    assert reported <= 4


def test_a_prompt_that_fails_in_all_its_images_is_no_group() -> None:
    """Images of one prompt are not independent: a group of four prompts is not tested."""
    units = made_units(np.random.default_rng(5))
    rare = units.prompts < 4
    units = units._replace(
        errors=rare.astype(float),
        conditions=np.column_stack([units.conditions, rare]),
        features=[*units.features, 3],
    )
    assert all(3 not in group.conditions for group in find_groups(units).groups)


def test_prompts_that_only_a_bad_model_drew_are_no_group() -> None:
    chance = np.random.default_rng(8)
    units = made_units(chance)
    third = members(units, [THIRD])
    units = fail(units, third, chance)
    assert find_groups(units).groups
    assert find_groups(units._replace(models=third.astype(np.intp))).groups == ()


def test_equal_errors_have_no_groups() -> None:
    units = made_units(np.random.default_rng(6))
    assert find_groups(units._replace(errors=np.ones(len(units.errors)))).groups == ()


def test_the_same_seed_gives_the_same_groups() -> None:
    chance = np.random.default_rng(7)
    units = made_units(chance)
    units = fail(units, members(units, [SIXTH]), chance)
    assert find_groups(units, seed=3) == find_groups(units, seed=3)
