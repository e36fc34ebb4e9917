"""A page is a shell by evidence: a program, a place for what it makes, and next to no text."""

import pytest
from lxml.html import document_fromstring

from contentbot.extract.shells import is_shell

PROGRAM = "<script src=/main.js></script>"


@pytest.mark.parametrize(
    ("body", "shell"),
    [
        (f"<div id=root></div>{PROGRAM}", True),
        (
            f"<noscript>Scripts! {'x' * 200}</noscript><div id=app></div>{PROGRAM}",
            True,
        ),
        (f"<div id=root></div><p>Loading…</p>{PROGRAM}", True),
        (f"<app-root></app-root>{PROGRAM}", True),
        ("<div id=root></div><script type=module>import './main.js'</script>", True),
        ("<div id=root></div>", False),
        ("<div id=root></div><script>var a = 1</script>", False),
        (f"<div id=root><p>{'Words of the page. ' * 20}</p></div>{PROGRAM}", False),
        (f"<div id=ad></div><p>{'Words of the page. ' * 20}</p>{PROGRAM}", False),
        (f"<p>Short page.</p>{PROGRAM}", False),
        (f"<img id=a src=b>{PROGRAM}", False),
    ],
)
def test_a_shell_is_told_from_a_short_page(body: str, shell: bool) -> None:
    assert is_shell(document_fromstring(f"<html><body>{body}</body></html>")) is shell
