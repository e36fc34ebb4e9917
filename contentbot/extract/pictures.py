"""Pictures and players as a reader sees them once the scripts of a page have run."""

import re

from lxml.html import HtmlElement

from contentbot.extract.markdown.images import PLACEHOLDER
from contentbot.extract.tree import remove, text_length

# https://amp.dev/documentation/components: elements that a script replaces by those of HTML
_AMP = {"amp-img": "img", "amp-anim": "img", "amp-video": "video", "amp-audio": "audio", "amp-iframe": "iframe"}
_WAITING = re.compile(r"lazy|blur|lqip|placeholder", re.IGNORECASE)


def amp_to_html(tree: HtmlElement) -> None:
    """Turn the pictures and players of AMP into those of HTML, in place."""
    for element in list(tree.iter(*_AMP)):
        element.tag = _AMP[element.tag]
        if element.tag == "img":
            # a twin for browsers without scripts, and what stands there until it is loaded
            for child in list(element):
                remove(child)
            element.text = None
    for element in tree.iter("amp-youtube"):
        element.tag = "lite-youtube"
        element.set("videoid", element.get("data-videoid") or "")


def restore_lazy_images(tree: HtmlElement) -> None:
    """Give an image that waits for a script the one that its `<noscript>` twin shows, in place."""
    for fallback in list(tree.iter("noscript")):
        images = list(fallback.iter("img"))
        if len(images) != 1 or text_length(fallback):
            continue
        twin = fallback.getprevious()
        parent = fallback.getparent()
        if twin is not None and twin.tag == "img" and _waits(twin):
            if twin.get("alt") and not images[0].get("alt"):
                images[0].set("alt", twin.get("alt"))
            remove(twin)
        elif parent is None or any(img is not images[0] for img in parent.iter("img")):
            continue
        images[0].tail = fallback.tail
        fallback.tail = None
        fallback.getparent().replace(fallback, images[0])


def _waits(image: HtmlElement) -> bool:
    source = (image.get("src") or "").strip()
    return not source or bool(PLACEHOLDER.match(source) or _WAITING.search(image.get("class") or ""))
