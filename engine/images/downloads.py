"""Fetches pictures of benchmarks from the web, politely, within limits, each once.

One call at a time, and never two to a host in quick succession. Every address, redirects among
them, is checked before it is called (`hallascope.backends.network.public_addresses`); what comes is
checked before it is unpacked, and kept as a plain PNG named by its address.
"""

import hashlib
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from hallascope.backends.network.public_addresses import (
    CheckedAddress,
    ForbiddenAddress,
    Resolve,
    check,
    resolve,
)
from hallascope.data.records import Picture
from hallascope.data.requests import Failure, FailureKind
from hallascope.engine.errors import BadImage
from hallascope.engine.images import uploads
from hallascope.engine.storage.images import write_atomically

MAX_BYTES = uploads.MAX_BYTES
REDIRECTS = 5
ATTEMPTS = 3
PAUSE = 0.5  # least seconds between two calls of one host
PATIENCE = 60.0  # seconds for one picture, and the longest wait a host may ask for
USER_AGENT = "HallaScope (benchmark images, one at a time)"
_HEADERS = {
    "User-Agent": USER_AGENT,
    "Accept": "image/*",
    "Accept-Encoding": "identity",
    # several hosts may share an address, and a connection is made in the name of one
    "Connection": "close",
}
# the content types of files whose type a storage does not know
_UNTYPED = ("application/octet-stream", "binary/octet-stream", "")
# where a photo was removed, Flickr redirects to a picture of this name
_GONE = "photo_unavailable"


class _DownloadError(Exception):
    """Ends a download that cannot succeed; `failure` says why."""

    def __init__(self, kind: FailureKind, message: str) -> None:
        super().__init__(message)
        self.failure = Failure(kind, message)


class _RetryableDownloadError(_DownloadError):
    """Reports a fault that may pass; `wait` holds the seconds the host asks for."""

    wait: float | None = None


def default_client() -> httpx.Client:
    """Return a client that follows no redirect and takes no proxy from the environment.

    A proxy would look hosts up anew.
    """
    return httpx.Client(
        follow_redirects=False, trust_env=False, timeout=httpx.Timeout(20.0, connect=10.0)
    )


