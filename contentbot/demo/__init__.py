"""A small website of our own, and a server for it on the loopback interface."""
