"""Loads a text-to-image pipeline of diffusers, or says in one sentence why not.

The library loads every part. Models among them are loaded one by one and passed to the pipeline:
only so it says which weights it did not find, and would have made up.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

from hallascope.backends import weights
from hallascope.backends.base import ModelSpec, Unavailable
from hallascope.backends.diffusers import placement
from hallascope.backends.diffusers.placement import LIBRARIES, Offload
from hallascope.backends.diffusers.settings import (
    BadSetting,
    call_parameters,
    make_scheduler,
    read_settings,
)
from hallascope.backends.hub import instructions
from hallascope.backends.hub.file_selection import (
    INDEX,
    SAFETY_CHECKER,
    NoWeights,
    WeightFiles,
    choose_weights,
    parts_of_pipeline,
    wanted_variant,
)
from hallascope.backends.loading import (
    REMEDY,
    Flaw,
    choose_device,
    first_line,
    load_whole,
    loading_fault,
    wrong_placement,
)
from hallascope.backends.quiet import quiet

if TYPE_CHECKING:
    import torch

# Where diffusers has what stands for a class whose packages are missing.
_PLACEHOLDERS = "diffusers.utils.dummy"
# What a pipeline takes that starts from something else than a text.
_OTHER_INPUTS = frozenset(
    {"image", "mask_image", "video", "num_frames", "audio_length_in_s", "audio_end_in_s"}
)
# The files that an image depends on.
_FINGERPRINTED = frozenset({".json", ".model", ".safetensors", ".txt"})
_SENTENCE_PIECES = "*.model"
# The files of a vocabulary, in each of its forms: without them the library makes an empty one.
_VOCABULARIES = (
    ("tokenizer.json",),
    ("vocab.json", "merges.txt"),
    ("vocab.txt",),
    (_SENTENCE_PIECES,),
    ("*.tiktoken",),
)


@dataclass(frozen=True)
class LoadedPipeline:
    """Holds a pipeline on its device, ready to be called.

    `offload`: which of its parts wait in the memory of the host.
    """

    pipeline: Any
    device: str
    dtype: str
    offload: Offload | None


class ModelPart(NamedTuple):
    """Holds a model of a pipeline, e.g. its ``unet``: its class and its files of weights."""

    model_class: type
    weights: WeightFiles


def load(spec: ModelSpec) -> LoadedPipeline:
    """Load the pipeline of an entry.

    Raises BadWeights where its folder is damaged, Unavailable where it cannot run here.
    """
    if problem := wrong_placement(spec) or placement.wrong_choice(spec):
        raise Unavailable(f"{spec.title} cannot run here: {problem}")
    device = choose_device(spec)
    folder = _find_folder(spec)
    try:
        with quiet(*LIBRARIES):
            pipeline, dtype = _load_pipeline(spec, folder, device)
    except BadSetting as error:
        end = "" if str(error).endswith("?") else "."
        raise Unavailable(f"{spec.title} cannot run here: {error}{end}") from error
    except NoWeights as error:
        raise loading_fault(spec, str(folder), Flaw(error)) from error
    except Exception as error:  # the libraries raise errors of any type over a folder
        raise loading_fault(spec, str(folder), error) from error
    offload = placement.place_pipeline(pipeline, device, spec)
    return LoadedPipeline(pipeline, device, str(dtype).removeprefix("torch."), offload)


def check(spec: ModelSpec) -> str | None:
    """Return why an entry cannot be loaded, as the second half of a sentence, or None.

    It looks at the disk and loads nothing.
    """
    source = weights.locate(spec.source)
    if spec.is_embedded and not (Path(source) / INDEX).exists():
        return f"its weights are not in {Path(source).name!r}: install the package again."
    folder = _local_folder(source, spec.revision)
    if folder is None:
        # A Hub model is fetched when it is loaded.
        if not weights.is_path(source):
            return None
        return f"there is no folder {source!r}: fix the `repository` of its entry."
    if not (folder / INDEX).exists():
        return (
            f"the folder {str(folder)!r} holds no pipeline, it has no {INDEX}: fix the"
            " `repository` of its entry."
        )
    return _missing_packages(folder, spec)


def fingerprint(spec: ModelSpec) -> str:
    """Return the revision to be loaded.

    That of a folder is 16 hex digits that change with its index and the weights and settings of its
    parts, that of a Hub model the commit in the cache. Raises OSError.
    """
    source = weights.locate(spec.source)
    folder = _local_folder(source, spec.revision)
    if folder is None:
        return spec.revision or "unpinned"
    if folder != Path(source):
        return folder.name
    paths = [path for path in (*folder.glob("*/*"), folder / INDEX) if path.is_file()]
    relevant = [
        path
        for path in paths
        if path.suffix in _FINGERPRINTED and not path.parent.name.startswith(".")
    ]
    return weights.fingerprint(folder, relevant)


def _local_folder(source: str, revision: str | None) -> Path | None:
    """Return the folder of a pipeline on this disk, which may be in the Hub's cache, or None."""
    if Path(source).is_dir():
        return Path(source)
    return weights.cached_folder(source, revision, INDEX)


