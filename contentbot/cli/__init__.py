"""The `contentbot` command."""
