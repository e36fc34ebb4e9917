"""robots.txt, read as RFC 9309 has it."""

import pytest

from contentbot.discovery.robots import RobotsRules

HOST = "https://shop.example"
AGENT = "TeaBot/2.0 (+https://tea.example/bot)"


def rules(text: str | bytes) -> RobotsRules:
    return RobotsRules.parse(text.encode() if isinstance(text, str) else text, f"{HOST}/robots.txt")


def allowed(text: str | bytes, path: str, agent: str = AGENT) -> bool:
    return rules(text).allows(HOST + path, agent)


@pytest.mark.parametrize("start", [b"", b"\xef\xbb\xbf", b"# caf\xe9\n", b"\n\n", b"junk\n"])
@pytest.mark.parametrize("line_end", [b"\n", b"\r\n", b"\r"])
def test_rules_survive_what_stands_around_them(start: bytes, line_end: bytes) -> None:
    text = start + b"USER-AGENT : *" + line_end + b"disallow:/private # inner" + line_end
    assert not allowed(text, "/private/a")
    assert allowed(text, "/public")
