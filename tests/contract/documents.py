"""Documents for tests: short to write, complete to index."""

from collections.abc import Sequence

from contentbot.access import PUBLIC_RULE, AccessRule
from contentbot.documents import ContentDocument, document_key


def document(
    name: str,
    title: str = "",
    body: str = "",
    *,
    source: str = "mill",
    locale: str = "en",
    access: Sequence[AccessRule] = (PUBLIC_RULE,),
    **more: object,
) -> ContentDocument:
    """Return a document whose id, address and key come from its name."""
    url = f"https://{source}.example/{name}"
    values: dict[str, object] = {
        "id": f"{source}:{name}",
        "key": document_key(source, url),
        "source": source,
        "locale": locale,
        "url": url,
        "path": f"/{name}",
        "title": title or name.title(),
        "body": body,
        "plain_text": body,
        "access": list(access),
    }
    return ContentDocument.model_validate(values | more)
