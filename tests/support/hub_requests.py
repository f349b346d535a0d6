"""A small model of the Hub, its entry, and a download of some of its files."""

from typing import Any

from hallascope.backends.hub.download import HubClient
from hallascope.data.models.specs import ModelSpec

WEIGHTS = bytes(range(256)) * 40


CONFIG = b'{"model_type": "sam"}'


PLAIN = {
    "config.json": CONFIG,
    "model.safetensors": WEIGHTS,
    "README.md": b"hello",
    "pytorch_model.bin": b"x" * 100,
}


def hub_spec(**more: Any) -> ModelSpec:
    return ModelSpec(
        id="m",
        title="M",
        roles=("segmenter",),
        backend="transformers-segmenter",
        repository="maker/model",
        **more,
    )


def fetch(hub: HubClient, *paths: str) -> list[int]:
    """Download files of the model; return the bytes that had come at each report."""
    found = hub.listing("maker/model")
    return list(hub.fetch(found, [file for file in found.files if file.path in paths]))
