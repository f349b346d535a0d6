"""Stores what people say: how they rate answers, and what they read a prompt to ask for."""
