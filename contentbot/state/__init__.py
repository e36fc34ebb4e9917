"""The crawler's memory: what is known of each page, what each run did, what still has to be delivered.

It knows neither Scrapy nor the index. Pages and runs live in one database (an SQLite file, or PostgreSQL by URL);
the HTTP cache and the outbox are SQLite files beside it, so that they work when that database is away.
"""

from contentbot.state.database import State, open_state, reading_state
from contentbot.state.pages import PageState, PageStatus, PageStore

__all__ = ["PageState", "PageStatus", "PageStore", "State", "open_state", "reading_state"]
