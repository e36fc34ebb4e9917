"""The same with the state in PostgreSQL."""

import os
import random
from pathlib import Path

from tests.chaos.crawler import Place, kill
from tests.chaos.test_kills import while_it_commits
from tests.chaos.town import Town
from tests.site.server import Website
from tests.state.conftest import create_database, postgres  # noqa: F401 - a fixture


def test_a_crawl_whose_state_is_in_postgresql_survives_a_kill(
    website: Website,
    tmp_path: Path,
    postgres: str,  # noqa: F811 - pytest gives the fixture by its name
) -> None:
    name = f"chaos_{os.urandom(6).hex()}"
    create_database(postgres, name)
    chance = random.Random(1871)
    place = Place(Town(website, chance), tmp_path, postgres.replace("/postgres?", f"/{name}?"))
    process = place.start()
    while_it_commits(process, place, chance)
    alive, _ = kill(process, place)
    assert alive
    place.town.change()
    assert place.crawl().succeeded
    assert place.problems() == []
    assert not (place.data / "state.db").exists()
