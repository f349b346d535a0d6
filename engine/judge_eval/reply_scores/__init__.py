"""Compares automatic scores of free replies with what people say of the same replies."""
