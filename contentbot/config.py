"""The settings of every entry point, read from the environment."""
