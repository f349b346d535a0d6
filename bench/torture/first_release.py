"""Holds what the same faults did to version 0.1.0, measured then on two shared cores.

The keys are the names of the checks of `make torture`.
"""

from __future__ import annotations

from collections.abc import Mapping

FIRST_RELEASE: Mapping[str, str] = {
    "kills": "18 kills; 480 evaluations equal; billed 3.995 USD, account 3.816 USD: NO",
    "embedded-kills": "20 kills; 160 evaluations and 400 verdicts equal",
    "processes": "results equal; 2,862 calls for 1,464 needed: NO",
    "postgres": "stopped for 10 s: equal; the password is nowhere",
    "sqlite": "one sentence for a truncated file and a newer version",
    "migration": "by two processes at once: equal",
    "full-disk": "waits, goes on, equal",
    "read-only": "one sentence",
    "clock": "not measured",
    "replies": "9 of 9 kinds end in a traceback: NO",
    "images": "left out",
    "faults": "30 % of 1,079 calls: 217 of 240 verdicts the same, 23 left out, 0 wrong",
    "long-texts": "64 KB take 83 s: NO",
    "handlers": "131 handlers x 6 arguments, 16 server functions: no leak",
    "workbook": "247 MB, 29 s",
}
