"""What each command does and prints; `engine.cli` leads here."""
