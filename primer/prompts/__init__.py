"""Understands prompts that say in other words what Primer draws, and finds near ones."""
