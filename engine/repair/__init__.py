"""Repairs prompts: more explicit ones, from what an image got wrong, round by round."""
