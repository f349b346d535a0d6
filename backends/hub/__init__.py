"""Models of the Hub brought to this disk: what the Hub says of one, which of its files are needed,
and the files themselves.
"""
