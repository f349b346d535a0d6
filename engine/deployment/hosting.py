"""Decides whether the app is public, as on a Space, and reads the settings that depend on it.

A public app serves people whose machine it is not; what is for one's own machine is left out there.
"""

import os
from collections.abc import Mapping
from importlib.util import find_spec

from hallascope.backends import zero_gpu
from hallascope.backends.network.public_addresses import PUBLIC as PUBLIC
from hallascope.backends.network.public_addresses import is_public_app
from hallascope.engine.access.limits import parse_limit

# events that may wait in a public app, where HALLASCOPE_QUEUE does not say otherwise: fifty pages
# that open at once bring about a hundred
QUEUE_LIMIT = 128
# seconds that a public app keeps an uploaded file; what is made of it stays
UPLOAD_LIFETIME = 86_400
UPLOAD_CHECK_INTERVAL = 3_600  # seconds between checks for such files
# pages whose state a public app keeps in memory, about 0.6 MB each and what they show; the one used
# longest ago is forgotten first
SESSION_LIMIT = 200
LOCAL_SESSION_LIMIT = 400  # the same on one's own machine
# the largest file that a browser may bring: to a public app, and on one's own machine, where the
# images of a whole benchmark come as one .zip
PUBLIC_FILE_LIMIT = "25mb"
LOCAL_FILE_LIMIT = "2gb"
UNBOUNDED = 10**9  # no limit, where a number is needed


def public() -> bool:
    """Return whether the app is public: on a Space, or where HALLASCOPE_PUBLIC says so.

    There nobody fetches models or writes into files of this machine.
    """
    return is_public_app()


def file_limit() -> str:
    """Return the size of the largest file that a browser may bring, as Gradio reads it."""
    return PUBLIC_FILE_LIMIT if public() else LOCAL_FILE_LIMIT


def queue_limit() -> int | None:
    """Return how many events may wait at once; None: as many as come.

    Raises BadRequest where HALLASCOPE_QUEUE is no number.
    """
    if value := os.environ.get("HALLASCOPE_QUEUE", "").strip():
        return parse_limit("HALLASCOPE_QUEUE", value)
    return QUEUE_LIMIT if public() else None


def session_limit() -> int:
    """Return how many open pages are remembered at once.

    Raises BadRequest where HALLASCOPE_SESSIONS is no number.
    """
    if value := os.environ.get("HALLASCOPE_SESSIONS", "").strip():
        return parse_limit("HALLASCOPE_SESSIONS", value) or UNBOUNDED
    return SESSION_LIMIT if public() else LOCAL_SESSION_LIMIT


def prepare_zero_gpu() -> None:
    """Do what a lent GPU (ZeroGPU) needs before anything else; nothing on other machines."""
    zero_gpu.import_spaces()


def preloaded_models(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the models of HALLASCOPE_PRELOAD, to be loaded before the app starts.

    A GPU that is lent finds only these at once.
    """
    environment = os.environ if environment is None else environment
    names = [name.strip() for name in environment.get("HALLASCOPE_PRELOAD", "").split(",")]
    return tuple(name for name in names if name)


def logs_in() -> bool:
    """Return whether this is a Space whose visitors log in with their account of the Hub.

    Its front matter has ``hf_oauth``, and ``gradio[oauth]`` is installed.
    """
    if not os.environ.get("SPACE_ID") or not os.environ.get("OAUTH_CLIENT_ID"):
        return False
    return find_spec("authlib") is not None
