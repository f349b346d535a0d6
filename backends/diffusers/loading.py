"""Loads a text-to-image pipeline of diffusers whole, or says in one sentence why not.

Each model of a pipeline is loaded by itself: only so the library says which weights it did not
find, and would have made up.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from hallascope.backends import weights
from hallascope.backends.base import BadWeights, ModelSpec, NoRoom, Unavailable
from hallascope.backends.diffusers import folders as diffusers_folders
from hallascope.backends.diffusers import placement, settings
from hallascope.backends.diffusers.folders import (
    AGAIN,
    INDEX,
    Flaw,
    Index,
    PipelineComponent,
    Weights,
)
from hallascope.backends.diffusers.placement import LIBRARIES, Offload, out_of_memory
from hallascope.backends.hub import instructions
from hallascope.backends.quiet import quiet

if TYPE_CHECKING:
    import torch

# what a pipeline for something else than words is given
_OTHER_INPUTS = frozenset(
    {"image", "mask_image", "video", "num_frames", "audio_length_in_s", "audio_end_in_s"}
)


@dataclass(frozen=True)
class Loaded:
    """Holds a pipeline on its device, ready to be called.

    `offload`: which of its parts wait in the memory of the host.
    """

    pipeline: Any
    device: str
    dtype: str
    offload: Offload | None


def load(spec: ModelSpec) -> Loaded:
    """Load the pipeline of an entry.

    Raises BadWeights where its folder is damaged, Unavailable where it cannot run here.
    """
    place = placement.place(spec)
    folder = _folder(spec)
    try:
        with quiet(*LIBRARIES):
            pipeline, dtype = _pipeline(spec, folder, place)
    except Flaw as flaw:
        raise BadWeights(f"{spec.id} cannot be loaded from {str(folder)!r}: {flaw}.") from flaw
    except settings.BadSetting as error:
        raise Unavailable(
            f"{spec.title} cannot run here: {error}{'' if str(error).endswith('?') else '.'}"
        ) from error
    except Unavailable:
        raise
    except Exception as error:  # what the libraries raise over a folder is of any type
        raise _unloadable(spec, folder, error) from error
    offload = placement.place_pipeline(pipeline, place, spec)
    return Loaded(pipeline, place, str(dtype).removeprefix("torch."), offload)


def _pipeline(spec: ModelSpec, folder: Path, place: str) -> tuple[Any, torch.dtype]:
    """Load the pipeline on the CPU, and return it with its dtype.

    Faults of the folder and the entry are found before much is loaded.
    """
    index = diffusers_folders.read_index(folder)
    if (spec.repository or "").startswith("embedded:"):
        diffusers_folders.check_hashes(folder)
    kind = _pipeline_class(index)
    asked = settings.merge_settings(spec.settings, {}, call_parameters(kind))
    if missing := diffusers_folders.missing_packages(folder):
        raise Unavailable(f"{spec.title} cannot run here: {_packages(missing)}")
    parts = _parts(index, kind, spec)
    chosen = _select_weights(parts, spec)
    count = sum(diffusers_folders.count(found) for found in chosen.values())
    dtype = placement.numbers(spec, place, "transformer" in index.parts, count)
    models = {name: _model(parts[name], found.variant, dtype) for name, found in chosen.items()}
    pipeline = kind.from_pretrained(
        str(folder), local_files_only=True, **models, **_options(kind, spec)
    )
    pipeline.set_progress_bar_config(disable=True)
    if asked.scheduler:
        scheduler(getattr(pipeline, "scheduler", None), asked.scheduler)
    return pipeline, dtype


def call_parameters(kind: type) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a pipeline's call, by name."""
    return inspect.signature(kind.__call__).parameters


def check(spec: ModelSpec) -> str | None:
    """Return why an entry cannot be loaded, as the second half of a sentence, or None.

    It looks at the disk and loads nothing.
    """
    source = weights.locate(spec.repository or spec.id)
    found = (
        Path(source)
        if Path(source).is_dir()
        else weights.cached_folder(source, spec.revision, INDEX)
    )
    if (spec.repository or "").startswith("embedded:") and not (Path(source) / INDEX).exists():
        return f"its weights are not in {Path(source).name!r}: install the package again."
    if found is None:
        return (
            f"there is no folder {source!r}: mend the `repository` of its entry."
            if weights.is_path(source)
            else None
        )
    if not (found / INDEX).exists():
        return (
            f"the folder {str(found)!r} holds no pipeline, it has no {INDEX}: mend the `repository`"
            " of its entry."
        )
    missing = diffusers_folders.missing_packages(found)
    missing += (
        ["accelerate"] if spec.settings.get("cpu_offload") and not find_spec("accelerate") else []
    )
    return _packages(missing) if missing else None


