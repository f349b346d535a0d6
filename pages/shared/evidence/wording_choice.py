"""Shows the packs of wordings as chips: which texts models are sent."""

from collections.abc import Mapping, Sequence

import gradio as gr

from hallascope.components.models.pickers import Option, chip_row, chips
from hallascope.data.wordings.catalog import OURS
from hallascope.data.wordings.packs import AS_PUBLISHED, FREE
from hallascope.engine.services import Services

LABEL = "Wording"
OF_RUN = "of the run"  # the chip that stands for the wording of the run whose images they are
_ABOUT: Mapping[str, str] = {
    OURS: "The texts that HallaScope sends to judges, writers and captioners",
    AS_PUBLISHED: (
        "Texts after the templates of the papers; their scores are kept apart from those of ours"
    ),
    FREE: (
        "Our texts, and judges that can answer in free text where there are choices; their scores"
        " are kept apart"
    ),
}
_OWN = "A pack of this store; its scores are kept apart from those of ours"


def wording_picker(services: Services, elem_id: str, group: str = "") -> gr.HTML:
    """Lay out a chip for each pack that ships or lies in the store; ours is chosen at first.

    `group` tells this picker from the others on the page, "" where there is one.
    """
    return _picker(_options(services), elem_id, group)


def picker_for_run(services: Services, elem_id: str) -> gr.HTML:
    """Lay out the same, with that of the run first, for images that are evaluated once more."""
    of_run = Option(OF_RUN, "The wording that is chosen on Evaluate for this run", called=OF_RUN)
    return _picker([of_run, *_options(services)], elem_id, elem_id)


def chosen_wording(picked: Sequence[str] | None, default: str = OURS) -> str:
    """Return the pack that is chosen, the default where none is, or that of the run."""
    name = next(iter(picked or ()), OF_RUN)
    return default if name == OF_RUN else name


def _options(services: Services) -> list[Option]:
    return [Option(name, _ABOUT.get(name, _OWN), called=name) for name in services.wordings()]


def _picker(options: Sequence[Option], elem_id: str, group: str) -> gr.HTML:
    first = [options[0].id]
    row = chip_row(options, first, LABEL, "radio", group=group)
    return chips(row, first, elem_id=elem_id)
