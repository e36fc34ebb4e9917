"""A program that fills its page: a shell, a script, and the data that the script asks for."""

import json
from collections.abc import Mapping

from tests.site.server import Answer, Website
from tests.spiders.refreshing import validated

SCRIPT = """
fetch('/api' + location.pathname).then(answer => answer.json()).then(data => {
  document.title = data.title
  const root = document.getElementById('root')
  for (const [tag, text] of [['h1', data.title], ['p', data.text]]) {
    const element = document.createElement(tag)
    element.textContent = text
    root.append(element)
  }
  const image = new Image()
  image.src = '/wheel.png'
  root.append(image)
})
"""
TEXT = "The wheel turns on Saturdays, when the society opens the sluice for its guests. " * 6


def shell(script: str = '<script src="/main.js" defer></script>') -> str:
    return (
        f"<!doctype html><html lang=en><head><title>App</title>{script}</head>"
        "<body><noscript>Please enable JavaScript.</noscript><div id=root></div></body></html>"
    )


def publish_app(website: Website, pages: Mapping[str, str], script: str = SCRIPT) -> None:
    """Serve a shell with validators at each path, and the data of the page as JSON."""
    website.sitemap("/sitemap.xml", *pages)
    website.answer("/main.js", Answer(script.encode(), content_type="application/javascript"))
    for path, text in pages.items():
        website.answer(path, validated(shell()))
        data = json.dumps({"title": f"Page {path}", "text": text}).encode()
        website.answer(f"/api{path}", Answer(data, content_type="application/json"))
