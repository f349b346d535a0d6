"""Finds the classes of a pipeline and of its components, and the weights that they load.

Faults of the index are found here, before anything is loaded.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Mapping
from importlib.util import find_spec
from types import ModuleType
from typing import Any

from hallascope.backends.base import ModelSpec
from hallascope.backends.diffusers.folders import (
    INDEX,
    REMEDY,
    Flaw,
    PipelineComponent,
    PipelineIndex,
    WeightFiles,
    check_component,
    find_weights,
)
from hallascope.backends.diffusers.placement import LIBRARIES

# What a pipeline takes that starts from something else than a text.
_OTHER_INPUTS = frozenset(
    {"image", "mask_image", "video", "num_frames", "audio_length_in_s", "audio_end_in_s"}
)


def call_parameters(pipeline_class: type) -> Mapping[str, inspect.Parameter]:
    """Return the parameters of a pipeline's call, by name."""
    return inspect.signature(pipeline_class.__call__).parameters


def init_parameters(pipeline_class: Any) -> dict[str, inspect.Parameter]:
    """Return the parameters that a pipeline is made of, by name."""
    parameters = dict(inspect.signature(pipeline_class.__init__).parameters)
    parameters.pop("self", None)
    return parameters


def missing_packages_sentence(packages: list[str]) -> str:
    """Say how to install packages."""
    names = " ".join(packages)
    return f"the packages that it needs are not all installed; run `pip install {names}`."


def find_pipeline_class(index: PipelineIndex) -> Any:
    """Return the class of a pipeline that draws from words alone.

    Raises Flaw where diffusers has no such pipeline, or it cannot run here.
    """
    import diffusers
    from diffusers import DiffusionPipeline

    name = index.class_name
    pipeline_class = getattr(diffusers, name, None)
    if isinstance(pipeline_class, type):
        # Where a package is missing, diffusers gives a dummy class that names what it needs.
        needed = getattr(pipeline_class, "_backends", ())
        missing = [package for package in needed if not find_spec(package)]
        if missing:
            raise Flaw(missing_packages_sentence(missing).rstrip("."))
    if not (isinstance(pipeline_class, type) and issubclass(pipeline_class, DiffusionPipeline)):
        raise Flaw(
            f"{INDEX} names the pipeline {name!r}, which diffusers {diffusers.__version__}"
            " does not have: install another"
        )
    if not _draws_from_words(pipeline_class):
        raise Flaw(
            f"its pipeline {name!r} does not draw from words alone: choose a text-to-image model"
        )
    return pipeline_class


def _draws_from_words(pipeline_class: Any) -> bool:
    """Return whether a pipeline draws from words alone, even if it can take pictures as well."""
    names = set(call_parameters(pipeline_class))
    if "Control" in pipeline_class.__name__ or not {"prompt", "generator"} <= names:
        return False
    if not _OTHER_INPUTS & names:
        return True
    from diffusers.pipelines.auto_pipeline import AUTO_TEXT2IMAGE_PIPELINES_MAPPING

    return pipeline_class in AUTO_TEXT2IMAGE_PIPELINES_MAPPING.values()


def select_components(
    index: PipelineIndex, pipeline_class: Any, spec: ModelSpec
) -> dict[str, PipelineComponent]:
    """Return the components that the pipeline takes and the entry wants, by name.

    Raises Flaw where one is missing.
    """
    parameters = init_parameters(pipeline_class)
    optional = set(getattr(pipeline_class, "_optional_components", ()))
    required = {
        name
        for name, parameter in parameters.items()
        if name not in optional and parameter.default is parameter.empty
    }
    missing = sorted(required - set(index.components))
    if missing:
        raise Flaw(
            f"{INDEX} names no {missing[0]!r}, which its pipeline {index.class_name!r} needs:"
            f" {REMEDY}"
        )
    names = set(parameters)
    if spec.settings.get("safety_checker") is False:
        names.discard("safety_checker")
    components = {name: component for name, component in index.components.items() if name in names}
    for component in components.values():
        check_component(component)
    return components


def select_weights(
    components: Mapping[str, PipelineComponent], variant: str | None
) -> dict[str, WeightFiles]:
    """Return the weights of the models among the components, by name.

    Raises Flaw where the class or the weights of any component cannot be found, or where no
    component has weights of the variant.
    """
    import diffusers
    import transformers

    models = [
        component
        for component in components.values()
        if issubclass(
            find_component_class(component), (diffusers.ModelMixin, transformers.PreTrainedModel)
        )
    ]
    weights = {component.name: find_weights(component, variant) for component in models}
    if variant and not any(files.variant for files in weights.values()):
        raise Flaw(
            f"it has no weights of the variant {variant!r}: leave `variant` out of the settings of"
            " its entry"
        )
    return weights


def find_component_class(component: PipelineComponent) -> type:
    """Return the class of a component.

    Raises Flaw where it is not of diffusers or transformers.
    """
    import diffusers
    from diffusers.pipelines.pipeline_loading_utils import simple_get_class_obj

    library, class_name = component.library, component.class_name
    is_pipeline_module = isinstance(getattr(diffusers.pipelines, library, None), ModuleType)
    if library not in LIBRARIES and not is_pipeline_module:
        raise Flaw(
            f"its part {component.name!r} is of {library!r}, which is never imported: choose"
            " another model"
        )
    component_class: object = None
    if not class_name.startswith("_"):
        with contextlib.suppress(AttributeError):
            component_class = simple_get_class_obj(library, class_name)
    if not isinstance(component_class, type) or not hasattr(component_class, "from_pretrained"):
        raise Flaw(
            f"its part {component.name!r} is a {class_name!r}, which {library} does not have here:"
            f" install another, or {REMEDY}"
        )
    return component_class
