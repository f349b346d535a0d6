"""Says who asks a public app, and how much each may take."""
