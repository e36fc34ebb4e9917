"""Importing this module extracts pages, so that tables which libraries load late are there before pages count."""

from contextlib import suppress
from datetime import UTC, datetime

from contentbot.documents import Page
from contentbot.extract.extractor import extract
from contentbot.extract.rules import ExtractRules
from contentbot.sources.models import WebsiteSource

_PAGE = """
<html lang=de><title>Das Rad</title><body><article><h1>Das Rad</h1><p>Am 3. März 2024 von Ada Muster veröffentlicht.</p>
<p>Ein Rad dreht sich um seine Achse, und je runder es ist, desto leichter dreht es sich. Wer es erfunden hat, weiß
niemand; die ältesten, die gefunden wurden, sind aus Holz und über fünftausend Jahre alt.</p>
<p>Speichen machen es leichter, ein Reifen aus Eisen hält es zusammen, und Luft im Reifen nimmt der Straße die Härte.
So wurde aus einer Scheibe, die knarrte, in wenigen Schritten das, worauf heute alles rollt.</p>
<p>Auch wo sich nichts fortbewegt, ist es zu finden: in der Mühle, die Korn mahlt, in der Uhr, die Stunden teilt, und in
der Turbine, die aus fallendem Wasser Strom macht.</p></article></body></html>
"""
# without a declared language, which the tables of the detector are for
_UNDECLARED = _PAGE.replace(" lang=de", "")


def warm_up() -> None:
    """Extract pages that need all tables."""
    source = WebsiteSource.model_validate({"id": "warm-up", "type": "website", "base-url": "https://warm.example"})
    url, fetched = "https://warm.example/rad", datetime(2024, 4, 1, tzinfo=UTC)
    for html in (_PAGE, _UNDECLARED):
        extract(Page(url, url, html.encode(), {"content-type": "text/html"}, fetched_at=fetched), ExtractRules(source))


# imported by the server that workers are forked from: an error here would leave every page without a worker
with suppress(Exception):
    warm_up()
