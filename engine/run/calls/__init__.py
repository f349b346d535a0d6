"""Makes the calls of models: when each may go, which go together, and which replies are kept."""
