"""Holds what the same faults did to version 0.1.0, measured then on two shared cores.

The keys are the names of the checks of `make torture`.
"""

from __future__ import annotations

from collections.abc import Mapping

FIRST_RELEASE: Mapping[str, str] = {
    "kills": "18 kills; 480 evaluations equal; billed 3.995 USD, account 3.816 USD: NO",
    "embedded-kills": "20 kills; 160 evaluations and 400 verdicts equal",
    "processes": "results equal; 2,862 calls for 1,464 needed: NO",
    "caps": "4 of 4 sweeps hang just below the cap; two processes spend 6.73 of 5.00 USD: NO",
    "postgres": "stopped for 10 s: equal; the password is nowhere",
    "sqlite": "one sentence for a truncated file and a newer version",
    "migration": "by two processes at once: equal",
    "full-disk": "waits, goes on, equal",
    "interrupted": "Ctrl-C and again: equal",
    "read-only": "one sentence",
    "clock": "not measured",
    "replies": "9 of 9 kinds end in a traceback: NO",
    "images": "left out",
    "image-paths": "an absolute path in exports, an exchanged image not noticed: NO",
    "faults": "30 % of 1,079 calls: 217 of 240 verdicts the same, 23 left out, 0 wrong",
    "left-out": "scene-graph QA: 3 of 40 scores change with nothing left out: NO",
    "long-replies": "10 MB end a sweep with a traceback: NO",
    "long-texts": "64 KB take 83 s: NO",
    "echoed-key": "0 hits in stores, images, exports, logs",
    "typed-key": "readable at the address of a saved state: NO",
    "redirects": "followed, the image is sent, the answer scored: NO",
    "drip": "116 sockets, then the model is dead for everybody: NO",
    "handlers": "131 handlers x 6 arguments, 16 server functions: no leak",
    "bad-arguments": "no leak",
    "hostile-uploads": "24 forms of addresses: 0 hits; 28 images refused; names flattened",
    "markup": "11 tabs, a static site of 51 pages: nothing ran",
    "files": "no code ran; a workbook took 247 MB and 29 s",
    "workbook": "247 MB, 29 s",
    "crowd": "50 visitors: 0 failures, p95 of a page 3.6 s; 200 runs: + 132 MB: NO",
    "rate-limit": "110 at once: 66 done, 44 told that it is full",
    "estimates": "every upload is kept for good: NO",
    "large-input": "200 MB of JSON accepted (+ 735 MB); a table of 1.3 MB takes 70 s: NO",
    "other-sites": "a rating forged, the operator's money spent: NO",
    "services-addresses": "told to visitors: NO",
    "bad-start": "command line 7 of 7 one sentence, dashboard 20 of 20 tracebacks: NO",
    "retries": "time-outs not tried again; one stray HTTP 400 drops schema and probabilities: NO",
    "messages": "a concept left out is hidden, wrong advice, joiners refused: NO",
    "lock": "no hashes, 62 of 178 packages pinned: NO",
    "without-ray": "`make test`: 6,549 passed, 1 error: NO",
}
