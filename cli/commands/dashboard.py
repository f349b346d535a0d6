"""Starts the dashboard from the command line; it knows the module's name alone."""

import runpy


def start_dashboard() -> None:
    """Start the dashboard and print its address; Ctrl-C ends it.

    GRADIO_SERVER_NAME and GRADIO_SERVER_PORT say where it listens; without them at 127.0.0.1:7860,
    or at the next free port.
    """
    runpy.run_module("hallascope.app", run_name="__main__", alter_sys=True)
