"""The word lists beside the sources."""

from pathlib import Path

import pytest

from contentbot.access import PUBLIC
from contentbot.errors import ConfigError
from contentbot.index import open_index
from contentbot.index.query import SearchRequest
from contentbot.sources.languages import NO_LANGUAGES, load_languages
from tests.contract.documents import document

GERMAN = "stop-words: [Bitte]\nsynonyms:\n  - [Kfz, Auto, Wagen]\n  - [Auto, Karre]\n"


def written(folder: Path, text: str = GERMAN, name: str = "de.yaml") -> Path:
    (folder / "languages").mkdir(exist_ok=True)
    (folder / "languages" / name).write_text(text)
    return folder


def test_without_a_folder_there_are_no_lists(tmp_path: Path) -> None:
    assert load_languages(tmp_path) == NO_LANGUAGES
    assert NO_LANGUAGES.codes == ["de", "en"]


def test_every_word_of_a_group_finds_the_others(tmp_path: Path) -> None:
    languages = load_languages(written(tmp_path))
    assert languages.synonyms_of("auto") == ["karre", "kfz", "wagen"]
    assert languages.synonyms_of("kfz", "de") == ["auto", "wagen"]
    assert languages.synonyms_of("kfz", "en") == []
    assert languages.is_stopped("bitte")
    assert not languages.is_stopped("bitte", "en")
    assert languages.all_synonyms()["karre"] == ["auto"]


@pytest.mark.parametrize(
    ("text", "name", "problem"),
    [
        ("stop-wrods: [a]\n", "de.yaml", "stop-wrods.*did you mean stop-words"),
        ("synonyms: [a, b]\n", "de.yaml", "synonyms.*not a list"),
        ("stop-words: [a]\n", "deutsch.yaml", "deutsch.*no language"),
    ],
)
def test_a_wrong_file_is_named_with_the_way_out(tmp_path: Path, text: str, name: str, problem: str) -> None:
    with pytest.raises(ConfigError, match=problem):
        load_languages(written(tmp_path, text, name))


def test_the_embedded_engine_honours_them(tmp_path: Path) -> None:
    languages = load_languages(written(tmp_path))
    with open_index(str(tmp_path / "index"), languages=languages) as index:
        index.upsert(
            [document("auto", body="Ein Auto."), document("bitte", body="bitte"), document("weg", body="Ein Weg.")]
        )
        found = index.search(SearchRequest("bitte kfz "), principal=PUBLIC)
        assert [hit.document.id for hit in found.hits] == ["mill:auto"]
        assert index.search(SearchRequest("bitte "), principal=PUBLIC).total == 1
