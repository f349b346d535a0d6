"""Attaches image-prompt adapters to a diffusers pipeline for a picture with references.

They are those of IP-Adapter (Ye et al., 2023).

Settings of an entry: ip_adapter (a repository of the Hub or a folder), ip_adapter_folder within it,
ip_adapter_weights (safetensors), ip_adapter_encoder (the folder of the image encoder beside the
weights), ip_adapter_scale from 0 to 1.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from hallascope.backends import weights as folders
from hallascope.backends.base import ModelSpec
from hallascope.backends.transformers.model import open_rgb
from hallascope.data.records import Picture

SETTINGS = frozenset(
    {
        "ip_adapter",
        "ip_adapter_folder",
        "ip_adapter_weights",
        "ip_adapter_encoder",
        "ip_adapter_scale",
    }
)
ENCODER = "image_encoder"
SCALE = 0.6
_ENDING = ".safetensors"


class NoAdapter(ValueError):
    """Tells that there is no adapter to use, as the end of a sentence that says what to do."""


class Adapter:
    """Holds the adapter of an entry, which is read at its first use and kept in memory."""

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self._read: tuple[Mapping[str, Any], Any] | None = None

    @contextmanager
    def attached(self, pipeline: Any, references: Sequence[Picture]) -> Iterator[dict[str, Any]]:
        """Yield the arguments of the pipeline's call that pass it the references.

        Afterwards the pipeline is as it was. Without references nothing is done. Raises NoAdapter.
        """
        if not references:
            yield {}
            return
        if not hasattr(pipeline, "load_ip_adapter"):
            raise NoAdapter(
                "its pipeline takes no pictures beside the prompt: choose one with an adapter, e.g."
                " SDXL"
            )
        weights, encoder = self._whole(pipeline)
        pipeline.register_modules(image_encoder=encoder)
        pipeline.load_ip_adapter(dict(weights), subfolder=None, weight_name=None)
        try:
            pipeline.set_ip_adapter_scale(
                float(self.spec.settings.get("ip_adapter_scale") or SCALE)
            )
            yield {"ip_adapter_image": [[open_rgb(picture) for picture in references]]}
        finally:
            pipeline.unload_ip_adapter()

    def _whole(self, pipeline: Any) -> tuple[Mapping[str, Any], Any]:
        """Return the weights by part, and the image encoder on the pipeline's device."""
        if self._read is None:
            from transformers import CLIPVisionModelWithProjection

            file = self.file()
            folder = file.parent / str(self.spec.settings.get("ip_adapter_encoder") or ENCODER)
            encoder = CLIPVisionModelWithProjection.from_pretrained(
                folder, dtype=pipeline.dtype, use_safetensors=True, local_files_only=True
            )
            self._read = _parts(file), encoder.to(pipeline._execution_device).eval()
        return self._read

    def file(self) -> Path:
        """Return the file of the weights on this disk.

        Raises NoAdapter where the entry names none, or it is not there.
        """
        settings = self.spec.settings
        source = str(settings.get("ip_adapter") or "")
        weights = str(settings.get("ip_adapter_weights") or "")
        within = str(settings.get("ip_adapter_folder") or "")
        if not source or not weights.endswith(_ENDING):
            raise NoAdapter(
                "its entry names no adapter: write ip_adapter, and ip_adapter_weights with a file"
                f" that ends in {_ENDING}"
            )
        folder = (
            Path(source) / within
            if Path(source).is_dir()
            else folders.cached_folder(source, None, f"{within}/{weights}".lstrip("/"))
        )
        if folder is None or not (folder / weights).exists():
            remedy = (
                "mend ip_adapter in its entry"
                if folders.is_path(source)
                else f"run `hallascope models get {self.spec.id}`"
            )
            raise NoAdapter(f"its adapter {weights!r} is not there: {remedy}")
        return folder / weights


def _parts(file: Path) -> dict[str, dict[str, Any]]:
    """Return the tensors of the projection and of the attention layers by the library's names."""
    from safetensors.torch import load_file

    found: dict[str, dict[str, Any]] = {"image_proj": {}, "ip_adapter": {}}
    for name, tensor in load_file(file).items():
        part, _, rest = name.partition(".")
        if part in found:
            found[part][rest] = tensor
    return found
