"""A tool of this server: closed arguments in, errors that a model can act on out."""

import logging
from typing import Any

from mcp.server.mcpserver import Context
from mcp.server.mcpserver.exceptions import ToolError, UnexpectedToolError
from mcp.server.mcpserver.tools import Tool
from mcp.server.mcpserver.utilities.func_metadata import ArgModelBase
from mcp_types import ToolAnnotations
from pydantic import ConfigDict, ValidationError

from contentbot.errors import ContentBotError, EngineUnavailable, NotFound, StateUnavailable
from mcp_server.arguments import clean, explain
from mcp_server.narrowing import missing
from mcp_server.schemas import portable

logger = logging.getLogger(__name__)

READ_ONLY = ToolAnnotations(read_only_hint=True, destructive_hint=False, idempotent_hint=True, open_world_hint=False)


class ReadTool(Tool):
    """A tool that only reads. The SDK's own checks its arguments and runs its function in a worker thread.

    Errors of this project are translated here, once for every tool; whatever else a function raises stays masked.
    """

    @classmethod
    def reading(cls, fn: Any, *, title: str, description: str, open_world: bool = False) -> "ReadTool":
        """Create the tool of a function; its parameters carry their descriptions, its return type the output model.

        Args:
            open_world: it speaks to hosts that a caller names.
        """
        annotations = READ_ONLY.model_copy(update={"open_world_hint": open_world})
        tool = cls.from_function(fn, title=title, description=description, annotations=annotations)
        assert isinstance(tool, cls)  # noqa: S101 - from_function is typed as the base class
        tool.parameters = {**portable(tool.parameters), "additionalProperties": False}
        tool.fn_metadata.arg_model = _lenient(tool.fn_metadata.arg_model)
        if tool.fn_metadata.output_schema:
            tool.fn_metadata.output_schema = portable(tool.fn_metadata.output_schema)
        return tool

    async def run(self, arguments: dict[str, Any], context: Context[Any, Any], convert_result: bool = False) -> Any:
        """Run the tool.

        Raises:
            ToolError: with the whole message that the model sees.
        """
        given = clean(self.name, arguments, self.fn_metadata.arg_model.model_fields)
        try:
            return await super().run(given, context, convert_result)
        except UnexpectedToolError as error:
            if not isinstance(error.__cause__, ContentBotError):
                raise
            raise ToolError(_words(self.name, error.__cause__)) from error.__cause__
        except ToolError as error:
            raise ToolError(_words(self.name, error.__cause__ or error)) from error.__cause__


def _lenient(model: type[ArgModelBase]) -> type[ArgModelBase]:
    class Arguments(model):  # type: ignore[valid-type,misc]  # a base that is known at run time only
        model_config = ConfigDict(coerce_numbers_to_str=True)

    return Arguments


def _words(tool: str, cause: BaseException) -> str:
    """Return what a model should read about a failure that was to be expected."""
    match cause:
        case ValidationError():
            return explain(tool, cause)
        case EngineUnavailable():
            logger.warning("%s: %s", tool, cause)
            return f"the search index cannot be read at the moment ({cause}); try again in a few seconds"
        case StateUnavailable():
            # where the records are kept is for the operator to know
            logger.warning("%s: %s", tool, cause)
            return "what the crawler has recorded cannot be read at the moment; the server's log says why"
        case NotFound():
            return missing(cause)
        case _:
            return str(cause)
