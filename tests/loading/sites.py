"""What the tests of loading share: names without a name server, and limits for a served site."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from contentbot.loading import AddressGuard, Loader, LoadLimits

LOOPBACK = ("127.0.0.0/8",)


@dataclass
class Names:
    """Answers look-ups in turn; the last answer stays."""

    answers: list[Sequence[str]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)

    def __init__(self, *answers: Sequence[str]) -> None:
        self.answers, self.asked = list(answers), []

    async def __call__(self, host: str, _port: int) -> Sequence[str]:
        self.asked.append(host)
        return self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]


def quick(**changes: Any) -> LoadLimits:
    """Return limits without pauses."""
    return replace(LoadLimits(pause=0.0, seconds=10.0), **changes)


def local(**changes: Any) -> Loader:
    """Return a loader that may speak to this machine."""
    return Loader(AddressGuard(LOOPBACK), quick(**changes))
