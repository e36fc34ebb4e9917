"""Tests of contentbot.index."""
