"""The quality gate: no page of ours may be read worse than before without somebody saying so."""

import pytest

from tests.quality.gate import ALLOWED, FOLDER, figures, kept_figures

PAGES = sorted(file.stem for file in FOLDER.glob("pages/*.html"))


@pytest.mark.parametrize("name", [*PAGES, "mean"])
def test_no_figure_drops(name: str) -> None:
    now, before = figures()[name], kept_figures()[name]
    assert now >= before - ALLOWED, (
        f"word F1 of {name} was {before:.4f} and is {now:.4f}; if that is the price of something better, write the new "
        "figures with `python -m tests.quality.gate --renew`"
    )


def test_every_page_has_a_figure_and_every_figure_a_page() -> None:
    assert set(kept_figures()) == {*PAGES, "mean"}
