"""Two scene graphs side by side as plain values: what belongs together, in which words, and where
it stands; nothing is drawn here.
"""
