from pathlib import Path
from textwrap import dedent

import pytest
import yaml
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from contentbot.errors import ConfigError, ConfigErrors
from contentbot.sources.loader import load_source, load_sources
from contentbot.sources.models import WebsiteSource

GOOD = "id: {id}\ntype: website\nbase-url: https://mill.example\n"


def write(folder: Path, name: str, text: str) -> Path:
    file = folder / name
    file.write_text(dedent(text), encoding="utf-8")
    return file


def refused(folder: Path, keys: str) -> list[ConfigError]:
    """Load a good source with further keys; return its problems."""
    file = write(folder, "mill.yaml", GOOD.format(id="mill") + dedent(keys))
    with pytest.raises(ConfigError) as caught:
        load_source(file)
    return list(caught.value.problems) if isinstance(caught.value, ConfigErrors) else [caught.value]


def test_three_lines_are_a_source(tmp_path: Path) -> None:
    source = load_source(write(tmp_path, "mill.yaml", GOOD.format(id="mill")))
    assert source.id == "mill"
    assert source.base_url == "https://mill.example/"
    assert source.sitemaps is None
    assert source.url_include == ["/**"]
    assert source.rate_limit == 2.0
    assert source.enabled


def test_a_file_may_say_all_of_it(tmp_path: Path) -> None:
    source = load_source(
        write(
            tmp_path,
            "mill.yml",
            """\
            id: mill
            type: website
            title: "The mill: news"
            enabled: no
            base-url: https://mill.example/
            hosts: docs.mill.example, WWW.Shop.example
            sitemaps: /sitemap.xml, maps/all.xml, https://cdn.example/map.xml.gz?v=2
            url-include: [/news/**, /blog/*]
            url-exclude: /news/drafts/**
            match-redirects: false
            content-selector: article:is(.post, .story), "main [title='a,b']", main
            content-exclude: [aside, "nav, footer"]
            canonical: ignore
            locale: {default: en, prefixes: {/de: de, /no: no}}
            user-agent: MillBot/2.0 (+https://mill.example/bot)
            rate-limit: off
            request-timeout: 1500ms
            max-body-bytes: 2MiB
            max-depth: 2
            """.replace("\"main [title='a,b']\"", "main [title='a,b']"),
        )
    )
    assert not source.enabled
    assert source.title == "The mill: news"
    assert source.hosts == ["docs.mill.example", "www.shop.example"]
    assert source.sitemaps == [
        "https://mill.example/sitemap.xml",
        "https://mill.example/maps/all.xml",
        "https://cdn.example/map.xml.gz?v=2",
    ]
    assert source.content_selector == ["article:is(.post, .story)", "main [title='a,b']", "main"]
    assert source.content_exclude == ["aside", "nav", "footer"]
    assert source.locale.prefixes == {"/de": "de", "/no": "no"}
    assert (source.rate_limit, source.request_timeout, source.max_body_bytes, source.max_depth) == (
        0.0,
        1.5,
        2 << 20,
        2,
    )


