"""One suite that every backend of the index has to pass."""