def _missing_packages(folder: Path, spec: ModelSpec) -> str | None:
    """Say which packages its tokenizers and settings need that are not installed, if any."""
    has_pieces = any(
        not (path.parent / "tokenizer.json").exists()
        for path in folder.glob(f"*/{_SENTENCE_PIECES}")
    )
    modules = {"sentencepiece": "sentencepiece", "google": "protobuf"} if has_pieces else {}
    if spec.settings.get("cpu_offload"):
        modules["accelerate"] = "accelerate"
    missing = [package for module, package in modules.items() if not find_spec(module)]
    if not missing:
        return None
    return (
        f"the packages that it needs are not all installed; run `pip install {' '.join(missing)}`."
    )


# --- what is loaded ---


def _find_folder(spec: ModelSpec) -> Path:
    """Return the folder of the pipeline.

    A Hub model is fetched unless its entry needs a download beforehand. Raises Unavailable.
    """
    source = weights.locate(spec.source)
    if Path(source).is_dir() or weights.is_path(source) or spec.is_embedded:
        return Path(source)
    if "download" in spec.needs:
        if folder := weights.cached_folder(source, spec.revision, INDEX):
            return folder
        reason = instructions.not_downloaded_reason(spec)
        raise Unavailable(f"{spec.title} cannot run here: {reason}")
    from diffusers import DiffusionPipeline

    try:
        with quiet(*LIBRARIES):
            folder = DiffusionPipeline.download(
                source,
                use_safetensors=True,
                trust_remote_code=False,
                revision=spec.revision,
                variant=wanted_variant(spec),
            )
        return Path(folder)
    except Exception as error:
        # A model that is gated or unknown, has no safetensors or brings code of its own, and a lost
        # connection raise errors of many types.
        raise Unavailable(
            f"{spec.title} cannot run here: it cannot be fetched ({first_line(error)});"
            f" {instructions.download_instruction(spec)}."
        ) from error


def _load_pipeline(spec: ModelSpec, folder: Path, device: str) -> tuple[Any, torch.dtype]:
    """Load the pipeline on the CPU, and return it with its dtype.

    Faults of the folder and the entry are found before much is loaded.
    """
    index = _read_index(folder)
    if spec.is_embedded and (mismatch := weights.hash_mismatch(folder)):
        raise Flaw(f"{mismatch}: {REMEDY}")
    pipeline_class = find_pipeline_class(index)
    generation_settings = read_settings(spec.settings, call_parameters(pipeline_class))
    if missing := _missing_packages(folder, spec):
        raise Unavailable(f"{spec.title} cannot run here: {missing}")
    taken = inspect.signature(pipeline_class.__init__).parameters
    wanted = {
        name: value for name, value in parts_of_pipeline(index, spec).items() if name in taken
    }
    parts = find_models(folder, wanted, wanted_variant(spec))
    count = sum(
        count_numbers(folder / name / file)
        for name, part in parts.items()
        for file in part.weights.names
    )
    dtype = placement.choose_dtype(spec, device, "transformer" in parts, count)
    models = {name: _load_part(folder, name, part, dtype) for name, part in parts.items()}
    # No invisible watermark is put on images.
    options: dict[str, Any] = {"add_watermarker": False}
    if spec.settings.get(SAFETY_CHECKER) is False:
        options |= {SAFETY_CHECKER: None, "requires_safety_checker": False}
    pipeline = pipeline_class.from_pretrained(
        str(folder),
        local_files_only=True,
        use_safetensors=True,
        **models,
        **{name: value for name, value in options.items() if name in taken},
    )
    pipeline.set_progress_bar_config(disable=True)
    if generation_settings.scheduler:
        # Only to find out whether there is such a scheduler: each image gets a new one.
        make_scheduler(getattr(pipeline, "scheduler", None), generation_settings.scheduler)
    return pipeline, dtype


def _read_index(folder: Path) -> Mapping[str, Any]:
    """Read what ``model_index.json`` says. Raises Flaw, OSError."""
    from diffusers import DiffusionPipeline

    if not folder.is_dir():
        raise Flaw(
            "the folder is not there: give the path of a folder, or the id of a Hub model, as"
            " `repository`"
        )
    index: dict[str, Any] = DiffusionPipeline.load_config(str(folder), local_files_only=True)
    return index