@pytest.mark.parametrize(
    ("keys", "key", "message"),
    [
        ("url-inlcude: /a", "url-inlcude", "unknown key (did you mean url-include?)"),
        ("url_exclude: /a", "url_exclude", "did you mean url-exclude?"),
        ("content_selecter: main", "content_selecter", "did you mean content-selector?"),
        ("zzz: 1", "zzz", "known keys: id, type"),
        ("locale: {defualt: de}", "locale.defualt", "did you mean default?"),
        ("locale: german", "locale.default", "BCP 47"),
        ("locale: {prefixes: {de: de}}", "locale.prefixes.de", "write '/de'"),
        ("locale: {prefixes: {/de/**: de}}", "locale.prefixes./de/**", "no wildcards"),
        ("url-include: [/a, b]", "url-include[1]", "write '/b'"),
        ("url-include: []", "url-include", "at least 1 item"),
        ("url-exclude: /a/***", "url-exclude[0]", "'***' is no wildcard"),
        ("content-selector: main >> p", "content-selector[0]", "no CSS selector"),
        ("content-selector: 'main, p['", "content-selector[1]", "no CSS selector"),
        ("content-selector: 'main,'", "content-selector[1]", "stray comma"),
        ("content-exclude: //div", "content-exclude[0]", "XPath"),
        ("content-exclude: p::text", "content-exclude[0]", "write 'p'"),
        ("hosts: https://docs.mill.example/", "hosts[0]", "write 'docs.mill.example'"),
        ("hosts: '*.mill.example'", "hosts[0]", "list each host"),
        ("sitemaps: ftp://mill.example/s.xml", "sitemaps", "ftp scheme"),
        ('user-agent: "Bot\\nCookie: a=1"', "user-agent", "one line of ASCII"),
        ("user-agent: ' '", "user-agent", "User-Agent"),
        ("rate-limit: quick", "rate-limit", "requests a second"),
        ("rate-limit: 1.0e999", "rate-limit", "less than or equal to 1000"),
        ("rate-limit: -1", "rate-limit", "greater than or equal to 0"),
        ("rate-limit: true", "rate-limit", "requests a second"),
        ("request-timeout: 1:30", "request-timeout", "2m"),
        ("request-timeout: 0", "request-timeout", "greater than 0"),
        ("max-body-bytes: 10 furlongs", "max-body-bytes", "10MiB"),
        ("max-body-bytes: 010", "max-body-bytes", "010 starts with a zero"),
        ("max-depth: 1.5", "max-depth", "valid integer"),
        ("title: 2024", "title", "quotes"),
        ("title: true", "title", "quotes"),
        ("enabled: perhaps", "enabled", "neither true nor false"),
        ("canonical: maybe", "canonical", "'follow' or 'ignore'"),
        ("id: again", "id", "stands twice, first on line 1"),
        ("title: &a x\nuser-agent: *a", "", "alias"),
        ("title: a: b", "", "quotes"),
        ("title: !!python/object:os.system x", "title", "not understood"),
    ],
)
def test_a_wrong_value_is_named_with_file_key_and_way_out(tmp_path: Path, keys: str, key: str, message: str) -> None:
    (problem,) = refused(tmp_path, keys)
    assert problem.key == key
    assert str(problem).startswith(f"{tmp_path / 'mill.yaml'}: {key}")
    assert message in str(problem)
    assert "line " in str(problem)


@pytest.mark.parametrize(
    ("base", "message"),
    [
        ("mill.example", "write 'https://mill.example'"),
        ("ftp://mill.example", "ftp scheme"),
        ("https://mill.example/?a=1", "query"),
        ("https:///news", "no host"),
    ],
)
def test_a_base_url_has_to_be_a_plain_web_address(tmp_path: Path, base: str, message: str) -> None:
    with pytest.raises(ConfigError, match="base-url") as caught:
        load_source(write(tmp_path, "a.yaml", f"id: a\ntype: website\nbase-url: {base}\nsitemaps: /s.xml\n"))
    assert message in str(caught.value)


def test_credentials_in_a_base_url_are_refused_and_not_repeated(tmp_path: Path) -> None:
    for base in ("https://ada:hunter2@mill.example", "https://ada:hunter2@mi ll.example"):
        with pytest.raises(ConfigError, match="credentials") as caught:
            load_source(write(tmp_path, "a.yaml", f"id: a\ntype: website\nbase-url: {base}\n"))
        assert "hunter2" not in str(caught.value)


