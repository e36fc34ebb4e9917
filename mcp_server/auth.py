"""Who is calling: the one place that turns a connection into a `Principal`."""

from contentbot.access import PUBLIC, Principal


def caller() -> Principal:
    """Return the principal of the request that is being answered.

    Every read of every tool, resource and prompt asks here. Neither stdio nor anonymous HTTP proves an identity, so
    both read what the public may read.
    """
    return PUBLIC