def find_pipeline_class(index: Mapping[str, Any]) -> Any:
    """Return the class of a pipeline that draws from words alone, even if it can take more.

    Raises Flaw where diffusers has no such pipeline, ImportError where it needs a package.
    """
    import diffusers
    from diffusers.pipelines.auto_pipeline import AUTO_TEXT2IMAGE_PIPELINES_MAPPING

    name = index.get("_class_name")
    pipeline_class: Any = getattr(diffusers, name, None) if isinstance(name, str) else None
    if getattr(pipeline_class, "__module__", "").startswith(_PLACEHOLDERS):
        pipeline_class.from_pretrained(None)  # it says which package is missing
    if not (
        isinstance(pipeline_class, type) and issubclass(pipeline_class, diffusers.DiffusionPipeline)
    ):
        raise Flaw(
            f"{INDEX} names the pipeline {name!r}, which diffusers {diffusers.__version__} does not"
            " have, and code in the folder is never run: choose another model"
        )
    names = set(call_parameters(pipeline_class))
    starts_from_words = {"prompt", "generator"} <= names and not _OTHER_INPUTS & names
    if "Control" in pipeline_class.__name__ or not (
        starts_from_words or pipeline_class in AUTO_TEXT2IMAGE_PIPELINES_MAPPING.values()
    ):
        raise Flaw(
            f"its pipeline {name!r} does not draw from words alone: choose a text-to-image model"
        )
    return pipeline_class


def find_models(
    folder: Path, parts: Mapping[str, Any], variant: str | None
) -> dict[str, ModelPart]:
    """Return the models among the parts of a pipeline, by name; nothing is loaded.

    Raises Flaw where a part is missing or of a library that is never imported, NoWeights.
    """
    import diffusers
    import transformers

    libraries: Mapping[str, Any] = {"diffusers": diffusers, "transformers": transformers}
    models = {}
    for name, value in parts.items():
        library, class_name = [*map(str, value), "", ""][:2]
        module = libraries.get(library) or getattr(diffusers.pipelines, library, None)
        is_pair = len(value) == 2 and all(isinstance(word, str) for word in value)
        if not (is_pair and name.isidentifier() and isinstance(module, ModuleType)):
            raise Flaw(
                f"its part {name!r} is {value!r}, of no library that is imported here, and code in"
                " the folder is never run: choose another model"
            )
        if not (folder / name).is_dir():
            raise Flaw(f"its part {name!r} is missing: {REMEDY}")
        part_class = getattr(module, class_name, None)
        if "Tokenizer" in class_name:
            _check_vocabulary(folder / name)
        elif isinstance(part_class, type) and issubclass(
            part_class, diffusers.ModelMixin | transformers.PreTrainedModel
        ):
            names = [path.name for path in (folder / name).iterdir()]
            models[name] = ModelPart(part_class, choose_weights(names, variant, name))
    if variant and not any(part.weights.variant for part in models.values()):
        raise Flaw(
            f"it has no weights of the variant {variant!r}: leave `variant` out of the settings of"
            " its entry"
        )
    return models


def _check_vocabulary(folder: Path) -> None:
    def has(files: Collection[str]) -> bool:
        return all(any(folder.glob(file)) for file in files)

    if not any(map(has, _VOCABULARIES)):
        forms = ", ".join(map(" with ".join, _VOCABULARIES))
        raise Flaw(f"its part {folder.name!r} has no whole vocabulary ({forms}): {REMEDY}")


def count_numbers(file: Path) -> int:
    """Count the numbers in a file of weights. Raises Flaw where it is damaged."""
    from safetensors import SafetensorError, safe_open

    try:
        with safe_open(file, "pt") as tensors:
            names = tensors.keys()
            return sum(math.prod(tensors.get_slice(name).get_shape()) for name in names)
    except (SafetensorError, OSError) as error:
        raise Flaw(
            f"{file.parent.name}/{file.name} is damaged ({first_line(error)}): {REMEDY}"
        ) from error


def _load_part(folder: Path, name: str, part: ModelPart, dtype: torch.dtype) -> Any:
    """Load one model. Raises Flaw, and what the libraries raise."""
    try:
        return load_whole(
            part.model_class,
            str(folder / name),
            str(dtype).removeprefix("torch."),
            variant=part.weights.variant,
            local_files_only=True,
        )
    except Flaw as flaw:
        raise Flaw(f"of its part {name!r}, {flaw}") from flaw
    except (ValueError, RuntimeError, OSError, KeyError) as error:
        if placement.is_out_of_memory(error):
            raise
        raise Flaw(
            f"its part {name!r} does not fit its config.json ({first_line(error)}): {REMEDY}"
        ) from error
