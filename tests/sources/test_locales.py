import pytest

from contentbot.sources.locales import locale_of
from contentbot.sources.models import LocaleRules
from contentbot.sources.tags import normal_locale

RULES = LocaleRules(default="en", prefixes={"/de": "de", "/de/at/": "de-AT", "/français": "fr"})


@pytest.mark.parametrize(
    ("path", "locale"),
    [
        ("/wheel", "en"),
        ("/de", "de"),
        ("/de/", "de"),
        ("/de/rad", "de"),
        ("/demo", "en"),
        ("/DE/rad", "en"),
        ("/de/at", "de-AT"),
        ("/de/at/rad", "de-AT"),
        ("/de/atlas", "de"),
        ("/fran%C3%A7ais/roue", "fr"),
    ],
)
def test_the_longest_prefix_of_whole_segments_wins(path: str, locale: str) -> None:
    assert locale_of(RULES, path, "nl") == locale


def test_the_page_is_believed_where_the_source_says_nothing() -> None:
    assert locale_of(LocaleRules(), "/a", "de_at") == "de-AT"
    assert locale_of(LocaleRules(prefixes={"/fr": "fr"}), "/a", "EN") == "en"
    assert locale_of(LocaleRules(prefixes={"/": "da"}), "/a", "en") == "da"


@pytest.mark.parametrize(
    ("written", "normal"),
    [
        ("DE", "de"),
        ("en-us", "en-US"),
        ("zh_hant_tw", "zh-Hant-TW"),
        ("es-419", "es-419"),
        ("sl-rozaj", "sl-rozaj"),
        ("de-u-co-phonebk", "de"),
        (" nb ", "nb"),
        ("", ""),
        ("english", ""),
        ("und", ""),
        ("x-klingon", ""),
        ("{{ lang }}", ""),
    ],
)
def test_tags_have_one_spelling(written: str, normal: str) -> None:
    assert normal_locale(written) == normal
