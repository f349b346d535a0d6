"""What is to be done to have a model of the Hub on this machine, in words.

It fetches nothing and asks no server.
"""

from hallascope.data.models.specs import ModelSpec

PAGE = "https://huggingface.co/"


def obtaining(spec: ModelSpec) -> str:
    """What a person does to download a model, as the end of a sentence.

    Of a gated one all that comes before.
    """
    fetch = f"`hallascope models get {spec.id}`"
    if not spec.gated:
        return f"run {fetch}"
    return (
        f"accept its conditions on {PAGE}{spec.repository}, run `hf auth login` with that account,"
        f" then {fetch}"
    )


def missing(spec: ModelSpec) -> str:
    """Why a model that is not downloaded cannot run, as the second half of a sentence."""
    gate = " and its owners give it only to those who accept their conditions" if spec.gated else ""
    size = f" ({spec.size_gb:g} GB)" if spec.size_gb else ""
    return f"it is not downloaded{size}{gate}; {obtaining(spec)}."
