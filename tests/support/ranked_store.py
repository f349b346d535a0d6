"""Services whose store has pictures of two prompts by three draughtsmen, judged by a script:
something to rank.
"""

from pathlib import Path
from typing import Any

PROMPTS = ("a molecule of methane", "a ladybug")
MODELS = ("primer/exact", "primer/hasty", "primer/careless")


def build(folder: Path, **options: Any) -> Any:
    """Services on a folder of their own; what was judged before is not judged again."""
    from hallascope.engine.events import EvaluateRequest
    from tests.conftest import build as scripted

    services = scripted(folder, **options)
    for prompt in PROMPTS:
        for _ in services.evaluate(EvaluateRequest(prompt=prompt, models=MODELS)):
            pass
    return services
