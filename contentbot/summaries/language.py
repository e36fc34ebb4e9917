"""The language of a summary, as it reads."""

from contentbot.extract.metadata.language import detect

# too alike for a detector to tell apart in a few sentences
_ALIKE = (
    frozenset(["no", "nb", "nn", "da"]),
    frozenset(["hr", "sr", "bs", "sl"]),
    frozenset(["id", "ms"]),
    frozenset(["cs", "sk"]),
    frozenset(["gl", "pt", "es"]),
    frozenset(["af", "nl"]),
    frozenset(["zh", "yue", "wuu"]),
)


def detected(text: str, *, expected: str = "") -> str:
    """Return the language of a text, a two-letter tag; empty where it is too short to tell.

    Args:
        expected: a tag; it is the answer where the text reads like a language that is hardly another one.
    """
    found = detect(" ".join(text.split()))
    alike = any({primary(found), primary(expected)} <= group for group in _ALIKE)
    return expected if found and expected and alike else found


def primary(tag: str) -> str:
    """Return the language of a BCP 47 tag, without script and region."""
    return tag.replace("_", "-").partition("-")[0].lower()
