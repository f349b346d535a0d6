"""Builds the files of a Space, checks it, and deploys it to Hugging Face."""
