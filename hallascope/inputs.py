"""Reads what callers of the library give: models, images, prompts and reference images."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unicodedata import normalize
from uuid import uuid4
from weakref import WeakKeyDictionary

from hallascope import metrics as known_metrics
from hallascope.backends.base import Backend, Generator
from hallascope.backends.in_memory import FunctionGenerator, is_pipeline, pipeline_function
from hallascope.data.prompt_reading import PromptReading
from hallascope.engine.corrections import Readings, read_corrections, require_any
from hallascope.engine.errors import BadRequest, refuse
from hallascope.engine.image_folders.layouts.table import read_table
from hallascope.engine.image_folders.records import FolderImage
from hallascope.metrics.base import Metric
from hallascope.metrics.functions import read_metric

if TYPE_CHECKING:
    from pandas import DataFrame
    from PIL.Image import Image

    ImageSource = str | Path | Image
    TableInput = str | Path | DataFrame

MetricInput = str | Metric | Callable[["Image", str], float]
ReadingsInput = str | Path | PromptReading | Iterable[PromptReading]

SUFFIXES = (".png", ".jpg", ".jpeg", ".webp", ".avif", ".bmp", ".gif", ".tif", ".tiff")
PROMPTS_FILE = "prompts.csv"
_revisions: WeakKeyDictionary[Any, str] = WeakKeyDictionary()


@dataclass(frozen=True)
class Reference:
    """Holds a reference image of a concept for T2I-FactualBench: its name and what it is."""

    image: "ImageSource"
    concept: str | None = None
    definition: str = ""


# --- models ---------------------------------------------------------------------------------------


def read_models(models: object) -> dict[str, Backend | None]:
    """Return the models by name: loaded ones with their backend, named ones with None.

    Raises BadRequest where two have the same name, or one is nothing that draws.
    """
    if isinstance(models, Mapping):
        return {str(name): _generator(model, str(name)) for name, model in models.items()}
    generators: dict[str, Backend | None] = {}
    for model in models if isinstance(models, list | tuple) else [models]:
        name = model if isinstance(model, str) else _name(model)
        if name in generators:
            raise BadRequest(f"Two models are called {name!r}: give them as a mapping of names.")
        generators[name] = _generator(model, name)
    return generators


def _generator(model: object, name: str) -> Backend | None:
    if isinstance(model, str):
        if model != name:
            raise BadRequest(f"The model {model!r} is listed by its own name, not as {name!r}.")
        return None
    if isinstance(model, Generator):
        if model.spec.id != name:
            raise BadRequest(
                f"The model {model.spec.id!r} is listed by its own name, not as {name!r}."
            )
        return model
    if is_pipeline(model):
        return FunctionGenerator(name, pipeline_function(model), _revision(model))
    if callable(model):
        return FunctionGenerator(name, model, _revision(model))
    raise BadRequest(
        f"{name!r} is no model: give a name, a pipeline of diffusers, or a function from prompt and"
        " seed to an image."
    )


def _name(model: object) -> str:
    spec = getattr(model, "spec", None)
    if spec is not None:
        return str(spec.id)
    name = getattr(model, "__name__", "") or type(model).__name__
    return name.strip("<>")


def _revision(model: Any) -> str | None:
    """Return one revision for each object while it lives: the same object draws the same."""
    try:
        return _revisions.setdefault(model, uuid4().hex)
    except TypeError:  # it cannot be referred to weakly, or has no hash
        return None


# --- metrics --------------------------------------------------------------------------------------


def read_metrics(metrics: MetricInput | Iterable[MetricInput]) -> tuple[str, ...]:
    """Return the names of metrics; a `Metric` or a function is registered under its own name.

    Raises BadRequest where two have the same name, or one is nothing that scores images.
    """
    listed: Iterable[Any] = [metrics]
    if isinstance(metrics, Iterable) and not isinstance(metrics, str):
        listed = metrics
    names: list[str] = []
    for given in listed:
        name = given
        if not isinstance(given, str):
            with refuse(ValueError):
                metric = read_metric(_name(given), given, _revision(given) or uuid4().hex)
            name = metric.name
            if name in (*names, *known_metrics.METRICS):
                raise BadRequest(f"Two metrics are called {name!r}: rename yours.")
            known_metrics.register(metric)
        names.append(name)
    return tuple(names)


# --- images and their prompts ---------------------------------------------------------------------


def list_images(
    images: "str | Path | Image | Sequence[ImageSource]",
) -> "list[ImageSource]":
    """Return the images of a folder by name, or those that are given.

    Raises BadRequest where a folder has none.
    """
    if isinstance(images, str | Path) and Path(images).is_dir():
        folder = Path(images)
        files = [path for path in sorted(folder.iterdir()) if path.suffix.lower() in SUFFIXES]
        if not files:
            raise BadRequest(f"The folder {str(folder)!r} has no image: {', '.join(SUFFIXES)}.")
        return list(files)
    if isinstance(images, Sequence) and not isinstance(images, str):
        return list(images)
    return [images]


def list_prompts(prompts: str | Iterable[str]) -> list[str]:
    """Return each prompt once."""
    return [prompts] if isinstance(prompts, str) else list(dict.fromkeys(prompts))


def pair_prompts(
    files: Sequence[Path], prompts: str | Sequence[str] | Mapping[str, str] | None
) -> list[tuple[Path, str]]:
    """Return each file with its prompt.

    Raises BadRequest where one is missing or too many are given.
    """
    if not files:
        raise BadRequest("There is no image: give at least one.")
    if isinstance(prompts, str):
        return [(file, prompts) for file in files]
    if prompts is None:
        prompts = _read_prompts_file(files[0].parent / PROMPTS_FILE)
    if isinstance(prompts, Mapping):
        by_name = {normalize("NFC", name): prompt for name, prompt in prompts.items()}
        names = [normalize("NFC", file.name) for file in files]
        if missing := [name for name in names if name not in by_name]:
            raise BadRequest(
                f"There is no prompt for the image {missing[0]!r}: name it in `prompts`."
            )
        return [(file, by_name[name]) for file, name in zip(files, names, strict=True)]
    if len(prompts) != len(files):
        raise BadRequest(
            f"There are {len(files)} images and {len(prompts)} prompts: give one prompt for all, or"
            " one for each image."
        )
    return list(zip(files, prompts, strict=True))


def _read_prompts_file(table: Path) -> dict[str, str]:
    """Return the prompts of a folder's `prompts.csv` by file name."""
    if not table.is_file():
        raise BadRequest(
            f"No prompts are given and {str(table)!r} does not exist: pass `prompts`, or write that"
            " file with the columns `image` and `prompt`."
        )
    entries = read_table(table).entries
    return {entry.path.name: entry.prompt for entry in entries if isinstance(entry, FolderImage)}


# --- what prompts ask for -------------------------------------------------------------------------


def read_readings(readings: ReadingsInput | None, prompts: Iterable[str]) -> Readings:
    """Return readings, or those of a file, by their prompts with single spaces.

    Raises BadRequest where the file is wrong or about none of the prompts, or where a reading that
    is given is.
    """
    if readings is None:
        return {}
    if isinstance(readings, str | Path):
        by_prompt = read_corrections(Path(readings))
        require_any(by_prompt, prompts, Path(readings))
        return by_prompt
    if isinstance(readings, PromptReading):
        readings = [readings]
    by_prompt = {" ".join(reading.prompt.split()): reading for reading in readings}
    known = {" ".join(prompt.split()) for prompt in prompts}
    if unknown := [prompt for prompt in by_prompt if prompt not in known]:
        raise BadRequest(
            f"There is a reading of {unknown[0]!r}, which is none of the prompts: give readings of"
            " the prompts alone."
        )
    return by_prompt


def table_file(table: "TableInput", folder: Path, name: str) -> Path:
    """Return the file of a table; a DataFrame is written into the folder, as `name`.csv."""
    if isinstance(table, str | Path):
        return Path(table)
    file = folder / f"{name}.csv"
    table.to_csv(file, index=False)
    return file
