"""Holds the exit codes of all commands; it imports nothing, so that commands are listed at once."""

DONE = 0
FAILURES = 1  # finished with failures, which are listed
WRONG = 2  # the request
INTERRUPTED = 130
