"""Spider classes made from source files."""
