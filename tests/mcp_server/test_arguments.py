import pytest
from mcp.server.mcpserver.exceptions import ToolError
from pydantic import create_model

from mcp_server.arguments import clean

FIELDS = create_model("Arguments", query=(str, ...), source=(str, ""), limit=(int, 10)).model_fields


def test_null_blank_and_the_word_null_count_as_not_given():
    assert clean("tool", {"query": "mill", "source": None, "limit": ""}, FIELDS) == {"query": "mill"}
    assert clean("tool", {"query": "mill", "source": "null", "limit": " None "}, FIELDS) == {"query": "mill"}


def test_a_required_text_may_be_the_word_null():
    assert clean("tool", {"query": "null"}, FIELDS) == {"query": "null"}


def test_a_list_of_one_value_is_that_value():
    assert clean("tool", {"query": ["mill"]}, FIELDS) == {"query": "mill"}


@pytest.mark.parametrize(
    ("wrong", "right"),
    [("sorce", "source"), ("Query", "query"), ("q", "query"), ("max_results", "limit"), ("lim", "limit")],
)
def test_an_unknown_parameter_is_refused_with_the_nearest_one(wrong, right):
    with pytest.raises(ToolError, match=f"no parameter '{wrong}'; did you mean '{right}'"):
        clean("tool", {"query": "mill", wrong: "x"}, FIELDS)


def test_a_parameter_near_to_none_is_refused_with_all_there_are():
    with pytest.raises(ToolError, match="It takes: query, source, limit"):
        clean("tool", {"query": "mill", "zzz": 1}, FIELDS)


def test_an_unknown_parameter_without_a_value_is_not_given_either():
    assert clean("tool", {"query": "mill", "zzz": None}, FIELDS) == {"query": "mill"}
