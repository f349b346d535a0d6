"""Finds which text-to-image models the Inference Providers of Hugging Face serve now."""

from collections.abc import Iterable, Mapping
from typing import Any

_TASK = "text-to-image"


def served_models(names: Iterable[str], token: str | None) -> list[Mapping[str, Any]]:
    """Return those models that a provider serves, in the form of a service's list.

    A model that cannot be asked about is left out.
    """
    from huggingface_hub import HfApi
    from huggingface_hub.errors import HfHubHTTPError

    api = HfApi(token=token or False)
    served: list[Mapping[str, Any]] = []
    for name in names:
        try:
            info = api.model_info(name, expand=["inferenceProviderMapping"], timeout=10)
        except (HfHubHTTPError, OSError, ValueError):
            continue
        providers = info.inference_provider_mapping or []
        if any(each.task == _TASK and each.status == "live" for each in providers):
            modalities = {"input_modalities": ["text"], "output_modalities": ["image"]}
            served.append({"id": name, "architecture": modalities})
    return served
