"""Lists the calls that bring a Space to Hugging Face, to be printed or made; shows no secret."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from hallascope.data.spaces import Space
from hallascope.engine.errors import BadRequest

Api = Any  # huggingface_hub.HfApi, or what stands in for it in a test


@dataclass(frozen=True)
class HubCall:
    """Holds a method of the Hub's API with its arguments.

    `secret`: the environment variable whose value is an argument too, and never shown.
    """

    method: str
    arguments: Mapping[str, Any] = field(default_factory=dict)
    secret: str | None = None

    def __str__(self) -> str:
        arguments = [f"{name}={value!r}" for name, value in self.arguments.items()]
        if self.secret:
            arguments.append(f"value=<{self.secret}>")
        return f"{self.method}({', '.join(arguments)})"


def calls(space: Space, owner: str, folder: Path, private: bool = True) -> list[HubCall]:
    """Return all calls of one deployment in order: repository, environment, files, hardware.

    The hardware costs money and is last.
    """
    where = {"repo_id": f"{owner}/{space.name}"}
    create = HubCall(
        "create_repo",
        {
            **where,
            "repo_type": "space",
            "space_sdk": space.sdk,
            "private": private,
            "exist_ok": True,
        },
    )
    variables = [
        HubCall("add_space_variable", {**where, "key": name, "value": value})
        for name, value in space.variables.items()
    ]
    secrets = [
        HubCall("add_space_secret", {**where, "key": name}, secret=name) for name in space.secrets
    ]
    files = {
        **where,
        "repo_type": "space",
        "folder_path": str(folder),
        "delete_patterns": "*",
        "commit_message": f"{space.title}, as built",
    }
    hardware = (
        []
        if space.sdk == "static"
        else [HubCall("request_space_hardware", {**where, "hardware": space.hardware})]
    )
    return [create, *variables, *secrets, HubCall("upload_folder", files), *hardware]


def deploy(
    hub_calls: Sequence[HubCall],
    api: Api,
    environment: Mapping[str, str] | None = None,
    on_call: Callable[[HubCall], None] = lambda call: None,
) -> None:
    """Make the calls; `on_call` is given each once it is made.

    Raises BadRequest where a secret is not there, before anything is sent, or where a call fails.
    """
    environment = os.environ if environment is None else environment
    for call in hub_calls:
        if call.secret and not environment.get(call.secret, "").strip():
            raise BadRequest(
                f"The secret {call.secret} is not in the environment, so nothing was sent: set it"
                " and deploy again."
            )
    for call in hub_calls:
        _make(call, api, environment)
        on_call(call)


def _make(call: HubCall, api: Api, environment: Mapping[str, str]) -> None:
    value = {"value": environment[call.secret].strip()} if call.secret else {}
    try:
        getattr(api, call.method)(**call.arguments, **value)
    # the Hub's library may raise anything: the message names the step that failed
    except Exception as error:
        why = " ".join(str(error).split())[:300]
        for secret in value.values():
            why = why.replace(secret, "[secret]")
        raise BadRequest(
            f"{call.method} of {call.arguments['repo_id']} failed ({why}): fix that and deploy"
            " again; it goes on from what is there."
        ) from None


def hub() -> Api:
    """Return the Hub's API, with the token of this machine's login or of HF_TOKEN."""
    from huggingface_hub import HfApi

    return HfApi()