def fingerprint(spec: ModelSpec) -> str:
    """Return the revision to be loaded: of a folder its print, of a Hub model the cached commit."""
    source = weights.locate(spec.repository or spec.id)
    if Path(source).is_dir():
        return diffusers_folders.fingerprint(Path(source))
    found = weights.cached_folder(source, spec.revision, INDEX)
    return found.name if found else spec.revision or "unpinned"


def scheduler(original: Any, name: str | None) -> Any:
    """Make a scheduler with the pipeline's configuration: of the same class, or of the one named.

    Raises BadSetting.
    """
    import diffusers

    if original is None:
        raise settings.BadSetting("its pipeline takes no 'scheduler': leave it out")
    kind: Any = getattr(diffusers, name, None) if name else type(original)
    if not _is_a(kind, diffusers.SchedulerMixin):
        known = [n for n in dir(diffusers) if n.endswith("Scheduler")]
        near = difflib.get_close_matches(str(name), known, n=1)
        remedy = (
            f"did you mean {near[0]!r}?"
            if near
            else "name one of the classes of diffusers, e.g. 'DDIMScheduler'"
        )
        raise settings.BadSetting(f"there is no scheduler {name!r}: {remedy}")
    made = kind.from_config(original.config)
    if not _fit(original, made):
        fitting = (
            ", ".join(sorted(other.__name__ for other in original.compatibles)[:6])
            or "leave it out"
        )
        raise settings.BadSetting(
            f"the scheduler {name!r} is for another kind of model: use {type(original).__name__},"
            f" {fitting}"
        )
    return made


def _fit(one: Any, other: Any) -> bool:
    """Return whether either of two schedulers says that it can replace the other."""
    flow = all(type(each).__name__.startswith("FlowMatch") for each in (one, other))
    return (
        flow
        or type(one) is type(other)
        or type(other) in one.compatibles
        or type(one) in other.compatibles
    )


# --- what is loaded ---


def _folder(spec: ModelSpec) -> Path:
    """Return the folder of the pipeline.

    A Hub model is fetched unless its entry needs a download beforehand. Raises Unavailable.
    """
    source = weights.locate(spec.repository or spec.id)
    if (
        Path(source).is_dir()
        or weights.is_path(source)
        or (spec.repository or "").startswith("embedded:")
    ):
        return Path(source)
    from diffusers import DiffusionPipeline
    from huggingface_hub import snapshot_download

    try:
        if "download" in spec.needs:
            return Path(snapshot_download(source, revision=spec.revision, local_files_only=True))
        variant = spec.settings.get("variant")
        options: dict[str, Any] = {
            "revision": spec.revision,
            "variant": str(variant) if variant else None,
        }
        with quiet(*LIBRARIES):
            return Path(
                DiffusionPipeline.download(
                    source, use_safetensors=True, trust_remote_code=False, **options
                )
            )
    except (
        Exception
    ) as error:  # gated, unknown, no network, no safetensors, code of its own: all of its own type
        raise Unavailable(
            f"{spec.title} cannot run here: it cannot be fetched ({_error_summary(error)});"
            f" {instructions.download_instruction(spec)}."
        ) from error


def _pipeline_class(index: Index) -> Any:
    import diffusers

    kind = getattr(diffusers, index.kind, None)
    if isinstance(kind, type) and (
        missing := [name for name in getattr(kind, "_backends", ()) if not find_spec(name)]
    ):
        raise Flaw(_packages(missing).rstrip("."))
    if not _is_a(kind, diffusers.DiffusionPipeline):
        raise Flaw(
            f"{INDEX} names the pipeline {index.kind!r}, which diffusers {diffusers.__version__}"
            " does not have: install another"
        )
    if not _draws_words(kind):
        raise Flaw(
            f"its pipeline {index.kind!r} does not draw from words alone: choose a text-to-image"
            " model"
        )
    return kind


def _draws_words(kind: Any) -> bool:
    """Return whether a pipeline draws from words alone, even if it can take pictures as well."""
    takes = set(call_parameters(kind))
    if "Control" in kind.__name__ or not {"prompt", "generator"} <= takes:
        return False
    if not _OTHER_INPUTS & takes:
        return True
    from diffusers.pipelines.auto_pipeline import AUTO_TEXT2IMAGE_PIPELINES_MAPPING

    return kind in AUTO_TEXT2IMAGE_PIPELINES_MAPPING.values()


def _parts(index: Index, kind: Any, spec: ModelSpec) -> dict[str, PipelineComponent]:
    """Return the parts that the pipeline takes and the entry wants.

    Raises Flaw where one is missing.
    """
    takes = {n: p for n, p in inspect.signature(kind.__init__).parameters.items() if n != "self"}
    optional = {
        *getattr(kind, "_optional_components", ()),
        *(name for name, p in takes.items() if p.default is not p.empty),
    }
    if missing := sorted(set(takes) - optional - set(index.parts)):
        raise Flaw(
            f"{INDEX} names no {missing[0]!r}, which its pipeline {index.kind!r} needs: {AGAIN}"
        )
    unwanted = {"safety_checker"} if spec.settings.get("safety_checker") is False else set()
    parts = {
        name: part for name, part in index.parts.items() if name in takes and name not in unwanted
    }
    for part in parts.values():
        diffusers_folders.check_there(part)
    return parts


