"""From what is known of a page to the reason that decides."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import replace
from urllib.parse import urlsplit

from contentbot.access import Principal
from contentbot.errors import InvalidQuery, NotFound
from contentbot.index.index import nearest
from contentbot.runs import RUNNING, RunRecord
from contentbot.sources.scope import Scope
from contentbot.sources.urls import clean_url
from contentbot.state import PageState, PageStatus
from contentbot.state.memory import NOT_LISTED
from contentbot.why.case import Case
from contentbot.why.explanation import Explanation, Records, Verdict, at, iso
from contentbot.why.words import VERDICTS, about, described, still_there


def explain(url: str, records: Records, *, principal: Principal, source: str = "") -> list[Explanation]:
    """Say why a page is or is not in the index, for the source of this id, or for each that it could belong to.

    A document that the principal may not read looks as if it were not there.

    Raises:
        InvalidQuery: `url` is no web address.
        NotFound: there is no such source; with near matches.
    """
    cleaned = _cleaned(url)
    names = [_known_source(source, records, principal)] if source else _candidates(cleaned, records, principal)
    if not names:
        return [_foreign(cleaned, records)]
    return [_explained(Case(cleaned, name, records, principal)) for name in names]


def _cleaned(url: str) -> str:
    # people paste addresses as browsers show them
    given = url.strip()
    whole = given if "://" in given[:12] or given.startswith("mailto:") else f"https://{given.lstrip('/')}"
    try:
        return clean_url(whole)
    except ValueError as error:
        raise InvalidQuery(f"{given!r}: {error}; give the whole address, such as https://example.org/page") from error


def _known_source(name: str, records: Records, principal: Principal) -> str:
    wanted = name.strip().casefold()
    known = {*records.sources, *(one.source for one in records.index.overview(principal=principal))}
    if wanted not in known:
        raise NotFound("source", name, nearest(name, sorted(known)))
    return wanted


def _candidates(url: str, records: Records, principal: Principal) -> list[str]:
    found = {name for name, source in records.sources.items() if Scope(source).owns(url)}
    with suppress(NotFound):
        found.add(records.index.get(url, principal=principal).source)
    for page in records.state.pages.find(url) if records.state else ():
        # what a source without a file left behind is told only where it can be seen
        if Case(url, page.source, records, principal).page is not None:
            found.add(page.source)
    return sorted(found)


def _foreign(url: str, records: Records) -> Explanation:
    hosts = sorted({urlsplit(source.base_url).netloc for source in records.sources.values()})
    host = urlsplit(url).netloc
    there_is = f"their hosts are {', '.join(hosts[:20])}" if hosts else "there are no sources"
    return Explanation(
        url=url,
        source="",
        verdict=Verdict.OFF_SITE,
        summary=f"Not in the index: no source has the host {host}; {there_is}.",
        rule=host,
        near=tuple(nearest(host, hosts)),
    )


def _explained(case: Case) -> Explanation:
    findings: tuple[Callable[[Case], Explanation | None], ...] = (_indexed, _undelivered, _by_rule, _by_page, _counted)
    found = next((one for find in findings if (one := find(case))), None) or _unmet(case)
    last, complete = case.last_run, case.last_complete_run
    return replace(
        found,
        last_run=iso(last.started) if last else "",
        last_run_result=last.finish_reason if last else "",
        last_run_error=last.error if last else "",
        last_complete_run=iso(complete.started) if complete else "",
        notes=(*found.notes, *_about_source(case)),
        near=() if found.in_index or found.verdict not in _UNKNOWN else case.near(),
    )


_UNKNOWN = frozenset({Verdict.NOT_LISTED, Verdict.NEVER_CRAWLED, Verdict.EXCLUDED})


def _indexed(case: Case) -> Explanation | None:
    document = case.document
    if document is None:
        return None
    pages = case.pages_of_document
    page = next((one for one in pages if one.url == case.url), pages[0] if pages else None)
    since = f", since {at(page.since)}" if page and page.status is PageStatus.INDEXED else ""
    other = "" if document.url == case.url else f" It is another address of {document.url}."
    looked = still_there(page) if page else ""
    return replace(
        _from_page(case, page, Verdict.INDEXED, f"In the index as {document.id}{since}.{other}{looked}"),
        document_id=document.id,
        document_url=document.url,
        revision=document.revision,
        listed_as=tuple(one.url for one in pages),
        notes=tuple(_about_document(case, page, document.url)),
    )


def _about_document(case: Case, page: PageState | None, url: str) -> Iterable[str]:
    decision = case.decision(page.url, page.final_url) if page else case.decision(url)
    if not decision.included:
        by = f" ({decision.rule})" if decision.rule else ""
        yield f"today's rules leave it out, {decision.reason}{by}: the next complete run deletes it"
    elif case.refusal:
        yield f"today's rules refuse it, {case.refusal}: the next complete run deletes it"
    if page and case.was_not_met(page):
        yield f"the last complete run did not meet it; it was last met on {at(page.last_seen)}"
    if case.letter:
        yield "the index refused a newer text of it" if case.letter.refused else "a newer text waits in the outbox"


def _undelivered(case: Case) -> Explanation | None:
    letter = case.letter
    if letter is None:
        return None
    if letter.refused:
        summary = "Not in the index: the index refused its document, which is set aside until the page changes."
        return _answer(case, Verdict.REFUSED, summary, detail=letter.refused, since=letter.created_at)
    summary = f"Not yet in the index: it was read on {letter.created_at}, but the index gave no answer. \
It waits in the outbox; the next run delivers it."
    return _answer(case, Verdict.WAITING, summary, since=letter.created_at)


def _by_rule(case: Case) -> Explanation | None:
    page = case.page if case.page and case.page.url == case.url else None
    decision = case.decision(case.url)
    if decision.included or (decision.reason == "not_included" and case.page and case.page.reason != "not_included"):
        return None
    summaries = {
        "off_site": f"Not in the index: the host {decision.rule} does not belong to the source.",
        "excluded": f"Not in the index: the pattern {decision.rule} of url-exclude leaves it out.",
        "loop": "Not in the index: its path repeats itself, as a broken relative link makes it.",
        "not_included": "Not in the index: no pattern of url-include matches it"
        + (", and what it redirects to does not either." if page else "."),
    }
    verdict = Verdict.OFF_SITE if decision.reason == "off_site" else Verdict.EXCLUDED
    found = _from_page(case, page, verdict, summaries[decision.reason])
    patterns = case.declared.url_include if case.declared and decision.reason == "not_included" else []
    notes = (f"url-include is {', '.join(patterns)}",) if patterns else ()
    return replace(found, rule=decision.rule, reason=decision.reason, notes=notes)


def _by_page(case: Case) -> Explanation | None:
    page = case.page
    if page is None:
        return None
    verdict = Verdict.NOT_LISTED if page.reason == NOT_LISTED else VERDICTS[page.status]
    found = _from_page(case, page, verdict, about(page, case.url))
    identity = case.records.index.settings().identity
    notes = []
    if verdict is Verdict.MISSING and page.index_identity and page.index_identity != identity:
        notes.append("it was delivered to another index than the one that is asked now")
    if verdict is not Verdict.NOT_LISTED and case.was_not_met(page):
        notes.append(f"the last complete run did not meet it; it was last met on {at(page.last_seen)}")
    # the detail of a refusal begins with the key of the rule
    rule = page.detail.partition(":")[0] if verdict is Verdict.FILTERED else ""
    return replace(found, notes=tuple(notes), rule=rule)


def _counted(case: Case) -> Explanation | None:
    """Look whether the newest run named the page among those that it left out without asking for them."""
    last = case.last_run
    named = [one for one in last.skipped_pages if one.url == case.url] if last else []
    if last is None or not named or case.is_withheld:
        return None
    verdict = Verdict.EXCLUDED if named[0].reason == "not_included" else Verdict.FAILED
    summary = f"Not in the index: {described(named[0].reason)} (run of {at(last.started)})."
    return _answer(case, verdict, summary, reason=named[0].reason, detail=named[0].detail)


def _unmet(case: Case) -> Explanation:
    last, complete = case.last_run, case.last_complete_run
    if last is None:
        recorded = "this source was never crawled" if case.records.state else "no crawl has been recorded here"
        return _answer(case, Verdict.NEVER_CRAWLED, f"Not in the index: {recorded}.")
    if complete:
        summary = f"Not in the index: never listed. The last complete run, of {at(complete.started)}, did not meet it."
    else:
        summary = f"Not in the index: no run has met it, but none has read everything that lists pages either. \
The last one, of {at(last.started)}, ended: {last.finish_reason}."
    return _answer(case, Verdict.NOT_LISTED, summary)


def _about_source(case: Case) -> Iterable[str]:
    if case.declared is None:
        yield f"the source has no file any more: `contentbot prune {case.source}` deletes what is left of it"
    elif not case.declared.enabled:
        yield "the source is disabled: it is crawled only when it is named"
    if case.last_run:
        yield from _about_run(case.last_run)


def _about_run(run: RunRecord) -> Iterable[str]:
    if run.finish_reason == RUNNING:
        yield f"a run began on {at(run.started)} and has not ended"
    elif not run.succeeded:
        yield f"the last run, of {at(run.started)}, did not succeed: {run.finish_reason}"
    if run.failed_sitemaps:
        yield f"the last run could not read {len(run.failed_sitemaps)} of what lists pages"


def _answer(
    case: Case, verdict: Verdict, summary: str, *, reason: str = "", detail: str = "", since: str = ""
) -> Explanation:
    return Explanation(case.url, case.source, verdict, summary, reason=reason, detail=detail, since=since)


def _from_page(case: Case, page: PageState | None, verdict: Verdict, summary: str) -> Explanation:
    if page is None:
        return Explanation(case.url, case.source, verdict, summary)
    return Explanation(
        case.url,
        case.source,
        verdict,
        summary,
        document_url=page.document_url if page.status is PageStatus.INDEXED else "",
        listed_as=(page.url,),
        final_url=page.final_url,
        reason=page.reason,
        detail=page.detail,
        http_status=page.http_status,
        since=iso(page.since),
        times=page.misses,
        last_seen=iso(page.last_seen),
        last_indexed=iso(page.last_indexed),
    )
