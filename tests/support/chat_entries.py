"""Makes entries of tiny chat models, questions to them, and what the library makes of these."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from PIL import Image

from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import Picture
from hallascope.data.requests import Answer, Ask, Failure

ENTRIES = {
    "llava": "llava-1.5-7b",
    "llava-next": "llava-1.6-mistral-7b",
    "llava-onevision": "llava-onevision-0.5b",
    "qwen2-vl": "qwen2-vl-2b",
    "qwen2.5-vl": "qwen2.5-vl-7b",
    "qwen3-vl": "qwen3-vl-2b",
    "qwen3.5": "qwen3.5-4b",
    "idefics3": "smolvlm-500m",
    "smolvlm": "smolvlm2-2.2b",
}
WORDS = 8  # of a reply
THREE = ("Red", "Blue", "None of the above")
Load = Callable[[str], Any]


def chat_spec(kind: str, folder: Path, **settings: Any) -> ModelSpec:
    """The entry of the file with the folder in place of the repository, and no need of a GPU."""
    spec = read_models()[ENTRIES[kind]]
    said = {**spec.settings, "dtype": "float32", "max_tokens": WORDS, "device": "cpu", **settings}
    return replace(
        spec, repository=str(folder), needs=(), memory_gb=None, gated=False, settings=said
    )


def ask_by_letter(picture: Picture, question: str, choices: tuple[str, ...] = THREE) -> Ask:
    lines = "\n".join(
        f"{letter}) {choice}" for letter, choice in zip("ABCDE", choices, strict=False)
    )
    return Ask(
        images=(picture,),
        text=f"Look at it.\nQuestion: {question}\n{lines}\nAnswer:",
        question=question,
        choices=choices,
    )


def answers_of(replies: list[Answer | Failure]) -> list[Answer]:
    assert all(isinstance(reply, Answer) for reply in replies), replies
    return [reply for reply in replies if isinstance(reply, Answer)]


def probabilities_of(reply: Answer | Failure) -> tuple[float, ...]:
    """The probabilities of a reply, none where it has none."""
    return (isinstance(reply, Answer) and reply.probabilities) or ()


def library_inputs(model: Any, picture: Picture | None, text: str) -> Any:
    """What the library itself makes of a question."""
    content = [*([{"type": "image"}] if picture else []), {"type": "text", "text": text}]
    prompt = model.processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True
    )
    if not picture:
        return model.processor.tokenizer([prompt], return_tensors="pt")
    with Image.open(picture.path) as image:
        return model.processor(images=[image.convert("RGB")], text=[prompt], return_tensors="pt")
