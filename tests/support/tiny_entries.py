"""Makes entries of tiny models of transformers, questions to them, and reads their replies."""

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from PIL import Image

from hallascope.data import masks
from hallascope.data.models.specs import ModelSpec, read_models
from hallascope.data.records import Picture
from hallascope.data.regions import Box
from hallascope.data.requests import Answer, Ask, Detected, Failure, Role, Segmented, Setting

CHATS = {
    "llava": "llava-1.5-7b",
    "qwen3-vl": "qwen3-vl-2b",
    "qwen3.5": "qwen3.5-4b",
    "smolvlm": "smolvlm2-2.2b",
}
CAPTIONERS = {
    "blip-2-t5": "blip2-flan-t5-xl",
    "paligemma2": "paligemma2-3b",
    "florence-2": "florence-2-base",
}
SPEAKERS = {**CHATS, **CAPTIONERS, "llama": "llama-3.2-1b"}
SEEING = {"rt-detr-v2": "rt-detr-v2", "sam3": "sam3"}
# Architectures without an entry in the file: backend and roles.
OTHERS: dict[str, tuple[str, tuple[Role, ...]]] = {
    "grounding-dino": ("transformers-detector", ("detector",)),
    "owlv2": ("transformers-detector", ("detector",)),
    "sam": ("transformers-segmenter", ("segmenter",)),
    "sam2": ("transformers-segmenter", ("segmenter",)),
    "clipseg": ("clipseg", ("detector", "segmenter")),
    "clip": ("transformers-embedder", ("embedder",)),
    "dinov2": ("transformers-embedder", ("embedder",)),
    "dino": ("transformers-embedder", ("embedder",)),
    "blip-itm": ("transformers-matcher", ("embedder",)),
}
KINDS = (*SPEAKERS, *SEEING, *OTHERS)
WORDS = 8  # of a reply
THREE = ("Red", "Blue", "None of the above")
BOXES = (Box(0, 0, 0.5, 0.5), Box(0.25, 0.25, 1, 1), Box(0.4, 0.3, 0.95, 0.9))
Tiny = Callable[[str], Path]
Load = Callable[..., Any]


def quick(kinds: Iterable[str], *chosen: str) -> list[Any]:
    """Parametrize by kinds; all but the chosen ones run in `make test-all` only."""
    full = pytest.mark.full
    return [kind if kind in chosen else pytest.param(kind, marks=full) for kind in kinds]


def tiny_spec(kind: str, folder: Path, **settings: Any) -> ModelSpec:
    """The entry of the file with the folder in place of the repository, and no need of a GPU."""
    if kind in OTHERS:
        backend, roles = OTHERS[kind]
        return ModelSpec(
            id=f"test/{kind}",
            title=f"Tiny {kind}",
            roles=roles,
            backend=backend,
            repository=str(folder),
            settings=settings,
        )
    spec = read_models()[{**SPEAKERS, **SEEING}[kind]]
    limits: dict[str, Setting] = (
        {"dtype": "float32", "max_tokens": WORDS} if kind in SPEAKERS else {}
    )
    return replace(
        spec,
        repository=str(folder),
        revision=None,
        needs=(),
        memory_gb=None,
        gated=False,
        settings={**spec.settings, "device": "cpu", **limits, **settings},
    )


def ask(picture: Picture, question: str, *choices: str, **more: Any) -> Ask:
    return Ask(images=(picture,), text=question, question=question, choices=choices, **more)


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


def texts_of(replies: list[Answer | Failure]) -> list[str]:
    assert all(isinstance(reply, Answer) for reply in replies), replies
    return [reply.text for reply in replies if isinstance(reply, Answer)]


def text_of(reply: Answer | Failure) -> str:
    """What was said; nothing is a failure."""
    assert isinstance(reply, Answer) or reply.kind == "empty", reply
    return reply.text if isinstance(reply, Answer) else ""


def probabilities_of(reply: Answer | Failure) -> tuple[float, ...]:
    """The probabilities of a reply, none where it has none."""
    return (isinstance(reply, Answer) and reply.probabilities) or ()


def detected(replies: list[Detected | Failure]) -> Detected:
    (reply,) = replies
    assert isinstance(reply, Detected), reply
    return reply


def masks_of(replies: list[Segmented | Failure]) -> list[Any]:
    (reply,) = replies
    assert isinstance(reply, Segmented), reply
    return [masks.array(mask) for mask in reply.masks]


def library_inputs(model: Any, picture: Picture | None, text: str) -> Any:
    """What the library itself makes of a question to a chat model."""
    content = [*([{"type": "image"}] if picture else []), {"type": "text", "text": text}]
    prompt = model.processor.apply_chat_template(
        [{"role": "user", "content": content}], add_generation_prompt=True
    )
    if not picture:
        return model.processor.tokenizer([prompt], return_tensors="pt")
    with Image.open(picture.path) as image:
        return model.processor(images=[image.convert("RGB")], text=[prompt], return_tensors="pt")


def library_words(model: Any, given: Any) -> str:
    """What the library's own generation writes after the inputs."""
    ids = model.model.generate(**given, max_new_tokens=WORDS, do_sample=False)
    return decoded(model.processor, ids[0, given["input_ids"].shape[1] :])


def decoded(tokenizer: Any, ids: torch.Tensor) -> str:
    text: str = getattr(tokenizer, "tokenizer", tokenizer).decode(ids, skip_special_tokens=True)
    return text.strip()
