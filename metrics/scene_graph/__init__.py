"""Scene-graph QA: a prompt's questions answered from a graph of the picture and from nothing else.

`plan` is where it starts.
"""
