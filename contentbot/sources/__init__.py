"""Source files: their models, their loading, and the URL rules they declare."""
