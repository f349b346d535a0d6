"""Image-prompt adapters (IP-Adapter, Ye et al.

2023) of a diffusers pipeline: put on for a picture with references, and off again.

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
from hallascope.backends.transformers.model import see
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
    """There is no adapter to use; the message is the end of a sentence that says what to do."""


class Adapter:
    """Holds the adapter of an entry, which is read when it is first worn and kept in memory."""

    def __init__(self, spec: ModelSpec) -> None:
        self.spec = spec
        self._read: tuple[Mapping[str, Any], Any] | None = None

    @contextmanager
    def worn(self, pipeline: Any, references: Sequence[Picture]) -> Iterator[dict[str, Any]]:
        """Gives the arguments of the pipeline's call that show it the references.

        Afterwards the pipeline is as it was.

        Without references nothing is done. Raises NoAdapter.
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
            yield {"ip_adapter_image": [[see(picture) for picture in references]]}
        finally:
            pipeline.unload_ip_adapter()

    def _whole(self, pipeline: Any) -> tuple[Mapping[str, Any], Any]:
        """Its weights by part, and the image encoder on the pipeline's device."""
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
        """The file of the weights on this disk.

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
            else folders.cached(source, None, f"{within}/{weights}".lstrip("/"))
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
