"""Draws a prompt with some of its values changed."""

from hallascope.primer import scenes
from hallascope.primer.appearance import RenderedScene


def draw_view(prompt: str, seed: int = 0, **values: str | int) -> RenderedScene:
    scene = scenes.parse(prompt)
    whole = {**scene.truths(), **values}
    return RenderedScene(scene, whole, scene.draw(whole, seed))
