"""Finds what helps with a prompt that the built-in models do not draw."""

import io
from functools import lru_cache

from markupsafe import Markup

from hallascope.components.models.prompt_help import help_html
from hallascope.engine.deployment.hosting import logs_in
from hallascope.engine.run.primer_prompts import WELL_KNOWN, find_near_prompts
from hallascope.primer import scenes

THUMBNAIL = 128  # px of a side


def help_for(prompt: str) -> Markup:
    """Return what to do about a prompt that no chosen model draws, with the nearest that are."""
    near = find_near_prompts(prompt) or WELL_KNOWN
    return help_html(prompt, {each: draw_thumbnail(each) for each in near}, logs_in())


@lru_cache(maxsize=256)
def draw_thumbnail(prompt: str) -> bytes:
    """Return a prompt of Primer's grammar with all facts right, as a small WebP image."""
    scene = scenes.parse(prompt)
    stream = io.BytesIO()
    scene.draw(scene.truths(), prompt).image(THUMBNAIL).save(stream, "WEBP", quality=80)
    return stream.getvalue()
