"""The rules of a source file: friendly spellings in, mistakes named with their key."""

from pathlib import Path

import pytest

from contentbot.errors import ConfigError
from contentbot.sources.loader import load_source
from contentbot.sources.models import WebsiteSource
from contentbot.sources.overrides import overridden

HEAD = "id: mill\ntype: website\nbase-url: https://mill.example\n"


def loaded(folder: Path, rules: str) -> WebsiteSource:
    file = folder / "mill.yaml"
    file.write_text(HEAD + rules, encoding="utf-8")
    source = load_source(file)
    assert isinstance(source, WebsiteSource)
    return source


def test_rules_are_read_in_their_friendly_spellings(tmp_path: Path) -> None:
    text = "rules:\n  languages: EN, pt_br, no\n  words-exclude: [press release]\n  max-age: 6w\n  since: 2026-03\n"
    rules = loaded(tmp_path, text).rules
    assert rules.languages == ["en", "pt-BR", "no"]
    assert (rules.words_exclude, rules.max_age, rules.since) == (["press release"], 42, "2026-03-01")


@pytest.mark.parametrize("since", ["2026-03-12", "'2026-03-12'", "2026-03-12 # of the relaunch"])
def test_a_day_is_a_day_in_whatever_way_yaml_has_it(tmp_path: Path, since: str) -> None:
    assert loaded(tmp_path, f"rules:\n  since: {since}\n").rules.since == "2026-03-12"


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ("  min-word: 5", "rules.min-word: line 5: unknown key (did you mean min-words?)"),
        ("  languages: [english]", "is no language tag"),
        ("  since: yesterday", "write 2026, 2026-03 or 2026-03-12"),
        ("  since: 20260312", "is no date"),
        ("  max-age: 3 months", "write days as 90, or 90d, 6w, 1y"),
        ("  words-exclude: ['*']", "holds no letter and no digit"),
        ("  words-exclude: ['pre*fix']", "at the end only"),
        ("  undated: drop", "keep"),
        ("  min-words: -1", "rules.min-words"),
    ],
)
def test_a_mistake_in_a_rule_is_named_with_its_key(tmp_path: Path, rules: str, message: str) -> None:
    with pytest.raises(ConfigError, match=r"mill\.yaml: rules") as caught:
        loaded(tmp_path, f"rules:\n{rules}\n")
    assert message in str(caught.value)


def test_one_run_can_have_rules_of_its_own(tmp_path: Path) -> None:
    source = loaded(tmp_path, "rules:\n  min-words: 9\n")
    assert overridden(source, {"rules": '{"languages": "de"}'}).rules.model_dump(exclude_defaults=True) == {
        "languages": ["de"]
    }
    with pytest.raises(ConfigError, match="holds no rules"):
        overridden(source, {"rules": "min-words 5"})
