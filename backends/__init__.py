"""Runs the models: what draws images and what looks at them.

torch shares its processors before it is imported, once for the process: a call of one model goes on
while another draws, and threads that wait for each other turn by turn are slow beside other work. A
person's own OMP_NUM_THREADS and OMP_WAIT_POLICY stand.
"""

import os

CALLS_AT_ONCE = 2  # one model draws while another looks

_usable = (
    os.sched_getaffinity(0) if hasattr(os, "sched_getaffinity") else range(os.cpu_count() or 1)
)
os.environ.setdefault("OMP_NUM_THREADS", str(max(1, len(_usable) // CALLS_AT_ONCE)))
os.environ.setdefault("OMP_WAIT_POLICY", "passive")
