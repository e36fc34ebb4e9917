from hypothesis import given
from hypothesis import strategies as st

from mcp_server.paging import page_end
from mcp_server.tokens import tokens

PARAGRAPH = "The wheel turns slowly in the morning and the river is high.\n\n"
CODE = "```python\nfor stone in stones:\n    grind(stone)\n\n    rest()\n```\n\n"


def pages(body: str, size: int, budget: int = 10_000) -> list[str]:
    result, at = [], 0
    while at < len(body):
        end = page_end(body, at, size, budget)
        result.append(body[at:end])
        at = end
    return result


@given(
    st.lists(
        st.sampled_from([PARAGRAPH, CODE, "# Head\n", "~~~\n", "```\n", "word ", "x" * 90, "粉屋。", "\n"]), max_size=60
    ),
    st.integers(min_value=1, max_value=400),
    st.integers(min_value=1, max_value=200),
)
def test_pages_in_a_row_are_the_body_exactly(parts, size, budget):
    body = "".join(parts)

    got = pages(body, size, budget)

    assert "".join(got) == body
    assert all(0 < len(page) <= size for page in got)


def test_a_page_ends_after_a_paragraph():
    got = pages(PARAGRAPH * 20, 300)

    assert all(page.endswith("\n\n") for page in got)


def test_a_page_ends_before_a_code_block_rather_than_inside():
    body = PARAGRAPH * 3 + CODE + PARAGRAPH

    first = pages(body, len(PARAGRAPH * 3) + 40)[0]

    assert first == PARAGRAPH * 3


def test_a_blank_line_inside_of_code_is_no_place_to_end():
    body = CODE * 6

    for page in pages(body, len(CODE) + 30):
        assert page.count("```") % 2 == 0


def test_a_code_block_longer_than_a_page_is_cut_between_its_lines():
    body = "```\n" + "stone = grind(stone)\n" * 100 + "```\n"

    assert all(page.endswith("\n") for page in pages(body, 250))


def test_one_endless_word_is_cut_all_the_same():
    assert pages("x" * 1000, 300) == ["x" * 300, "x" * 300, "x" * 300, "x" * 100]


def test_a_script_that_costs_more_tokens_gets_shorter_pages():
    body = "水車は朝ゆっくり回る。\n\n" * 400

    got = pages(body, 4000, budget=1000)

    assert all(tokens(page) <= 1000 for page in got)
    assert len(got[0]) < 4000
