"""Shows the packs of wordings on the Evaluate page as chips: which texts models are sent."""

from collections.abc import Mapping

import gradio as gr

from hallascope.components.models.pickers import Option, chip_row, chips
from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.packs import AS_PUBLISHED
from hallascope.engine.services import Services

LABEL = "Wording"
_ABOUT: Mapping[str, str] = {
    OURS: "The texts that HallaScope sends to judges, writers and captioners",
    AS_PUBLISHED: "Texts after the templates of the papers; scores are kept apart from those of"
    " ours",
}
_OWN = "A pack of this store; scores are kept apart from those of ours"


def picker(services: Services) -> gr.HTML:
    """Lay out a chip for each pack that ships or lies in the store; ours is chosen at first."""
    options = [Option(name, _ABOUT.get(name, _OWN), called=name) for name in services.wordings()]
    return chips(chip_row(options, [OURS], LABEL, "radio"), [OURS], elem_id="wording")
