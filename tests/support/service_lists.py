"""What `tests.support.service` lists and charges: the models of each service, who is still there on
a day, and prices in USD a million tokens as genai-prices 0.2.3 has them for 28 November 2026.

Prices of models that the package does not know are made up: gpt-6.2-*, gpt-image-2.6-*, those of an
image at Hugging Face, and Qwen3.5-9B.
"""

from dataclasses import dataclass
from typing import Any

_NEW = ("none", "low", "medium", "high", "xhigh")
_GPT_5 = {"efforts": ("minimal", "low", "medium", "high"), "until": "2026-12-11"}
_GPT_4 = {"until": "2027-01-14"}
_WORDS = {"given": ("text",)}
_OTHER = {"given": ("text",), "made": ("audio",)}
_DRAWS = {"made": ("image",)}


@dataclass(frozen=True)
class ServedModel:
    """Holds what the server knows of a model: `read` and `written` in USD a million tokens.

    `picture` is the price of an image where one is not charged by tokens. `efforts` are the values
    of `reasoning_effort` that it takes: () where it does not reason. From the day `until` on it is
    gone.
    """

    id: str
    read: float
    written: float
    given: tuple[str, ...] = ("text", "image")
    made: tuple[str, ...] = ("text",)
    efforts: tuple[str, ...] = ()
    until: str = "9999"
    picture: float = 0.0


def _models(*rows: tuple[str, float, float, dict[str, Any]]) -> tuple[ServedModel, ...]:
    return tuple(ServedModel(name, read, written, **more) for name, read, written, more in rows)


MODELS: dict[str, tuple[ServedModel, ...]] = {
    "openai": _models(
        ("gpt-4o", 2.5, 10, _GPT_4),
        ("gpt-4o-mini", 0.15, 0.6, _GPT_4),
        ("gpt-4.1", 2, 8, _GPT_4),
        ("gpt-4.1-mini", 0.4, 1.6, _GPT_4),
        ("gpt-5", 1.25, 10, _GPT_5),
        ("gpt-5-mini", 0.25, 2, _GPT_5),
        ("gpt-5-nano", 0.05, 0.4, _GPT_5),
        ("o3", 2, 8, _GPT_5 | {"efforts": ("low", "medium", "high")}),
        ("gpt-5.1", 1.25, 10, {"efforts": _NEW[:-1], "until": "2027-04-01"}),
        ("gpt-5.4", 2.5, 15, {"efforts": _NEW}),
        ("gpt-5.4-mini", 0.75, 4.5, {"efforts": _NEW}),
        ("gpt-5.5", 5, 30, {"efforts": _NEW}),
        ("gpt-5.6-sol", 4, 20, {"efforts": (*_NEW, "max")}),
        ("gpt-5.6-terra", 2, 12, {"efforts": (*_NEW, "max")}),
        ("gpt-5.6-luna", 0.2, 1.2, {"efforts": (*_NEW, "max")}),
        ("gpt-6-luna", 0.1, 0.5, {"efforts": (*_NEW, "max")}),
        ("gpt-6-sol", 2, 10, {"efforts": (*_NEW, "max")}),
        ("gpt-6.1-sol", 2, 10, {"efforts": (*_NEW, "max")}),
        ("gpt-6.1-terra", 1, 5, {"efforts": (*_NEW, "max")}),
        ("gpt-6.2-sol", 2, 10, {"efforts": (*_NEW, "max")}),
        ("gpt-6.2-astra", 10, 50, {"efforts": (*_NEW[1:], "max")}),
        ("gpt-image-1.5", 5, 32, _DRAWS),
        ("gpt-image-1-mini", 2, 8, _DRAWS),
        ("gpt-image-2", 5, 30, _DRAWS),
        ("gpt-image-2.5-flare", 5, 30, _DRAWS),
        ("gpt-image-2.5-sunburst", 5, 30, _DRAWS),
        ("gpt-image-2.6-flare", 5, 30, _DRAWS),
        ("gpt-image-2.6-sunburst", 5, 30, _DRAWS),
        ("chatgpt-image-latest", 5, 32, _DRAWS),
        ("gpt-audio", 2.5, 10, {"given": ("text", "audio"), "made": ("audio",)}),
        ("gpt-realtime", 4, 16, {"given": ("text", "audio"), "made": ("audio",)}),
        ("whisper-1", 0, 0, _OTHER),
        ("tts-1", 15, 0, _OTHER),
        ("text-embedding-3-small", 0.02, 0, {"given": ("text",), "made": ("embeddings",)}),
        ("omni-moderation-latest", 0, 0, {"made": ("moderation",)}),
    ),
    "router": _models(
        ("Qwen/Qwen3-VL-8B-Instruct", 0.08, 0.5, {}),
        ("Qwen/Qwen3-VL-30B-A3B-Instruct", 0.2, 0.7, {}),
        ("Qwen/Qwen3.5-9B", 0.1, 0.4, {}),
        ("Qwen/Qwen3.5-27B", 0.3, 2.4, {}),
        ("google/gemma-4-31B-it", 0.14, 0.4, {}),
        ("meta-llama/Llama-4-Scout-17B-16E-Instruct", 0.18, 0.59, {}),
        ("meta-llama/Llama-3.3-70B-Instruct", 0.135, 0.4, _WORDS),
    ),
}
# What Hugging Face draws with is in the Hub's list, not in the router's.
HUB = _models(
    *(
        (name, 0, 0, _DRAWS | {"picture": 0.003})
        for name in (
            "black-forest-labs/FLUX.2-klein-4B",
            "black-forest-labs/FLUX.1-schnell",
            "Tongyi-MAI/Z-Image-Turbo",
            "Qwen/Qwen-Image",
        )
    )
)


def find_model(kind: str, day: str, name: str) -> ServedModel | None:
    """Return a model that the service has on that day, by any of the names it answers to."""
    name = name.partition(":")[0] if kind == "router" else name  # ":fastest", ":novita"
    drawn = HUB if kind == "router" else ()
    known = (each for each in (*MODELS[kind], *drawn) if each.id == name and day < each.until)
    return next(known, None)


def list_models(kind: str, day: str) -> list[dict[str, Any]]:
    """Return the items of GET /models."""
    describe = {"openai": _by_name, "router": _at_router}[kind]
    return [describe(model) for model in MODELS[kind] if day < model.until]


def describe_hub_model(model: ServedModel) -> dict[str, Any]:
    """Return what the Hub says of a model that draws, with the provider that serves it."""
    mapping = {"providerId": model.id, "status": "live", "task": "text-to-image"}
    return {
        "id": model.id,
        "pipeline_tag": "text-to-image",
        "tags": ["text-to-image"],
        "siblings": [],
        "inferenceProviderMapping": {"hf-inference": mapping},
    }


def _by_name(model: ServedModel) -> dict[str, Any]:
    return {"id": model.id, "object": "model", "created": 1760000000, "owned_by": "system"}


def _at_router(model: ServedModel) -> dict[str, Any]:
    def provider(name: str, times: float, forms: bool) -> dict[str, Any]:
        price = {"input": round(model.read * times, 6), "output": round(model.written * times, 6)}
        return {
            "provider": name,
            "status": "live",
            "context_length": 131072,
            "pricing": price,
            "supports_structured_output": forms,
        }

    return {
        "id": model.id,
        "object": "model",
        "created": 1760000000,
        "owned_by": model.id.partition("/")[0],
        "architecture": {
            "input_modalities": list(model.given),
            "output_modalities": list(model.made),
        },
        "providers": [provider("novita", 1, True), provider("together", 1.5, False)],
    }
