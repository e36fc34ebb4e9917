"""A table of features that is filled column by column, each under its name."""

import numpy as np
from numpy.typing import NDArray

from contentbot.extract.blocks.layout import Floats


class Columns:
    """Named columns of the same height; a number stands for a column that is the same in every row."""

    def __init__(self, height: int) -> None:
        self.height = height
        self.names: list[str] = []
        self._columns: list[NDArray[np.generic] | float] = []

    def add(self, name: str, column: NDArray[np.generic] | float) -> None:
        """Add one column."""
        self.names.append(name)
        self._columns.append(column)

    def add_all(self, names: tuple[str, ...], table: NDArray[np.generic]) -> None:
        """Add the columns of a table."""
        self.names += names
        self._columns += list(table.T)

    def table(self) -> Floats:
        """Return all columns, in the order they were added."""
        table = np.empty((self.height, len(self._columns)), np.float32)
        for number, column in enumerate(self._columns):
            table[:, number] = column
        return table
