"""What each command does and prints; `hallascope.cli.main` leads here."""
