"""The packs that ship name models that can be fetched."""

from hallascope.data.models.packs import read_packs
from hallascope.data.models.specs import read_models


def test_every_pack_names_models_that_can_be_fetched_and_fits_into_the_memory_it_states() -> None:
    models = read_models()
    for pack in read_packs().values():
        for name in pack.models:
            spec = models[name]
            assert spec.kind == "local", name
            assert spec.repository, name
            assert not spec.base_url, name
            assert 0 < (spec.memory_gb or 0) <= pack.memory_gb, name
            assert spec.size_gb, name
            assert spec.licence, name


def test_the_laptop_pack_fills_every_role_of_a_judgement_without_a_gpu_a_key_or_an_account() -> (
    None
):
    models = read_models()
    specs = [models[name] for name in read_packs()["laptop"].models]
    roles = {role for spec in specs for role in spec.roles}
    assert roles >= {"generator", "judge", "detector", "segmenter", "captioner", "writer"}
    assert not [spec.id for spec in specs if spec.gated or "gpu" in spec.needs or spec.key]
    assert read_packs()["laptop"].memory_gb <= 8