def _select_weights(parts: Mapping[str, PipelineComponent], spec: ModelSpec) -> dict[str, Weights]:
    """Return the weights of the models among the parts, after a look at all of them.

    Raises Flaw.
    """
    import diffusers
    import transformers

    variant = spec.settings.get("variant")
    kinds = {name: _class(part) for name, part in parts.items()}
    chosen = {
        name: diffusers_folders.weights(parts[name], str(variant) if variant else None)
        for name, kind in kinds.items()
        if issubclass(kind, (diffusers.ModelMixin, transformers.PreTrainedModel))
    }
    if variant and not any(found.variant for found in chosen.values()):
        raise Flaw(
            f"it has no weights of the variant {variant!r}: leave `variant` out of the settings of"
            " its entry"
        )
    return chosen


def _class(part: PipelineComponent) -> type:
    """Return the class of a part. Raises Flaw where it is not of diffusers or transformers."""
    import diffusers
    from diffusers.pipelines.pipeline_loading_utils import simple_get_class_obj

    if part.library not in LIBRARIES and not isinstance(
        getattr(diffusers.pipelines, part.library, None), ModuleType
    ):
        raise Flaw(
            f"its part {part.name!r} is of {part.library!r}, which is never imported: choose"
            " another model"
        )
    found = None if part.kind.startswith("_") else _attribute(simple_get_class_obj, part)
    if not isinstance(found, type) or not hasattr(found, "from_pretrained"):
        raise Flaw(
            f"its part {part.name!r} is a {part.kind!r}, which {part.library} does not have here:"
            f" install another, or {AGAIN}"
        )
    return found


def _is_a(found: Any, kind: type) -> bool:
    return isinstance(found, type) and issubclass(found, kind)


def _attribute(look_up: Any, part: PipelineComponent) -> Any:
    try:
        return look_up(part.library, part.kind)
    except AttributeError:
        return None


def _model(part: PipelineComponent, variant: str | None, dtype: torch.dtype) -> Any:
    """Load one model. Raises Flaw where weights are missing, and what the libraries raise."""
    import transformers

    kind: Any = _class(part)
    options: dict[str, Any] = {
        "use_safetensors": True,
        "local_files_only": True,
        "output_loading_info": True,
    }
    options |= {"variant": variant} if variant else {}
    if issubclass(kind, transformers.PreTrainedModel):
        options |= {"dtype": dtype, "trust_remote_code": False}
    else:
        options |= {"torch_dtype": dtype}
    try:
        model, told = kind.from_pretrained(str(part.folder), **options)
    except Exception as error:
        if out_of_memory(error) or isinstance(error, ImportError):
            raise
        raise Flaw(
            f"the weights of its part {part.name!r} do not fit its config.json"
            f" ({_error_summary(error)}): {AGAIN}"
        ) from error
    if lost := sorted(
        {*told["missing_keys"], *told["mismatched_keys"]}
        | {str(line) for line in told["error_msgs"]},
        key=str,
    ):
        raise Flaw(
            f"its part {part.name!r} lacks {len(lost)} of its weights, {str(lost[0])!r} among them:"
            f" {AGAIN}"
        )
    return model


def _options(kind: Any, spec: ModelSpec) -> dict[str, Any]:
    """Turn the invisible watermark off, and the safety checker where the entry wants none."""
    takes = inspect.signature(kind.__init__).parameters
    wanted: dict[str, Any] = {"add_watermarker": False}
    if spec.settings.get("safety_checker") is False:
        wanted |= {"safety_checker": None, "requires_safety_checker": False}
    return {name: value for name, value in wanted.items() if name in takes}


# --- what went wrong ---


def _unloadable(spec: ModelSpec, folder: Path, error: Exception) -> BadWeights | Unavailable:
    if out_of_memory(error):
        return NoRoom(
            f"{spec.title} cannot run here: this machine has too little memory for it; use a"
            " smaller model."
        )
    if isinstance(error, ImportError):
        return Unavailable(
            f"{spec.title} cannot run here: a package is missing ({_error_summary(error)});"
            " install it."
        )
    return BadWeights(
        f"{spec.id} cannot be loaded from {str(folder)!r} ({_error_summary(error)}): {AGAIN}."
    )


def _packages(names: list[str]) -> str:
    return f"the packages that it needs are not all installed; run `pip install {' '.join(names)}`."


def _error_summary(error: BaseException) -> str:
    """Return the first line of an error's message, short and without its full stop."""
    lines = [line for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return " ".join(lines[0].split())[:200].rstrip(" .:")
