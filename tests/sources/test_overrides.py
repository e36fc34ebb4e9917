"""Keys that are changed for one run."""

import pytest

from contentbot.errors import ConfigError
from contentbot.sources.models import WebsiteSource
from contentbot.sources.overrides import overridden

SOURCE = WebsiteSource.model_validate(
    {
        "id": "mill",
        "type": "website",
        "base-url": "https://mill.example",
        "locale": {"default": "en", "prefixes": {"/de": "de"}},
    }
)


def test_values_are_read_as_the_file_would_read_them() -> None:
    changes = {
        "rate_limit": "off",
        "request-timeout": "5s",
        "url_include": "/a/**, /b",
        "max_depth": "2",
        "sitemaps": "",
    }
    changed = overridden(SOURCE, changes)
    assert (changed.rate_limit, changed.request_timeout, changed.max_depth) == (0, 5, 2)
    assert (changed.url_include, changed.sitemaps) == (["/a/**", "/b"], [])
    assert changed.locale == SOURCE.locale


def test_nothing_changed_is_the_same_source() -> None:
    assert overridden(SOURCE, {}) == SOURCE


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("rate_limitt", "1", "did you mean rate-limit?"),
        ("colour", "red", "known keys: base-url"),
        ("id", "other", "cannot be changed"),
        ("rate_limit", "fast", "rate-limit"),
        ("max_depth", "-1", "max-depth"),
    ],
)
def test_a_wrong_key_or_value_is_named_with_the_way_out(key: str, value: str, message: str) -> None:
    with pytest.raises(ConfigError, match=message):
        overridden(SOURCE, {key: value})
