"""Loads a text-to-image pipeline of diffusers whole, or says in one sentence why not.

Each model of a pipeline is loaded by itself: only so the library says which weights it did not
find, and would have made up.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hallascope.backends import weights
from hallascope.backends.base import BadWeights, ModelSpec, NoRoom, Unavailable
from hallascope.backends.diffusers import components, folders, placement, schedulers, settings
from hallascope.backends.diffusers.folders import (
    INDEX,
    REMEDY,
    Flaw,
    PipelineComponent,
    WeightFiles,
)
from hallascope.backends.diffusers.placement import LIBRARIES, Offload, is_out_of_memory
from hallascope.backends.hub import instructions
from hallascope.backends.quiet import quiet

if TYPE_CHECKING:
    import torch


@dataclass(frozen=True)
class LoadedPipeline:
    """Holds a pipeline on its device, ready to be called.

    `offload`: which of its parts wait in the memory of the host.
    """

    pipeline: Any
    device: str
    dtype: str
    offload: Offload | None


def load(spec: ModelSpec) -> LoadedPipeline:
    """Load the pipeline of an entry.

    Raises BadWeights where its folder is damaged, Unavailable where it cannot run here.
    """
    device = placement.choose_device(spec)
    folder = _find_folder(spec)
    try:
        with quiet(*LIBRARIES):
            pipeline, dtype = _load_pipeline(spec, folder, device)
    except Flaw as flaw:
        raise BadWeights(f"{spec.id} cannot be loaded from {str(folder)!r}: {flaw}.") from flaw
    except settings.BadSetting as error:
        end = "" if str(error).endswith("?") else "."
        raise Unavailable(f"{spec.title} cannot run here: {error}{end}") from error
    except Unavailable:
        raise
    except Exception as error:
        # The libraries raise errors of any type over a folder.
        raise _loading_error(spec, folder, error) from error
    offload = placement.place_pipeline(pipeline, device, spec)
    return LoadedPipeline(pipeline, device, str(dtype).removeprefix("torch."), offload)


def check(spec: ModelSpec) -> str | None:
    """Return why an entry cannot be loaded, as the second half of a sentence, or None.

    It looks at the disk and loads nothing.
    """
    source = weights.locate(spec.repository or spec.id)
    if _is_embedded(spec) and not (Path(source) / INDEX).exists():
        return f"its weights are not in {Path(source).name!r}: install the package again."
    folder = _local_folder(source, spec.revision)
    if folder is None:
        # A Hub model is fetched when it is loaded.
        if not weights.is_path(source):
            return None
        return f"there is no folder {source!r}: mend the `repository` of its entry."
    if not (folder / INDEX).exists():
        return (
            f"the folder {str(folder)!r} holds no pipeline, it has no {INDEX}: mend the"
            " `repository` of its entry."
        )
    missing = folders.missing_packages(folder)
    if spec.settings.get("cpu_offload") and not find_spec("accelerate"):
        missing.append("accelerate")
    return components.missing_packages_sentence(missing) if missing else None


def fingerprint(spec: ModelSpec) -> str:
    """Return the revision to be loaded.

    That of a folder is its fingerprint, that of a Hub model the commit in the cache.
    """
    source = weights.locate(spec.repository or spec.id)
    folder = _local_folder(source, spec.revision)
    if folder is None:
        return spec.revision or "unpinned"
    return folders.fingerprint(folder) if folder == Path(source) else folder.name


def _local_folder(source: str, revision: str | None) -> Path | None:
    """Return the folder of a pipeline on this disk, which may be in the Hub's cache, or None."""
    if Path(source).is_dir():
        return Path(source)
    return weights.cached_folder(source, revision, INDEX)


def _is_embedded(spec: ModelSpec) -> bool:
    return (spec.repository or "").startswith("embedded:")


# --- what is loaded ---


def _find_folder(spec: ModelSpec) -> Path:
    """Return the folder of the pipeline.

    A Hub model is fetched unless its entry needs a download beforehand. Raises Unavailable.
    """
    source = weights.locate(spec.repository or spec.id)
    if Path(source).is_dir() or weights.is_path(source) or _is_embedded(spec):
        return Path(source)
    from diffusers import DiffusionPipeline
    from huggingface_hub import snapshot_download

    try:
        if "download" in spec.needs:
            return Path(snapshot_download(source, revision=spec.revision, local_files_only=True))
        with quiet(*LIBRARIES):
            folder = DiffusionPipeline.download(
                source,
                use_safetensors=True,
                trust_remote_code=False,
                revision=spec.revision,
                variant=_variant(spec),
            )
        return Path(folder)
    except Exception as error:
        # A model that is gated or unknown, has no safetensors or brings code of its own, and a lost
        # connection raise errors of many types.
        raise Unavailable(
            f"{spec.title} cannot run here: it cannot be fetched ({_summarize(error)});"
            f" {instructions.download_instruction(spec)}."
        ) from error


