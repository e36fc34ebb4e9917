import pytest

from contentbot.documents import ContentDocument, document_key, unix_seconds


@pytest.mark.parametrize(
    ("moment", "seconds"),
    [
        ("2024-05-01", 1_714_521_600),
        ("2024-05-01T00:00:00Z", 1_714_521_600),
        ("2024-05-01T02:00:00+02:00", 1_714_521_600),
        ("2024-05-01T00:00:00.000Z", 1_714_521_600),
        ("2024-05-01T00:00:00", 1_714_521_600),
        ("1969-12-31", -86_400),
    ],
)
def test_dates_become_unix_seconds(moment: str, seconds: int):
    assert unix_seconds(moment) == seconds


@pytest.mark.parametrize("moment", ["", "soon", "2024-13-01", "2024-05-01T99:00"])
def test_no_date_has_no_seconds(moment: str):
    assert unix_seconds(moment) is None


def test_stored_names_are_camel_case_and_come_back():
    document = ContentDocument(
        id="demo:a",
        key=document_key("demo", "https://mill.example/a"),
        source="demo",
        url="https://mill.example/a",
        path="/a",
        title="A",
        body="Text",
        published_date="2024-05-01",
    )
    stored = document.model_dump(by_alias=True)
    assert {"publishedDate", "previewImage", "fetchedAt"} <= stored.keys()
    assert ContentDocument.model_validate(stored) == document
    assert document.published_timestamp == 1_714_521_600


def test_one_address_in_two_sources_has_two_keys():
    assert document_key("a", "https://mill.example/") != document_key("b", "https://mill.example/")
