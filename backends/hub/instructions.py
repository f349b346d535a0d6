"""Tells a person how to get a model of the Hub onto this machine."""

from hallascope.data.models.specs import ModelSpec

PAGE = "https://huggingface.co/"


def download_instruction(spec: ModelSpec) -> str:
    """Tell how to download a model, as the end of a sentence.

    For a gated one this includes what comes before.
    """
    fetch = f"`hallascope models get {spec.id}`"
    if not spec.gated:
        return f"run {fetch}"
    return (
        f"accept its license on {PAGE}{spec.repository}, run `hf auth login` with that account,"
        f" then {fetch}"
    )


def not_downloaded_reason(spec: ModelSpec) -> str:
    """Say why a model that is not downloaded cannot run, as the second half of a sentence."""
    gate = " and it is gated" if spec.gated else ""
    size = f" ({spec.size_gb:g} GB)" if spec.size_gb else ""
    return f"it is not downloaded{size}{gate}; {download_instruction(spec)}."