def _variant(spec: ModelSpec) -> str | None:
    variant = spec.settings.get("variant")
    return str(variant) if variant else None


def _load_pipeline(spec: ModelSpec, folder: Path, device: str) -> tuple[Any, torch.dtype]:
    """Load the pipeline on the CPU, and return it with its dtype.

    Faults of the folder and the entry are found before much is loaded.
    """
    index = folders.read_index(folder)
    if _is_embedded(spec):
        folders.check_hashes(folder)
    pipeline_class = components.find_pipeline_class(index)
    call_parameters = components.call_parameters(pipeline_class)
    generation_settings = settings.merge_settings(spec.settings, {}, call_parameters)
    missing = folders.missing_packages(folder)
    if missing:
        sentence = components.missing_packages_sentence(missing)
        raise Unavailable(f"{spec.title} cannot run here: {sentence}")
    selected = components.select_components(index, pipeline_class, spec)
    weight_files = components.select_weights(selected, _variant(spec))
    parameter_count = sum(folders.count_parameters(files) for files in weight_files.values())
    has_transformer = "transformer" in index.components
    dtype = placement.choose_dtype(spec, device, has_transformer, parameter_count)
    models = {
        name: _load_model(selected[name], files, dtype) for name, files in weight_files.items()
    }
    pipeline = _assemble(spec, folder, pipeline_class, models)
    if generation_settings.scheduler:
        # Only to find out whether there is such a scheduler: each picture gets a new one.
        original = getattr(pipeline, "scheduler", None)
        schedulers.make_scheduler(original, generation_settings.scheduler)
    return pipeline, dtype


def _assemble(spec: ModelSpec, folder: Path, pipeline_class: Any, models: Mapping[str, Any]) -> Any:
    """Return the pipeline of these models, and of what else lies in its folder.

    It puts no invisible watermark on pictures, and has no safety checker where the entry wants
    none.
    """
    options: dict[str, Any] = {"add_watermarker": False}
    if spec.settings.get("safety_checker") is False:
        options |= {"safety_checker": None, "requires_safety_checker": False}
    parameters = components.init_parameters(pipeline_class)
    accepted = {name: value for name, value in options.items() if name in parameters}
    pipeline = pipeline_class.from_pretrained(
        str(folder), local_files_only=True, **models, **accepted
    )
    pipeline.set_progress_bar_config(disable=True)
    return pipeline


def _load_model(component: PipelineComponent, files: WeightFiles, dtype: torch.dtype) -> Any:
    """Load one model. Raises Flaw where weights are missing, and what the libraries raise."""
    import transformers

    model_class: Any = components.find_component_class(component)
    options: dict[str, Any] = {"torch_dtype": dtype}
    if issubclass(model_class, transformers.PreTrainedModel):
        options = {"dtype": dtype, "trust_remote_code": False}
    try:
        model, loading_info = model_class.from_pretrained(
            str(component.folder),
            variant=files.variant,
            use_safetensors=True,
            local_files_only=True,
            output_loading_info=True,
            **options,
        )
    except Exception as error:
        if is_out_of_memory(error) or isinstance(error, ImportError):
            raise
        raise Flaw(
            f"the weights of its part {component.name!r} do not fit its config.json"
            f" ({_summarize(error)}): {REMEDY}"
        ) from error
    lists = (loading_info[name] for name in ("missing_keys", "mismatched_keys", "error_msgs"))
    problems = {str(problem) for problems in lists for problem in problems}
    if problems:
        raise Flaw(
            f"its part {component.name!r} lacks {len(problems)} of its weights, {min(problems)!r}"
            f" among them: {REMEDY}"
        )
    return model


# --- what went wrong ---


def _loading_error(spec: ModelSpec, folder: Path, error: Exception) -> BadWeights | Unavailable:
    if is_out_of_memory(error):
        return NoRoom(
            f"{spec.title} cannot run here: this machine has too little memory for it; use a"
            " smaller model."
        )
    if isinstance(error, ImportError):
        return Unavailable(
            f"{spec.title} cannot run here: a package is missing ({_summarize(error)}); install it."
        )
    return BadWeights(
        f"{spec.id} cannot be loaded from {str(folder)!r} ({_summarize(error)}): {REMEDY}."
    )


def _summarize(error: BaseException) -> str:
    """Return the first line of an error's message, short and without its full stop."""
    lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return " ".join(lines[0].split())[:200].rstrip(" .:")
