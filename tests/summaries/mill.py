"""An article, and a summary of it that says nothing else."""

from typing import Any

from contentbot.summaries import Article

TEXT = """\
The old mill at Bachfeld reopened on 12 March 2026 after a restoration that cost 1,250,000 euros. “We never thought \
the wheel would turn again,” said Greta Holm, who chairs the mill society. About 340 visitors came on the first day, \
12.5% more than expected.

The European Union paid a third of the cost. Joiners from three villages replaced twenty-four of the wheel's buckets. \
The society plans guided tours every Saturday and hopes to grind 20 tonnes of rye in 2027. Tickets are sold at \
https://mill.example/tickets and at the gate."""

ARTICLE = Article(
    text=TEXT,
    title="Old mill turns again",
    url="https://mill.example/news/reopened",
    language="en",
    published_at="2026-03-13",
    document_id="mill:news/reopened",
    source_id="mill",
    facts=["Ada Brook", "The Mill Post"],
)


def draft(**changes: Any) -> dict[str, Any]:
    """Return the summary, as a model would write it."""
    return {
        "title": "Mill at Bachfeld reopens",
        "language": "en",
        "summary": "The old mill at Bachfeld reopened on March 12, 2026 after a restoration for 1.25 million euros. "
        "About 340 visitors came on the first day.",
        "key_points": ["The EU paid a third of the cost.", "The society hopes to grind 20 tonnes of rye in 2027."],
        "quotes": [{"text": "We never thought the wheel would turn again", "speaker": "Greta Holm"}],
        "topics": ["restoration"],
        **changes,
    }
