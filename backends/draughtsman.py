"""Simulates generators that draw a Primer prompt and violate each fact by a set probability."""

import io
import random
from collections.abc import Sequence

from hallascope.backends.base import CallLimits, ModelSpec, OnStep
from hallascope.backends.loading import wrong_number
from hallascope.data.requests import Failure, Generate, Generated
from hallascope.primer import scenes


class Draughtsman:
    """Draws prompts of the Primer grammar.

    ``settings.violation`` in [0, 1]: 0, or none, draws the factual image.
    """

    limits = CallLimits()
    revision = "1"

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self.violation = float(spec.settings.get("violation") or 0)

    @staticmethod
    def check(spec: ModelSpec) -> str | None:
        """Return what is wrong with its settings; None: it draws anywhere."""
        return wrong_number(spec.settings, "violation", 0, 1)

    def generate(
        self, requests: Sequence[Generate], on_step: OnStep | None = None
    ) -> list[Generated | Failure]:
        """Draw one 512 px image a request (the request's ``size`` changes it).

        A prompt it cannot draw is a Failure that says why. Facts behind a prompt change the chances
        and are not followed.
        """
        replies = []
        for done, request in enumerate(requests, 1):
            replies.append(self._draw(request))
            if on_step:
                on_step(done, len(requests))
        return replies

    def _draw(self, request: Generate) -> Generated | Failure:
        try:
            scene = scenes.parse(scenes.without_facts(request.prompt))
        except scenes.CannotDraw as sentence:
            return Failure("cannot_draw", str(sentence))
        prompt = " ".join(request.prompt.split()).lower()
        values = scenes.violate(
            scene,
            self.violation,
            random.Random(f"{self.spec.id} {request.seed} {prompt}"),
        )
        chance = f"{request.seed} {prompt}"
        image = scene.draw(values, chance).image(512)
        stream = io.BytesIO()
        image.save(stream, "PNG", compress_level=1)  # half the time, and a tenth larger
        truths = scene.truths()
        violated = [name for name, value in values.items() if value != truths[name]]
        return Generated(
            stream.getvalue(),
            truth={
                "prompt": scene.prompt,
                "chance": chance,
                "values": values,
                "violated": violated,
            },
        )
