"""Chooses the failing images that are to be repaired: of a selection, or of a list of prompts."""

from pathlib import Path

from hallascope.data.benchmarks.prompt_files import read_entries
from hallascope.data.benchmarks.prompt_lists import prompt_of
from hallascope.data.files.tables import Complaint
from hallascope.engine.error_analysis.remedies.request import FailingImage
from hallascope.engine.error_analysis.selection import ErrorSelection, read_judged_images
from hallascope.engine.errors import BadRequest, sentence
from hallascope.engine.storage.store import Store


def failing_images(
    store: Store, selection: ErrorSelection, model: str, most: int | None = None
) -> tuple[FailingImage, ...]:
    """Return the images of a model in which something is wrong, one of each prompt.

    Of several images of a prompt it is the one that was judged first, so that how wrong an image is
    does not decide whether it is taken. `most`: so many prompts, the first ones.
    """
    images = read_judged_images(store, selection).images
    own = images[(images["model"] == model) & (images["trial"] == 0)]
    first = own[own["error"] > 0].drop_duplicates("prompt", keep="first")
    cases = tuple(
        FailingImage(str(prompt), int(seed))
        for prompt, seed in zip(first["prompt"], first["seed"], strict=True)
    )
    return cases if most is None else cases[:most]


def prompts_of_file(path: Path, seed: int = 0) -> tuple[FailingImage, ...]:
    """Return the prompts of a file, a prompt a line or a table with a column `prompt`.

    Raises BadRequest where it cannot be read, whole or in part.
    """
    complaints: list[Complaint] = []
    try:
        prompts = [prompt_of(entry) for entry in read_entries(path, complaints)]
    except (ValueError, OSError) as problem:
        raise BadRequest(sentence(problem)) from problem
    if complaints:
        raise BadRequest(str(complaints[0]))
    return tuple(FailingImage(prompt, seed) for prompt in dict.fromkeys(prompts))
