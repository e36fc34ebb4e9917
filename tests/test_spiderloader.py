"""Spiders by the ids of their sources."""

from pathlib import Path

import pytest
from scrapy import Request
from scrapy.exceptions import UsageError
from scrapy.spiderloader import get_spider_loader
from scrapy.spiders import SitemapSpider

from contentbot.crawling import project_settings
from contentbot.spiderloader import SourceSpiderLoader


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for name, more in (("mill", ""), ("blog", "hosts: www.blog.example\n"), ("old", "enabled: false\n")):
        (tmp_path / f"{name}.yaml").write_text(f"id: {name}\ntype: website\nbase-url: https://{name}.example\n{more}")
    return tmp_path


def test_every_enabled_source_is_a_spider(folder: Path) -> None:
    assert SourceSpiderLoader(folder).list() == ["blog", "mill"]


def test_the_projects_settings_name_this_loader(folder: Path) -> None:
    loader = get_spider_loader(project_settings({"CONTENTBOT_SOURCES_DIR": str(folder)}))
    assert loader.list() == ["blog", "mill"]


def test_a_source_becomes_a_sitemap_spider_of_its_own_name(folder: Path) -> None:
    spider = SourceSpiderLoader(folder).load("mill")
    assert issubclass(spider, SitemapSpider)
    assert (spider.name, spider.__name__) == ("mill", "MillWebsiteSpider")


def test_a_disabled_source_is_not_listed_but_can_be_asked_for(folder: Path) -> None:
    assert SourceSpiderLoader(folder).load("old").name == "old"


def test_an_unknown_name_is_answered_with_the_nearest_one(folder: Path) -> None:
    with pytest.raises(UsageError, match=r"no source 'mil' in .*did you mean 'mill'\?"):
        SourceSpiderLoader(folder).load("mil")


def test_an_unknown_name_is_a_key_error_as_scrapy_promises(folder: Path) -> None:
    with pytest.raises(KeyError, match="there are: blog, mill, old"):
        SourceSpiderLoader(folder).load("zzzzzz")


def test_a_broken_folder_is_refused_when_a_spider_is_asked_for(folder: Path) -> None:
    (folder / "bad.yaml").write_text("id: bad\ntype: website\nbase-url: https://bad.example\nurl-inlcude: /**\n")
    loader = SourceSpiderLoader(folder)
    for ask in (loader.list, lambda: loader.load("mill")):
        with pytest.raises(UsageError, match=r"bad\.yaml: url-inlcude: .*did you mean url-include"):
            ask()


def test_a_source_cannot_take_the_name_of_the_spider_for_all(folder: Path) -> None:
    (folder / "site.yaml").write_text("id: site\ntype: website\nbase-url: https://site.example\n")
    with pytest.raises(UsageError, match="'site'"):
        SourceSpiderLoader(folder).list()


def test_a_spider_is_found_by_the_site_of_an_address(folder: Path) -> None:
    assert SourceSpiderLoader(folder).find_by_request(Request("https://www.blog.example/x")) == ["blog"]
