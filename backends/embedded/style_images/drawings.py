"""Draws images in Primer's style: what the detector must let through."""

import io
import random
from collections.abc import Iterator
from typing import Any

from PIL import Image

from hallascope.primer import scenes
from hallascope.primer.teaching.alterations import draw_alteration, sample_alteration

SIZE = 512  # px, as the draughtsmen draw
# The shares of violated facts of the models exact, careful, hasty and careless.
VIOLATED = (0.0, 0.15, 0.4, 0.75)
DIFFUSION = ("primer/diffusion-small", "primer/diffusion-tiny")
BATCH = 8


def draw_images(count: int, seed: str) -> Iterator[tuple[str, Image.Image]]:
    """Draw prompts, every concept and variation first, with their facts violated by chance.

    Each comes with the name of the model that would draw it so.
    """
    for number in range(count):
        yield draw_image(number, seed)


def draw_image(number: int, seed: str) -> tuple[str, Image.Image]:
    """Return one of `draw_images`; the same arguments give the same image."""
    names = ("exact", "careful", "hasty", "careless")
    every = scenes.prompts()
    chance = random.Random(f"style {seed} {number}")
    prompt = every[number] if number < len(every) else scenes.sample_prompt(chance)
    scene = scenes.parse(prompt)
    kind = (number + number // len(every)) % len(VIOLATED)
    values = scenes.violate(scene, VIOLATED[kind], chance)
    return f"primer/{names[kind]}", scene.draw(values, f"style {seed} {number}").image(SIZE)


def draw_altered(count: int, seed: str) -> Iterator[Image.Image]:
    """Draw concepts of which a person has changed some facts."""
    for i in range(count):
        alteration = sample_alteration(random.Random(f"altered {seed} {i}"))
        yield draw_alteration(alteration).drawing.image(SIZE)


def generate_images(model: str, count: int, seed: str) -> Iterator[Image.Image]:
    """Generate images with a diffusion model: every second of a concept, the others by chance."""
    from hallascope.backends import registry
    from hallascope.data.models.specs import read_models
    from hallascope.data.requests import Generate, Generated

    generator: Any = registry.load(read_models()[model])
    every = scenes.prompts()
    chance = random.Random(f"{seed} {model}")
    for start in range(0, count, BATCH):
        requests = []
        for i in range(start, min(start + BATCH, count)):
            prompt = scenes.sample_prompt(chance) if i % 2 else every[i % len(every)]
            requests.append(Generate(prompt=prompt, seed=chance.randrange(2**31)))
        for reply in generator.generate(requests):
            assert isinstance(reply, Generated), reply
            yield Image.open(io.BytesIO(reply.png)).convert("RGB")
