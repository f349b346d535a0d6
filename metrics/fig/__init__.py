"""FiG: a prompt against a caption rebuilt from the segments of its picture.

`plan` is where it starts.
"""
