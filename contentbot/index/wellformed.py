"""Text that every engine can store: half a surrogate pair, as broken JSON brings it, is replaced (U+FFFD)."""

from typing import Any

from pydantic_core import PydanticSerializationError

from contentbot.documents import ContentDocument


def well_formed(text: str) -> str:
    """Return the text with every lone surrogate replaced."""
    try:
        text.encode()
    except UnicodeEncodeError:
        return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


def well_formed_document(document: ContentDocument) -> ContentDocument:
    """Return the document itself, or a copy whose texts are well-formed."""
    try:
        document.model_dump_json()
    except (PydanticSerializationError, UnicodeEncodeError):
        return ContentDocument.model_validate(_replaced(document.model_dump()))
    return document


def _replaced(value: Any) -> Any:
    if type(value) is str:
        return well_formed(value)
    if isinstance(value, list):
        return [_replaced(each) for each in value]
    if isinstance(value, dict):
        return {key: _replaced(each) for key, each in value.items()}
    return value
