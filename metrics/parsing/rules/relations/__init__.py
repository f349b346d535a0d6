"""Read how the things of a prompt stand to each other, and what they do."""
