from pydantic import BaseModel, Field

from mcp_server.schemas import portable


class Stone(BaseModel):
    title: str = Field(description="Its name.")
    weight: int


class Mill(BaseModel):
    stones: list[Stone] = Field(description="All of them.")
    best: Stone


def test_definitions_are_inlined_and_generated_titles_removed():
    stone = {
        "type": "object",
        "properties": {"title": {"type": "string", "description": "Its name."}, "weight": {"type": "integer"}},
        "required": ["title", "weight"],
    }

    assert portable(Mill.model_json_schema()) == {
        "type": "object",
        "properties": {
            "stones": {"type": "array", "items": stone, "description": "All of them."},
            "best": stone,
        },
        "required": ["stones", "best"],
    }
