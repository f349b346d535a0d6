"""Holds the exit codes of all commands; it imports nothing, so that commands are listed at once."""

DONE = 0
FAILURES = 1  # finished with failures, which are listed: something has no answer
WRONG = 2  # the request
TOO_LOW = 3  # all has an answer, and a score is under --fail-under or worse than --fail-on-worse
INTERRUPTED = 130
