"""What the crawls of one process share."""

from contentbot.shared import Shared


def test_the_first_user_opens_and_the_last_one_closes() -> None:
    closed: list[str] = []
    things = Shared[str](closed.append)
    assert things.acquire("pool", lambda: "first") == "first"
    assert things.acquire("pool", lambda: "second") == "first"
    assert things.acquire("other", lambda: "other") == "other"
    things.release("pool")
    assert not closed
    things.release("pool")
    assert closed == ["first"]
    assert things.acquire("pool", lambda: "third") == "third"
