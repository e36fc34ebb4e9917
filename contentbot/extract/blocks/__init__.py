"""Main content without a selector: a classifier of a page's blocks that minds what kind of page it is.

    tree -> blocks (walk, rows) -> votes of two extractors -> features -> page model -> two stages of trees
         -> the set of the highest expected F1 -> the tree pruned to it

The tree is parsed once and walked once; Markdown is made of what is left of that same tree.
"""

from contentbot.extract.blocks.hints import Hints, read_hints
from contentbot.extract.blocks.main import MainPart, find_main_part

__all__ = ["Hints", "MainPart", "find_main_part", "read_hints"]
