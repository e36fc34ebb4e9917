"""Which language a page is in, as a BCP 47 tag such as `de`, `pt-BR` or `zh-Hant`."""

from contentbot.sources.globs import decoded_path
from contentbot.sources.models import LocaleRules
from contentbot.sources.tags import normal_locale


def locale_of(rules: LocaleRules, path: str, html_lang: str) -> str:
    """Return the locale of a page: the longest path prefix, else the default, else what the page says, else `""`.

    A prefix counts by whole segments: `/de` takes in `/de` and `/de/x`, not `/demo`.

    Args:
        path: the path of the page's address, encoded or plain.
        html_lang: the `lang` of the `html` element, as it stands there.
    """
    asked = decoded_path(path).rstrip("/") + "/"
    matching = [prefix for prefix in rules.prefixes if asked.startswith(decoded_path(prefix).rstrip("/") + "/")]
    if matching:
        return rules.prefixes[max(matching, key=lambda prefix: len(decoded_path(prefix).rstrip("/")))]
    return rules.default or normal_locale(html_lang)