class Downloads:
    """Fetches pictures by address and keeps them in a folder.

    `look_up`, `clock` and `sleep` are injected for tests.
    """

    def __init__(
        self,
        folder: Path,
        client: httpx.Client | None = None,
        look_up: Resolve = resolve,
        clock: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._folder = folder
        self._client = client or default_client()
        self._look_up = look_up
        self._clock = clock
        self._sleep = sleep
        self._called: dict[str, float] = {}

    def path(self, url: str) -> Path:
        """Return where the picture of an address is kept."""
        name = hashlib.sha256(url.encode()).hexdigest()
        return self._folder / name[:2] / f"{name[2:]}.png"

    def picture(self, url: str) -> Picture | Failure:
        """Return the picture as a PNG file, from the folder where it was fetched before.

        Failures are not kept: the next call tries again.
        """
        path = self.path(url)
        try:
            if not path.exists():
                write_atomically(path, self._fetch(url))
            return Picture(hashlib.sha256(path.read_bytes()).hexdigest(), path)
        except _DownloadError as lost:
            return lost.failure
        except OSError as error:
            return Failure(
                "broken",
                f"The image {url!r} cannot be kept ({error.strerror or error}): make room on the"
                " disk, and try again.",
            )

    def _fetch(self, url: str) -> bytes:
        """Fetch a picture in a few attempts and return its PNG bytes.

        Raises _DownloadError.
        """
        for attempt in range(1, ATTEMPTS + 1):
            try:
                return self._attempt(url)
            except _RetryableDownloadError as later:
                if attempt == ATTEMPTS or (later.wait or 0.0) > PATIENCE:
                    raise
                self._sleep(later.wait if later.wait is not None else 2.0 ** (attempt - 1))
        raise AssertionError("every attempt returns or raises")

    def _attempt(self, url: str) -> bytes:
        """Make one attempt, from redirect to redirect, and return PNG bytes.

        Raises _DownloadError, or _RetryableDownloadError where another attempt may help.
        """
        until = self._clock() + PATIENCE
        place = url
        for _ in range(REDIRECTS + 1):
            checked = self._check_address(url, place)
            self._wait(checked.host)
            with self._answer(url, checked) as response:
                if not response.has_redirect_location:
                    return self._png(url, response, until)
                place = self._next_address(url, checked, response.headers["location"])
        raise _DownloadError(
            "refused",
            f"The image {url!r} leads from one address to the next without end: look it up by"
            " hand.",
        )

    def _next_address(self, url: str, checked: CheckedAddress, location: str) -> str:
        """Return where a redirect leads. Raises _DownloadError."""
        if _GONE in location:
            raise _gone(url)
        try:
            return str(checked.url.join(location))
        except (httpx.InvalidURL, ValueError) as error:
            raise _no_address(url) from error

    def _check_address(self, url: str, place: str) -> CheckedAddress:
        by = "" if place == url else ", by a redirect,"
        try:
            return check(place, self._look_up)
        except ForbiddenAddress as error:
            raise _DownloadError(
                "refused", f"The image {url!r}{by} {error}: it is not fetched."
            ) from error
        except (OSError, UnicodeError) as error:
            raise _RetryableDownloadError(
                "unavailable",
                f"The host of the image {url!r} is not found{by}: check the net, or give the"
                " image as a file.",
            ) from error

    def _wait(self, host: str) -> None:
        """Wait until the host may be called again, and note the call."""
        left = self._called.get(host, float("-inf")) + PAUSE - self._clock()
        if left > 0:
            self._sleep(left)
        self._called[host] = self._clock()

    @contextmanager
    def _answer(self, url: str, checked: CheckedAddress) -> Iterator[httpx.Response]:
        """Yield the response of the host, its body not yet read.

        Raises _RetryableDownloadError where there is no response, or where it breaks off.
        """
        headers = {"Host": checked.url.netloc.decode("ascii"), **_HEADERS}
        extensions = {"sni_hostname": checked.host} if checked.url.scheme == "https" else {}
        request = self._client.build_request(
            "GET", checked.pinned, headers=headers, extensions=extensions
        )
        try:
            response = self._client.send(request, stream=True, follow_redirects=False)
            try:
                yield response
            finally:
                response.close()
        except httpx.TimeoutException as error:
            raise _RetryableDownloadError(
                "timeout",
                f"The host of the image {url!r} did not answer in time: try again later.",
            ) from error
        except httpx.InvalidURL as error:
            # of a redirect, which the client reads even where it does not follow
            raise _no_address(url) from error
        except httpx.HTTPError as error:
            what = type(error).__name__
            raise _RetryableDownloadError(
                "unavailable",
                f"The image {url!r} could not be fetched ({what}): check the net and try again.",
            ) from error

    def _png(self, url: str, response: httpx.Response, until: float) -> bytes:
        """Return the picture in a response as PNG bytes.

        Raises _DownloadError, or _RetryableDownloadError where another attempt may help.
        """
        _require_picture(url, response)
        data = bytearray()
        for part in response.iter_bytes():
            data += part
            if len(data) > MAX_BYTES:
                raise _too_large(url)
            if self._clock() > until:
                raise _RetryableDownloadError(
                    "timeout", f"The image {url!r} came too slowly: try again later."
                )
        try:
            return uploads.plain_png(bytes(data), url)
        except BadImage as error:
            raise _DownloadError("broken", str(error)) from error


def _require_picture(url: str, response: httpx.Response) -> None:
    """Check by status and headers that a response is a picture within limits, before its body.

    Raises _RetryableDownloadError where the host is busy, else _DownloadError.
    """
    _require_success(url, response)
    content_type = response.headers.get("content-type", "").partition(";")[0].strip().lower()
    if not content_type.startswith("image/") and content_type not in _UNTYPED:
        raise _DownloadError(
            "refused",
            f"The address {url!r} gives {content_type!r} and no image: look it up by hand.",
        )
    encoding = response.headers.get("content-encoding", "identity").strip().lower()
    if encoding not in ("", "identity"):
        raise _DownloadError(
            "refused",
            f"The image {url!r} comes packed, though it was not asked for so: give it as a file.",
        )
    length = response.headers.get("content-length", "")
    if length.isdecimal() and int(length[:12]) > MAX_BYTES:
        raise _too_large(url)


def _require_success(url: str, response: httpx.Response) -> None:
    """Check the status of a response; raises as `_require_picture`."""
    status = response.status_code
    if status == 429 or status >= 500:
        busy = _RetryableDownloadError(
            "rate_limited" if status == 429 else "unavailable",
            f"The host of the image {url!r} is busy ({status}): try again later.",
        )
        retry_after = response.headers.get("retry-after", "")
        in_seconds = retry_after.isdecimal() and len(retry_after) < 7  # a date is not read
        if in_seconds:
            busy.wait = float(retry_after)
        raise busy
    if status in (404, 410):
        raise _gone(url)
    if status != 200:
        raise _DownloadError(
            "refused",
            f"The host of the image {url!r} does not give it ({status}): look it up by hand,"
            " or give it as a file.",
        )


def _gone(url: str) -> _DownloadError:
    return _DownloadError(
        "unavailable",
        f"The image {url!r} is gone from the web: give it as a file, or leave it out.",
    )


def _no_address(url: str) -> _DownloadError:
    return _DownloadError(
        "refused", f"The image {url!r} leads to no address of the web: look it up by hand."
    )


def _too_large(url: str) -> _DownloadError:
    return _DownloadError(
        "refused",
        f"The image {url!r} has more than {MAX_BYTES // 2**20} MB: give it as a smaller file.",
    )
