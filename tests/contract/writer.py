"""A process that writes batches until it is killed, for the tests of durability.

    python -m tests.contract.writer URL

Each batch replaces the same documents by ones of the next round, and is announced on stdout once it is written.
"""

import itertools
import sys

from contentbot.access import PUBLIC
from contentbot.index import open_index
from tests.contract.documents import document

BATCH = 40


def main(url: str) -> None:
    """Write rounds without end."""
    with open_index(url) as index:
        known = index.facets("category", principal=PUBLIC)
        start = max((int(name.removeprefix("round")) for name in known), default=-1) + 1
        for number in itertools.count(start):
            body = f"## One\n\nround{number} wheel\n\n## Two\n\nround{number} weir"
            index.upsert([document(f"p{n}", body=body, categories=[f"round{number}"]) for n in range(BATCH)])
            sys.stdout.write(f"{number}\n")
            sys.stdout.flush()


if __name__ == "__main__":
    main(sys.argv[1])
