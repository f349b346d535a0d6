"""What tests of more than one folder share."""

from pathlib import Path

ROOT = Path(__file__).parents[2]
