"""A site in trouble: nothing is deleted meanwhile, and one run after it the index is what the site is."""

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from tests.chaos.crawler import Place
from tests.chaos.town import Town
from tests.site.server import Answer, Website


def unavailable(_: Answer) -> Answer:
    return Answer(status=503)


def slow(answer: Answer) -> Answer:
    return replace(answer, delay=1.5)


def cut(answer: Answer) -> Answer:
    assert isinstance(answer.body, bytes)
    length = {"Content-Length": str(len(answer.body) + 100)} if answer.status == 200 else {}
    return replace(answer, headers={**answer.headers, **length})


def dropped(answer: Answer) -> Answer:
    return replace(answer, drop=True)


@pytest.mark.parametrize("fault", [unavailable, slow, cut, dropped])
def test_trouble_deletes_nothing_and_is_made_good_by_one_run(
    website: Website, tmp_path: Path, fault: Callable[[Answer], Answer]
) -> None:
    town = Town(website, random.Random(1848))
    place = Place(town, tmp_path)
    place.crawl()
    before = place.texts().keys()
    town.change()
    website.trouble = lambda number, answer: fault(answer) if number % 5 == 0 else answer
    place.crawl("-a", "request_timeout=0.5")
    assert before & town.truth().keys() <= place.texts().keys()
    website.trouble = lambda _, answer: answer
    place.crawl()
    assert place.problems() == [], place.log()
