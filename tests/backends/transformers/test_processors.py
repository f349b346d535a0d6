"""Processors prepare pictures as the library's own prepare them."""

import pytest
import torch
from PIL import Image

from hallascope.backends.transformers import processors
from hallascope.data.records import Picture
from tests.support.vision_entries import Tiny


def test_the_pictures_of_smolvlm_are_prepared_as_its_own_processor_prepares_them(
    tiny: Tiny, two_pictures: list[Picture], monkeypatch: pytest.MonkeyPatch
) -> None:
    from transformers import SmolVLMProcessor
    from transformers.models.smolvlm import processing_smolvlm

    monkeypatch.setattr(processing_smolvlm, "num2words", str, raising=False)
    ours = processors.load_picture_processor(str(tiny("smolvlm")), {})
    kind = type(
        "Still",
        (SmolVLMProcessor,),
        {"get_attributes": classmethod(lambda _: ["image_processor", "tokenizer"])},
    )
    own = kind(
        ours.image_processor,
        ours.tokenizer,
        None,
        image_seq_len=4,
        chat_template=ours.chat_template,
    )
    with Image.open(two_pictures[0].path) as image:
        for text in ("<image>What is it?", "Are <image> and <image> alike?"):
            shown = {
                "images": [image] * text.count("<image>"),
                "text": [text],
                "return_tensors": "pt",
            }
            made, expected = ours(**shown), own(**shown)
            assert set(made) == set(expected)
            assert all(torch.equal(made[name], expected[name]) for name in expected)
