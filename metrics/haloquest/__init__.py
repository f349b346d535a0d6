"""Plans and grades HaloQuest: free-form questions that tempt a judge to invent.

`plan` is where it starts.
"""
