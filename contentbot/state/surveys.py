"""What is remembered of the text of documents, and what was learned from it; both are bytes to the state."""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

from sqlalchemy import Connection, Engine, RowMapping, and_, delete, func, select
from sqlalchemy.dialects import postgresql, sqlite

from contentbot.state.schema import pages, surveys, templates
from contentbot.state.transactions import reading, writing

_FETCH = 500


@dataclass(frozen=True, slots=True)
class Survey:
    """The survey of one document; an empty one says that there is nothing to be learned from it.

    `published` is what the sitemap said of the page.
    """

    document_key: str
    locale: str
    survey: bytes
    published: str = ""


@dataclass(frozen=True, slots=True)
class Surveyed:
    """The survey of a document, one page that leads to it, and what was dropped of the text when it was indexed."""

    url: str
    dropped: str
    survey: bytes
    published: str


class SurveyStore:
    """The tables `surveys` and `templates`."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        dialect = postgresql if engine.dialect.name == "postgresql" else sqlite
        insert = dialect.insert(surveys)
        changed = {name: insert.excluded[name] for name in ("locale", "published", "survey")}
        self._upsert = insert.on_conflict_do_update(index_elements=["source", "document_key"], set_=changed)
        insert = dialect.insert(templates)
        self._learned = insert.on_conflict_do_update(
            index_elements=["source"], set_={"template": insert.excluded.template, "stale": insert.excluded.stale}
        )
        self._staled = insert.on_conflict_do_update(index_elements=["source"], set_={"stale": insert.excluded.stale})

    def put(self, source: str, given: Iterable[Survey]) -> bool:
        """Write surveys; say whether any differs from the one before, which makes the template stale."""
        by_key = {one.document_key: one if one.survey else _nothing(one.document_key) for one in given}
        if not by_key:
            return False
        with writing(self._engine) as connection:
            known = _known(connection, source, by_key)
            changed = [survey for key, survey in by_key.items() if survey != known.get(key, _nothing(key))]
            if rows := [_row(source, survey) for survey in changed if survey.survey]:
                connection.execute(self._upsert, rows)
            self._delete(connection, source, [survey.document_key for survey in changed if not survey.survey])
            if changed:
                self._mark_stale(connection, source)
        return bool(changed)

    def forget_gone(self, source: str) -> bool:
        """Remove the surveys of documents that no page leads to any more; say whether there were any."""
        alive = select(pages.c.document_key).where(pages.c.source == source)
        gone = and_(surveys.c.source == source, surveys.c.document_key.not_in(alive))
        with writing(self._engine) as connection:
            removed = connection.execute(delete(surveys).where(gone)).rowcount
            if removed:
                self._mark_stale(connection, source)
        return bool(removed)

    def forget(self, source: str) -> None:
        """Remove all surveys of a source, and what was learned from them."""
        with writing(self._engine) as connection:
            connection.execute(delete(surveys).where(surveys.c.source == source))
            connection.execute(delete(templates).where(templates.c.source == source))

    def sample(self, source: str, most: int) -> list[Survey]:
        """Return the surveys with the lowest keys: keys are hashes, so this is a sample, and always the same one."""
        query = select(surveys).where(surveys.c.source == source).order_by(surveys.c.document_key).limit(most)
        with reading(self._engine) as connection:
            return [_survey(row) for row in connection.execute(query).mappings()]

    def surveyed(self, source: str) -> Iterator[Surveyed]:
        """Yield every page of a source whose document is indexed and surveyed."""
        same = and_(pages.c.source == surveys.c.source, pages.c.document_key == surveys.c.document_key)
        columns = (pages.c.url, pages.c.dropped, surveys.c.survey, surveys.c.published)
        query = (
            select(*columns)
            .join_from(surveys, pages, same)
            .where(surveys.c.source == source, pages.c.status == "indexed")
            .order_by(surveys.c.document_key, pages.c.url_key)
        )
        with reading(self._engine) as connection:
            for row in connection.execution_options(yield_per=_FETCH).execute(query):
                yield Surveyed(*row)

    def count(self, source: str) -> int:
        """Count the surveys of a source."""
        with reading(self._engine) as connection:
            query = select(func.count()).select_from(surveys).where(surveys.c.source == source)
            return connection.execute(query).scalar_one()

    def template(self, source: str) -> tuple[bytes, bool]:
        """Return what was learned of a source, and whether surveys have changed since."""
        query = select(templates.c.template, templates.c.stale).where(templates.c.source == source)
        with reading(self._engine) as connection:
            row = connection.execute(query).one_or_none()
        return (row[0], row[1]) if row else (b"", False)

    def learned(self, source: str, template: bytes, *, stale: bool = False) -> None:
        """Write what was learned of a source from its surveys, and whether they have changed meanwhile."""
        with writing(self._engine) as connection:
            connection.execute(self._learned, {"source": source, "template": template, "stale": stale})

    def _mark_stale(self, connection: Connection, source: str) -> None:
        connection.execute(self._staled, {"source": source, "template": b"", "stale": True})

    def _delete(self, connection: Connection, source: str, keys: Collection[str]) -> None:
        if keys:
            chosen = and_(surveys.c.source == source, surveys.c.document_key.in_(keys))
            connection.execute(delete(surveys).where(chosen))


def _known(connection: Connection, source: str, keys: Collection[str]) -> dict[str, Survey]:
    query = select(surveys).where(surveys.c.source == source, surveys.c.document_key.in_(keys))
    return {row["document_key"]: _survey(row) for row in connection.execute(query).mappings()}


def _survey(row: RowMapping) -> Survey:
    return Survey(row["document_key"], row["locale"], row["survey"], row["published"])


def _nothing(key: str) -> Survey:
    return Survey(key, "", b"")


def _row(source: str, survey: Survey) -> dict[str, object]:
    return {
        "source": source,
        "document_key": survey.document_key,
        "locale": survey.locale,
        "published": survey.published,
        "survey": survey.survey,
    }
