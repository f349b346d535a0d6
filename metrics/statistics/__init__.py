"""Statistics of judges and raters: agreement, correlation, reliability, and how a judge answers."""
