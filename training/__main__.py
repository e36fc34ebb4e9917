"""Train the classifier of blocks anew.

    python -m training SET… [--output contentbot/extract/blocks/model.npz] [--folds-to FOLDER]

Needs the extra `train`. A SET is a folder as `benchmarks/extraction.py` describes it; pages of a site are never in two
folds. The same sets give the same model, byte for byte. With `--folds-to` the models of the cross-validation are kept,
for `benchmarks/extraction.py SET… --folds N --models FOLDER`.
"""

import argparse
import tempfile
from pathlib import Path

from contentbot.extract.blocks.model import SHIPPED
from training.examples import read_set
from training.recipe import cross_validate, finish


def main() -> None:
    """Train on the sets that the command names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sets", nargs="+", type=Path, metavar="SET")
    parser.add_argument("--output", type=Path, default=SHIPPED)
    parser.add_argument("--folds", type=int, default=4)
    parser.add_argument("--folds-to", type=Path, metavar="FOLDER")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--cache", type=Path, default=Path(tempfile.gettempdir()) / "contentbot-training")
    given = parser.parse_args()
    examples = [example for folder in given.sets for example in read_set(folder, given.cache, given.workers)]
    trained = cross_validate(examples, given.folds, given.workers)
    if given.folds_to:
        given.folds_to.mkdir(parents=True, exist_ok=True)
        for number, model in enumerate(trained.models):
            model.save(given.folds_to / f"fold{number}.npz")
    finish(trained, given.workers).save(given.output)


if __name__ == "__main__":
    main()
