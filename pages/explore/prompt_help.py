"""Finds what helps with a prompt that the built-in models do not draw."""

import io
from functools import lru_cache
from typing import Any

import gradio as gr
from markupsafe import Markup

from hallascope.components.models.prompt_help import (
    PromptHelp,
    SuggestedPrompt,
    help_html,
    help_panel,
)
from hallascope.engine.deployment.hosting import logs_in
from hallascope.engine.events import EvaluateRequest
from hallascope.engine.run.primer_prompts import WELL_KNOWN, find_near_prompts
from hallascope.engine.services import Services
from hallascope.pages.teach.break_it import concept_list
from hallascope.primer import scenes
from hallascope.primer.concepts import concepts

THUMBNAIL = 128  # px of a side


def build() -> gr.HTML:
    """Return the panel, empty, with the function that gives all concepts."""
    return help_panel(browse, "prompt", "go")


def browse(sent: Any) -> dict[str, Any]:
    """Return all concepts with their prompts, domains and images."""
    return {"concepts": concept_list()}


def help_for(services: Services, request: EvaluateRequest) -> Markup:
    """Return what helps with the prompt of a request; "" where the built-in models draw it.

    It is also "" where no built-in model is chosen to draw.
    """
    if not services.asks_primer(request) or can_draw(request.prompt):
        return Markup()
    near = find_near_prompts(request.prompt)
    return help_html(
        PromptHelp(
            suggestions=[SuggestedPrompt(prompt, draw_thumbnail(prompt)) for prompt in near]
            or [SuggestedPrompt(prompt, draw_thumbnail(prompt)) for prompt in WELL_KNOWN],
            is_near=bool(near),
            concepts=len(concepts()),
            logs_in=logs_in(),
        )
    )


def can_draw(prompt: str) -> bool:
    """Return whether a prompt is one of Primer's grammar."""
    try:
        scenes.parse(prompt)
    except scenes.CannotDraw:
        return False
    return True


@lru_cache(maxsize=256)
def draw_thumbnail(prompt: str) -> bytes:
    """Return a prompt of Primer's grammar with all facts right, as a small WebP image."""
    scene = scenes.parse(prompt)
    stream = io.BytesIO()
    scene.draw(scene.truths(), prompt).image(THUMBNAIL).save(stream, "WEBP", quality=80)
    return stream.getvalue()
