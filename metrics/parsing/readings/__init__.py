"""Reads prompts by models, as the same records as the rules, and compares readings."""
