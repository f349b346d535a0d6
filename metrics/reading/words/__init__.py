"""Holds words and word classes of English, and the model that tags them."""
