"""What stands in people's place in the Primer world rates a drawing by what it is rated for."""

from pathlib import Path

from hallascope.engine.images.true_answers import stored_drawing
from hallascope.engine.reproduce.scores import primer_ratings
from hallascope.engine.storage.scores import prompt_key
from hallascope.engine.sweep.store import SweepStore
from tests.support.sweep_services import SPEC, World


def test_a_drawing_is_rated_by_what_the_prompt_states_and_a_concept_by_the_criteria(
    tmp_path: Path,
) -> None:
    world = World(tmp_path)
    models = "primer/careless, primer/exact"
    _, ended = world.run(SPEC.replace("scripted/one, scripted/two", models))
    ratings = primer_ratings(world.store, [ended.sweep])
    runs = SweepStore(world.store.database).runs(ended.sweep)
    drawn = {
        (evaluation.model, evaluation.report.prompt): stored_drawing(
            world.store, evaluation.report.image
        )
        for run in runs
        for evaluation in world.store.evaluations(run)
    }
    world.close()
    for (model, prompt), drawing in drawn.items():
        assert drawing
        key = model, prompt_key(prompt)
        right = drawing.scene.truths()
        wrong = {name for name, value in drawing.values.items() if value != right[name]}
        stated = wrong & set(drawing.scene.stated)
        assert ratings[""][key] == 1 - len(stated) / len(drawing.scene.stated)
        if model == "primer/exact":
            assert ratings["concept"][key] == 1
    ladybug = "primer/careless", prompt_key("a ladybug")
    assert ratings[""][ladybug] == 1  # its prompt says nothing of spots and legs
    assert ratings["concept"][ladybug] < 1
