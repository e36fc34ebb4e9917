"""The tools, a module per subject."""
