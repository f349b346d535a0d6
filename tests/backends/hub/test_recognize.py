"""A configuration tells which backend runs a model, or one sentence says why none does."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from hallascope.backends.hub.recognize import UnrecognizedModel, recognize_model
from tests.support.any_json import any_json


@pytest.mark.parametrize(
    "config, backend, roles",
    [
        ({"model_type": "grounding-dino"}, "transformers-detector", ("detector",)),
        ({"model_type": "sam2"}, "transformers-segmenter", ("segmenter",)),
        ({"model_type": "siglip"}, "transformers-embedder", ("embedder",)),
        (
            {"model_type": "blip", "architectures": ["BlipForQuestionAnswering"]},
            "transformers",
            ("judge", "captioner"),
        ),
        (
            {"model_type": "blip", "architectures": ["BlipForImageTextRetrieval"]},
            "transformers-matcher",
            ("embedder",),
        ),
        (
            {"model_type": "clipseg", "architectures": ["CLIPSegForImageSegmentation"]},
            "clipseg",
            ("detector", "segmenter"),
        ),
        ({"model_type": "instructblip"}, "transformers-captioner", ("judge", "captioner")),
        (
            {
                "model_type": "qwen2_5_vl",
                "architectures": ["Qwen2_5_VLForConditionalGeneration"],
                "vision_config": {},
            },
            "transformers-chat",
            ("judge", "captioner", "writer"),
        ),
        (
            {"model_type": "rt_detr_v2", "architectures": ["RTDetrV2ForObjectDetection"]},
            "transformers-labels",
            ("detector",),
        ),
        (
            {"model_type": "qwen2", "architectures": ["Qwen2ForCausalLM"]},
            "transformers-writer",
            ("writer",),
        ),
    ],
)
def test_a_configuration_tells_backend_and_roles(config: Any, backend: str, roles: Any) -> None:
    assert recognize_model(None, config)[:2] == (backend, roles)


@pytest.mark.parametrize(
    "index, config, said",
    [
        (None, None, "neither model_index.json nor config.json"),
        (
            None,
            {"model_type": "mystery", "auto_map": {"AutoModel": "x.Y"}},
            "'mystery' needs code of its own, which is never run",
        ),
        (None, {"model_type": "mystery"}, "is not in the installed transformers"),
        (None, {"model_type": "bert", "architectures": ["BertForMaskedLM"]}, "fills no role here"),
        ({"_class_name": ["pipeline", "Mine"]}, None, "its pipeline needs code of its own"),
        (
            {"_class_name": "WanPipeline"},
            None,
            "that draws images from text",
        ),
    ],
)
def test_what_no_backend_runs_is_said_with_what_to_do(index: Any, config: Any, said: str) -> None:
    with pytest.raises(UnrecognizedModel, match=said):
        recognize_model(index, config)


@given(
    st.sampled_from(["qwen2", "blip", "sam", "mystery"]),
    st.dictionaries(st.sampled_from(["architectures", "vision_config", "auto_map"]), any_json()),
)
def test_whatever_a_configuration_holds_it_is_recognised_or_refused(kind: str, config: Any) -> None:
    try:
        found = recognize_model(None, {"model_type": kind, **config})
    except UnrecognizedModel:
        return
    assert found.roles
