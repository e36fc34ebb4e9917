"""The text of every answer: what a client shows that drops structured content, in as few tokens as it takes.

The server's own words stand outside of the markers, everything that was written elsewhere between them.
"""

from collections.abc import Sequence

from mcp_server.answers import (
    CategoryList,
    Hit,
    ListedPost,
    PageExplanation,
    Post,
    PostBody,
    PostList,
    SearchAnswer,
    UrlExplanation,
)
from mcp_server.untrusted import Boundary, defang, one_line


def search_text(answer: SearchAnswer, offset: int) -> str:
    """Return a search answer as text."""
    about = "" if answer.total_is_exact else "at least "
    head = f"{len(answer.hits)} of {about}{answer.total} hits" + (f", from offset {offset}" if offset else "")
    more = f"More: offset={answer.next_offset}." if answer.next_offset else ""
    return _answer(
        head, answer.notices, more, [hit_text(hit, offset + number) for number, hit in enumerate(answer.hits, 1)]
    )


def hit_text(hit: Hit, number: int) -> str:
    """Return one hit as text."""
    return _lines(
        f"{number}. {hit.title}", *_address(hit), _facts(hit, _section(hit), f"score {hit.score:g}"), hit.snippet
    )


def list_text(answer: PostList) -> str:
    """Return a list of documents as text."""
    head = f"{len(answer.posts)} of {answer.total} posts, page {answer.page} of {answer.pages}, newest first"
    more = f"More: page={answer.next_page}." if answer.next_page else ""
    return _answer(head, answer.notices, more, [listed_text(post) for post in answer.posts])


def listed_text(post: ListedPost) -> str:
    """Return one item of a list as text."""
    return _lines(f"- {post.title}", *_address(post), _facts(post), post.excerpt)


def body_text(post: PostBody) -> str:
    """Return a page of a document as text."""
    end = post.offset + len(post.body)
    head = f"Characters {post.offset} to {end} of {post.total_chars}"
    more = f"More: offset={post.next_offset}." if post.truncated else "" if post.offset else "This is all of it."
    modified = f"modified {post.modified}" if post.modified else ""
    headings = [f"{'  ' * (one.level - 1)}{one.title} (offset={one.offset})" for one in post.outline]
    outline = _lines("Sections:", *headings) if headings else ""
    about = _lines(post.title, *_address(post), _facts(post, modified), outline)
    return _answer(head, post.notices, more, [f"{about}\n\n{defang(post.body)}"])


def categories_text(answer: CategoryList) -> str:
    """Return the categories and sources as text."""
    sources = [
        f"source {one.id}: {one.state}, {one.documents} documents"
        + (f", locales {', '.join(one.locales)}" if one.locales else "")
        + (f", newest {one.newest[:10]}" if one.newest else "")
        + (f", fetched {one.fetched_at}" if one.fetched_at else "")
        for one in answer.sources
    ]
    head = f"{len(answer.categories)} categories, {answer.total} documents"
    categories = ", ".join(f"{one.name} ({one.documents})" for one in answer.categories)
    return _answer("\n".join([head, *sources]), answer.notices, "", [categories] if categories else [])


def explanation_text(answer: UrlExplanation) -> str:
    """Return the explanation of an address as text."""
    heads = [
        f"{one.source or 'no source'}: {'in the index' if one.in_index else 'not in the index'}, {one.verdict}"
        for one in answer.explanations
    ]
    notes = [f"{one.source}: {note}" for one in answer.explanations for note in one.notes]
    return _answer("\n".join(heads), [*answer.notices, *notes], "", [_explained(one) for one in answer.explanations])


def _explained(one: PageExplanation) -> str:
    facts = one.model_dump(exclude={"source", "in_index", "verdict", "summary", "notes"})
    told = {name: ", ".join(value) if isinstance(value, list) else value for name, value in facts.items() if value}
    return _lines(f"{one.source}: {one.summary}".removeprefix(": "), *(f"{name}: {v}" for name, v in told.items()))


def _answer(head: str, notices: Sequence[str], more: str, items: Sequence[str]) -> str:
    own = _lines(f"{head}. {more}".strip(), *(f"Note: {notice}" for notice in notices))
    return _lines(own, Boundary().wrap("\n\n".join(items)) if items else "")


def _address(post: Post) -> tuple[str, str]:
    return f"id: {one_line(post.id)}", f"url: {one_line(post.url)}"


def _facts(post: Post, *others: str) -> str:
    return " | ".join(
        fact
        for fact in (
            post.date[:10],
            post.source,
            post.locale,
            f"by {post.author}" if post.author else "",
            f"in {', '.join(post.categories)}" if post.categories else "",
            *others,
            f"fetched {post.fetched_at}" if post.fetched_at else "",
            f"rev {post.revision}" if post.revision else "",
        )
        if fact
    )


def _section(hit: Hit) -> str:
    anchor = f"#{hit.anchor}" if hit.anchor else ""
    return f"section {' '.join(filter(None, (anchor, hit.section)))}" if anchor or hit.section else ""


def _lines(*lines: str) -> str:
    return "\n".join(line for line in lines if line)
