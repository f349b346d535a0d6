"""Measures what judges save when questions share a picture: ``python -m bench.judge_sharing``.

The judges are tiny and local. It is a part of ``make bench``.
"""

import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from PIL import Image

from bench.ratios import COLUMNS, Ratio, paired_ratio
from bench.support.tiny_models import language, vision
from hallascope.backends import registry
from hallascope.cli.output.printing import table
from hallascope.data.models.specs import ModelSpec
from hallascope.data.records import Picture
from hallascope.data.requests import Ask, Setting

PATCHES, WORDS = 1024, 32
QUESTIONS = (
    "What color is it?",
    "What is it?",
    "How many are there?",
    "Where is it?",
    "Is it large?",
)
CHOICES = ("Red", "Blue", "Green", "Black", "None of the above")


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        found = ratios(Path(folder))
    print(table(COLUMNS, found))
    sys.exit(0 if all(ratio.kept for ratio in found) else 1)


def ratios(folder: Path) -> list[Ratio]:
    picture = vision.picture(folder, size=(512, 512))
    chat = _load(language.qwen3_vl(folder / "chat", PATCHES), "transformers-chat")
    ranks = _load(language.blip_2(folder / "ranks", "t5"), "transformers-captioner")
    asks = [_ask(picture, question) for question in QUESTIONS]
    return [
        _together(
            "five questions about one image one by one to sharing it, Qwen3-VL", chat, asks, 2
        ),
        _together("five questions one by one to one batch, BLIP-2", ranks, asks, 1),
        _adapter(chat, picture),
    ]


def _load(folder: Path, backend: str) -> Any:
    settings: dict[str, Setting] = {"device": "cpu", "dtype": "float32", "max_tokens": WORDS}
    return registry.load(
        ModelSpec(
            id="bench/judge",
            title="A tiny judge",
            roles=("judge",),
            backend=backend,
            repository=str(folder),
            settings=settings,
        )
    )


def _ask(picture: Picture, question: str) -> Ask:
    lines = "\n".join(
        f"{letter}) {choice}" for letter, choice in zip("ABCDE", CHOICES, strict=True)
    )
    return Ask(images=(picture,), text=f"{question}\n{lines}", question=question, choices=CHOICES)


def _together(what: str, judge: Any, asks: Sequence[Ask], bound: float) -> Ratio:
    def alone() -> None:
        for ask in asks:
            judge.ask([ask])

    return paired_ratio(what, alone, lambda: judge.ask(asks), bound, at_most=False)


def _adapter(chat: Any, picture: Picture) -> Ratio:
    """The same reply through the adapter and by the library's own generation."""
    text = "Tell me all that you see."
    prompt = chat.processor.apply_chat_template(
        [{"role": "user", "content": [{"type": "image"}, {"type": "text", "text": text}]}],
        add_generation_prompt=True,
    )

    def bare() -> None:
        with Image.open(picture.path) as image:
            given = chat.processor(
                images=[image.convert("RGB")], text=[prompt], return_tensors="pt"
            )
        said = chat.model.generate(**given, max_new_tokens=WORDS, do_sample=False)
        chat.tokenizer.decode(said[0, given["input_ids"].shape[1] :], skip_special_tokens=True)

    what = "a reply through the adapter to the library's own generation"
    return paired_ratio(
        what, lambda: chat.ask([Ask(images=(picture,), text=text, question=text)]), bare, 1.05
    )


if __name__ == "__main__":
    main()
