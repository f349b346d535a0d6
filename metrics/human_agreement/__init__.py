"""Measures how far metrics agree with what people prefer and with what they answer."""
