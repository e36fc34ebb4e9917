"""A site that changes, and what an index of it has to hold."""

import random
from dataclasses import dataclass, field

from tests.site.server import Answer, Asked, Website, article


@dataclass
class Town:
    """Some thirty small pages of a served site, and how they change between two runs.

    Every third page has no validators, the others an `ETag`. The sitemap lists every page where it was first found:
    a page that has moved is reached by its redirect.
    """

    site: Website
    chance: random.Random
    texts: dict[str, int] = field(default_factory=dict)
    moved: dict[str, str] = field(default_factory=dict)
    gone: set[str] = field(default_factory=set)
    built: int = 0

    def __post_init__(self) -> None:
        self.build(30)

    @property
    def listed(self) -> list[str]:
        """The paths in the sitemap."""
        return [*self.texts, *self.gone]

    def truth(self) -> dict[str, str]:
        """What the index has to hold: the text of each document by its URL."""
        return {
            self.site.origin + self.moved.get(path, path): text_of(path, number) for path, number in self.texts.items()
        }

    def build(self, count: int) -> None:
        """Add pages."""
        for _ in range(count):
            self.texts[f"/house-{self.built}"] = 0
            self.built += 1
        self.serve()

    def change(self) -> None:
        """Do what an editor does between two runs: write, take back, add, remove, move, give up."""
        for path in self.some(4):
            self.texts[path] += 1
        for path in self.some(2):
            self.texts[path] = max(0, self.texts[path] - 1)
        self.gone.clear()
        for path in self.some(2):
            del self.texts[path]
            self.moved.pop(path, None)
            if self.chance.random() < 0.5:
                self.gone.add(path)
        for path in self.some(1):
            self.moved[path] = f"{path}-moved-{self.texts[path]}"
        self.build(2)

    def some(self, count: int) -> list[str]:
        """Choose a few of the pages."""
        return self.chance.sample(sorted(self.texts), count)

    def serve(self) -> None:
        """Let the site answer as the town now is."""
        self.site.clear()
        self.site.sitemap("/sitemap.xml", *(self.site.origin + path for path in self.listed))
        for path, number in self.texts.items():
            place = self.moved.get(path, path)
            if place != path:
                self.site.redirect(path, place)
            self.site.answer(place, page_of(path, number))
        for path in self.gone:
            self.site.answer(path, Answer(b"Pulled down.", 410))


def text_of(path: str, number: int) -> str:
    """Return what a page says in one of its versions."""
    return f"The {path.strip('/')} has been painted {number} times. Its door is on the side of the river."


def page_of(path: str, number: int):
    """Return what answers for a page: whole, or 304 to one who has it already."""
    html = article(path.strip("/"), text_of(path, number)).encode()
    tag = f'"{path}-{number}"'
    headers = {} if int(path.split("-")[1]) % 3 == 0 else {"ETag": tag}

    def answer(asked: Asked) -> Answer:
        if headers and asked.headers.get("if-none-match") == tag:
            return Answer(status=304, headers=headers)
        return Answer(html, headers=headers)

    return answer
