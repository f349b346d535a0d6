"""A model that is not downloaded says how to get it, with what a gate needs first."""

from dataclasses import replace

from hallascope.backends.registry import available
from hallascope.data.models.specs import ModelSpec

SPEC = ModelSpec(id="some/model", title="Some model", roles=("judge",), backend="scripted")


def test_a_gated_model_says_what_comes_before_the_download() -> None:
    gated = replace(
        SPEC, needs=("download",), repository="nobody/nothing", gated=True, size_gb=16.3
    )
    assert (
        available(gated)
        == "Some model cannot run here: it is not downloaded (16.3 GB) and it is gated; accept its"
        " license on"
        " https://huggingface.co/nobody/nothing, run `hf auth login` with that account, then"
        " `hallascope models get some/model`."
    )
