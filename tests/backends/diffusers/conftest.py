"""Tiny pipelines of real architectures with random weights, made once for all tests."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from bench.support.tiny_models.pipelines import stable_diffusion_xl
from hallascope.backends.diffusers.adapter import TextToImage
from hallascope.data.requests import Setting
from tests.support.painters import painter_spec
from tests.support.tiny_models import pipelines

UNBINNED: Mapping[str, Setting] = {"use_resolution_binning": False, "clean_caption": False}


@pytest.fixture(scope="session")
def pipeline_folders(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, Path]:
    """Folders of tiny pipelines by name."""
    home = tmp_path_factory.mktemp("pipelines")
    return {
        "stable_diffusion": pipelines.stable_diffusion(home / "sd"),
        "stable_diffusion_xl": stable_diffusion_xl(home / "xl"),
        "pixart": pipelines.pixart(home / "pixart"),
        "flags": pipelines.stable_diffusion(home / "flags", checked=True, flags=True),
        "passes": pipelines.stable_diffusion(home / "passes", checked=True),
    }


@pytest.fixture(scope="session")
def painters(pipeline_folders: Mapping[str, Path]) -> Mapping[str, TextToImage]:
    """A loaded model of each architecture, by the name of its folder."""
    return {
        "stable_diffusion": TextToImage(painter_spec(pipeline_folders["stable_diffusion"])),
        "stable_diffusion_xl": TextToImage(painter_spec(pipeline_folders["stable_diffusion_xl"])),
        "pixart": TextToImage(painter_spec(pipeline_folders["pixart"], **UNBINNED)),
    }


@pytest.fixture(scope="session")
def painter(painters: Mapping[str, TextToImage]) -> TextToImage:
    return painters["stable_diffusion"]
