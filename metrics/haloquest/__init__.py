"""HaloQuest: free-form questions that tempt a judge to invent, graded.

`plan` is where it starts.
"""
