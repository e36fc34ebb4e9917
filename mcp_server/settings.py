"""What an operator can set about the server, by `CONTENTBOT_MCP_*` in the environment or an option of the command."""

import os
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, ValidationError
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict

from contentbot.config import warn_of_unknown
from contentbot.errors import ConfigError

PREFIX = "CONTENTBOT_MCP_"


def _listed(value: Any) -> Any:
    """Take `a, b` for a list."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


Toolset = Literal["content", "extraction"]
Names = Annotated[list[str], NoDecode, BeforeValidator(_listed)]


class ServerSettings(BaseSettings):
    """How the HTTP endpoint is served."""

    model_config = SettingsConfigDict(env_prefix=PREFIX, extra="ignore", frozen=True, env_ignore_empty=True)

    host: str = "127.0.0.1"
    """Address to listen on; 0.0.0.0 for every interface."""

    port: int = Field(default=8000, ge=0, le=65535)
    """Port to listen on; 0 lets the system choose."""

    allowed_hosts: Names = []
    """Names under which clients reach the server, comma separated, beside localhost; `*` for any.

    A name with a port stands for that port only. A request for another name is refused (421): a web page could have
    had its own name point here.
    """

    allowed_origins: Names = []
    """Origins of web pages that may call, comma separated, beside localhost and the allowed hosts; `*` for any."""

    toolsets: Annotated[list[Toolset], NoDecode, BeforeValidator(_listed)] = ["content", "extraction"]
    """What is served over HTTP: `content` at `/mcp`, `extraction` at `/extract`."""

    max_body_bytes: int = Field(default=1 << 20, gt=0)
    """Largest request body, in bytes; a larger one is answered 413."""

    shutdown_seconds: int = Field(default=10, ge=0)
    """How long running calls may take to finish after SIGTERM."""

    allow_write_key: bool = False
    """Serve even with a key that may write to the index."""

    log_level: Literal["DEBUG", "INFO", "WARNING", "ERROR"] = "INFO"
    """What goes to stderr."""


def server_settings(**given: Any) -> ServerSettings:
    """Read the settings; what is given goes before the environment.

    Raises:
        ConfigError: a value cannot be used; names the variable.
    """
    try:
        settings = ServerSettings(**given)
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise ConfigError(first["msg"], key=f"{PREFIX}{first['loc'][0]}".upper()) from error
    warn_of_unknown(os.environ, ServerSettings)
    return settings