def test_all_problems_of_a_file_come_at_once_in_the_order_of_its_lines(tmp_path: Path) -> None:
    problems = refused(tmp_path, "rate-limit: quick\nurl-include: a\ntitle: 1\nlocael: de\n")
    assert [problem.key for problem in problems] == ["rate-limit", "url-include[0]", "title", "locael"]
    assert "line 6" in str(problems[2])


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("- a\n- b\n", "keys and values"),
        ("", "keys and values"),
        ("[" * 5_000, "too deeply"),
        ("id: a\ntype: website\nmax-depth: " + "9" * 5_000, "max-depth"),
        ("just text", "keys and values"),
        ("id: [a\n", "line 2"),
        ("id: a\n\ttype: website\n", "line 2"),
        ("id: a\ntype: website\n---\nid: b\n", "line 3"),
        ("? [a, b]\n: c\n", "a key has to be a word"),
        ("id: a\nbase-url: https://a.example\n", "type: is missing"),
        ("id: a\ntyp: website\n", "'typ' on line 2"),
        ("id: a\ntype: webiste\n", "known types: website"),
        ("type: website\nbase-url: https://a.example\n", "id: is missing"),
    ],
)
def test_what_is_no_source_file_is_refused(tmp_path: Path, text: str, message: str) -> None:
    with pytest.raises(ConfigError) as caught:
        load_source(write(tmp_path, "a.yaml", text))
    assert str(caught.value).startswith(str(tmp_path / "a.yaml"))
    assert message in str(caught.value)


def test_a_file_that_is_no_text_or_far_too_large_is_refused(tmp_path: Path) -> None:
    (tmp_path / "a.yaml").write_bytes(b"id: \xff\xfe")
    with pytest.raises(ConfigError, match="UTF-8"):
        load_source(tmp_path / "a.yaml")
    (tmp_path / "a.yaml").write_text("# " + "x" * (1 << 20))
    with pytest.raises(ConfigError, match="larger"):
        load_source(tmp_path / "a.yaml")


def test_a_folder_gives_its_sources_sorted_by_id(tmp_path: Path) -> None:
    write(tmp_path, "1.yaml", GOOD.format(id="oak"))
    write(tmp_path, "2.yml", "\ufeff" + GOOD.format(id="ash"))
    write(tmp_path, ".hidden.yaml", "nonsense")
    write(tmp_path, "notes.txt", "nonsense")
    assert list(load_sources(tmp_path)) == ["ash", "oak"]


def test_one_id_in_two_files_is_refused_naming_both(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", GOOD.format(id="oak"))
    write(tmp_path, "b.yaml", GOOD.format(id="oak"))
    with pytest.raises(ConfigError) as caught:
        load_sources(tmp_path)
    assert "a.yaml" in str(caught.value)
    assert "b.yaml" in str(caught.value)


def test_the_problems_of_all_files_come_at_once(tmp_path: Path) -> None:
    write(tmp_path, "a.yaml", "id: [")
    write(tmp_path, "b.yaml", GOOD.format(id="oak") + "zzz: 1\nmax-depth: -1\n")
    write(tmp_path, "c.yaml", GOOD.format(id="ash"))
    with pytest.raises(ConfigErrors) as caught:
        load_sources(tmp_path)
    assert [Path(problem.file).name for problem in caught.value.problems] == ["a.yaml", "b.yaml", "b.yaml"]


def test_a_missing_folder_says_which_variable_names_it(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="CONTENTBOT_SOURCES_DIR"):
        load_sources(tmp_path / "nowhere")


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=12)),
    lambda inner: st.one_of(st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)),
    max_leaves=5,
)
KEYS = [info.alias or name for name, info in WebsiteSource.model_fields.items()]


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.one_of(st.text(max_size=200), st.dictionaries(st.sampled_from(KEYS), VALUES, max_size=6).map(yaml.safe_dump)))
def test_any_file_is_a_source_or_refused_by_a_config_error(tmp_path: Path, text: str) -> None:
    file = tmp_path / "any.yaml"
    file.write_bytes(b"type: website\n" + text.encode("utf-8", "surrogatepass"))
    try:
        load_source(file)
    except ConfigError as error:
        assert str(file) in str(error)
