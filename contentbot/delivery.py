"""Handing documents to the index, whatever state it is in: nothing is lost, one bad document costs only itself.

An index that does not answer leaves its documents in the outbox, on disk. A batch that it refuses is halved until the
bad document stands alone; that one is set aside in the outbox with the engine's reason, the others are delivered.
"""

import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol

from contentbot.documents import ContentDocument
from contentbot.errors import EngineRefused, EngineUnavailable
from contentbot.index import Index
from contentbot.state import PageState, PageStatus
from contentbot.state.outbox import Letter, Outbox

logger = logging.getLogger(__name__)

# times are set when the state is written
_UNTIMED: dict[str, Any] = {"first_seen": None, "last_seen": None, "last_indexed": None, "since": None}


class Delivered(Protocol):
    """Something to deliver: a document, and the pages that lead to it."""

    @property
    def document(self) -> ContentDocument:
        """What is written."""

    @property
    def pages(self) -> tuple[PageState, ...]:
        """What the page state is to say once the index has confirmed."""


@dataclass(slots=True)
class Receipt:
    """What became of a delivery. `refused` names the engine's reason by document key."""

    confirmed: list[Delivered] = field(default_factory=list)
    refused: dict[str, str] = field(default_factory=dict)
    unavailable: str = ""


def deliver(index: Index, parcels: Sequence[Delivered]) -> Receipt:
    """Write documents to the index, halving what it refuses.

    An index that gives no answer ends the delivery: `unavailable` says why, and what is neither confirmed nor refused
    is still to be delivered.
    """
    receipt = Receipt()
    _deliver(index, list(parcels), receipt)
    return receipt


def _deliver(index: Index, parcels: list[Delivered], receipt: Receipt) -> None:
    if not parcels or receipt.unavailable:
        return
    try:
        index.upsert([parcel.document for parcel in parcels])
    except EngineUnavailable as error:
        receipt.unavailable = str(error)
    except EngineRefused as error:
        if len(parcels) == 1:
            receipt.refused[parcels[0].document.key] = str(error)
            return
        middle = len(parcels) // 2
        _deliver(index, parcels[:middle], receipt)
        _deliver(index, parcels[middle:], receipt)
    else:
        receipt.confirmed += parcels


def post(outbox: Outbox, parcels: Sequence[Delivered], receipt: Receipt) -> None:
    """Keep on disk what a delivery could not bring: what waits, and what was refused."""
    settled = {parcel.document.key for parcel in receipt.confirmed}
    outbox.keep(
        letter_of(parcel, refused=receipt.refused.get(parcel.document.key, ""))
        for parcel in parcels
        if parcel.document.key not in settled
    )


@dataclass(frozen=True, slots=True)
class Opened:
    """A letter whose content was read."""

    letter: Letter
    document: ContentDocument
    pages: tuple[PageState, ...]


@dataclass(slots=True)
class Flushed:
    """What a flush brought. `refused` names the engine's reason by document URL."""

    documents: int = 0
    refused: dict[str, str] = field(default_factory=dict)
    unavailable: str = ""


def flush(outbox: Outbox, index: Index, note: Callable[[list[PageState], str], None], *, source: str = "") -> Flushed:
    """Deliver what waits in the outbox, oldest first, of one source or of all.

    A letter goes last, when its document is in the index and noted: one that is delivered twice does no harm.

    Args:
        note: writes pages, and the identity of the index that has confirmed their documents, to the state.
    """
    done = Flushed()
    for batch in outbox.waiting(source=source):
        opened = [_opened(letter) for letter in batch]
        receipt = deliver(index, opened)
        keys = {parcel.document.key for parcel in receipt.confirmed}
        confirmed = [one for one in opened if one.document.key in keys]
        if confirmed:
            note([page for one in confirmed for page in one.pages], index.settings().identity)
        outbox.delivered(one.letter for one in confirmed)
        done.documents += len(confirmed)
        for one in opened:
            if reason := receipt.refused.get(one.document.key):
                outbox.refuse(one.letter, reason)
                done.refused[one.document.url] = reason
        if receipt.unavailable:
            done.unavailable = receipt.unavailable
            break
    return done


def letter_of(parcel: Delivered, *, refused: str = "") -> Letter:
    """Write a parcel as a letter."""
    document = parcel.document
    pages = [{**asdict(page), **_UNTIMED} for page in parcel.pages]
    return Letter(
        document.source,
        document.key,
        document.model_dump(mode="json", by_alias=True),
        {"pages": pages},
        refused=refused,
    )


def _opened(letter: Letter) -> Opened:
    document = ContentDocument.model_validate(letter.document)
    return Opened(letter, document, tuple(_page(page) for page in letter.note.get("pages", [])))


def _page(values: Mapping[str, Any]) -> PageState:
    return PageState(**{**values, **_UNTIMED, "status": PageStatus(values["status"])})
