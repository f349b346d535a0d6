"""Whether this process serves people whose machine it is not, as on a Space.

What is for one's own machine alone is left out there.
"""

import os
from collections.abc import Mapping
from importlib.util import find_spec

from hallascope.backends import zero_gpu
from hallascope.backends.network.public_addresses import PUBLIC as PUBLIC
from hallascope.backends.network.public_addresses import is_public_app
from hallascope.engine.deployment.rate_limit import amount

QUEUE = 64  # events that may wait in a public app, where HALLASCOPE_QUEUE does not say otherwise
KEPT = 86_400  # seconds that a public app keeps a file that was uploaded, beside what is made of it
SWEEP = 3_600  # seconds between two looks for such files
# pages whose state a public app keeps in memory, about 0.6 MB each; the one used longest ago is
# forgotten first
SESSIONS = 400
UNBOUNDED = 10**9  # stands for no limit where a number is wanted
OWN_SESSIONS = 1_000  # the same on one's own machine


def public() -> bool:
    """Return whether the app is public: on a Space, or where HALLASCOPE_PUBLIC says so.

    There nobody fetches models or writes into files of this machine.
    """
    return is_public_app()


def waiting() -> int | None:
    """How many events may wait at once; None: as many as come.

    Raises BadRequest where HALLASCOPE_QUEUE is no number.
    """
    said = os.environ.get("HALLASCOPE_QUEUE", "").strip()
    if said:
        return amount("HALLASCOPE_QUEUE", said)
    if public():
        return QUEUE
    return None


def sessions() -> int:
    """How many open pages are remembered at once.

    Raises BadRequest where HALLASCOPE_SESSIONS is no number.
    """
    said = os.environ.get("HALLASCOPE_SESSIONS", "").strip()
    own = SESSIONS if public() else OWN_SESSIONS
    return (amount("HALLASCOPE_SESSIONS", said) or UNBOUNDED) if said else own


def begin() -> None:
    """What has to be done before anything else, where the machine asks for it."""
    zero_gpu.begin()


def preloaded_models(environment: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """Return the models of HALLASCOPE_PRELOAD, to be loaded before the app starts.

    A GPU that is lent finds only these at once.
    """
    around = os.environ if environment is None else environment
    return tuple(
        name.strip() for name in around.get("HALLASCOPE_PRELOAD", "").split(",") if name.strip()
    )


def logs_in() -> bool:
    """Return whether this is a Space whose visitors log in with their account of the Hub.

    Its front matter has ``hf_oauth``, and ``gradio[oauth]`` is installed.
    """
    return (
        bool(os.environ.get("SPACE_ID") and os.environ.get("OAUTH_CLIENT_ID"))
        and find_spec("authlib") is not None
    )
