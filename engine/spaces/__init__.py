"""What a Space needs to be deployed: its files, and the calls that bring them to Hugging Face."""
