"""The settings of every entry point, read from the environment (`CONTENTBOT_*`), secrets included."""

import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, IPvAnyNetwork, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, NoDecode, SettingsConfigDict
from rapidfuzz import process

from contentbot.errors import ConfigError
from contentbot.resources import SOURCES, in_archive, shipped_folder

PREFIX = "CONTENTBOT_"
logger = logging.getLogger(__name__)


def _networks(value: Any) -> Any:
    """Take `a, b` for a list."""
    return [part.strip() for part in value.split(",") if part.strip()] if isinstance(value, str) else value


Networks = Annotated[list[IPvAnyNetwork], NoDecode, BeforeValidator(_networks)]

_warned_of: set[str] = set()  # once is enough, however often the settings are read


class Settings(BaseSettings):
    """What is configured outside of the source files; one environment variable for each, prefix `CONTENTBOT_`.

    Relative folders start from the project: the folder at or above the working directory that holds `scrapy.cfg`,
    else the checkout that this package lives in, else the working directory. A deployed egg has source files of its
    own, and takes those unless `sources_dir` is set.
    """

    model_config = SettingsConfigDict(env_prefix=PREFIX, frozen=True, extra="ignore", env_ignore_empty=True)

    sources_dir: Path = Field(Path("sources"), validate_default=True, description="The folder of the source files.")
    data_dir: Path = Field(Path("data"), validate_default=True, description="Where index, caches and runs are kept.")
    index_url: str = Field(
        "", description="The search index, or the address of a Meilisearch; default: `tantivy:<data_dir>/index`."
    )
    database_url: SecretStr = Field(
        SecretStr(""), description="Page state and runs; default: `sqlite:///<data_dir>/state.db`. PostgreSQL by URL."
    )
    index_key: SecretStr = Field(SecretStr(""), description="The engine's API key, where it wants one.")
    index_key_file: str = Field("", description="A file that holds the API key, in the place of the variable.")
    index_master_key: SecretStr = Field(
        SecretStr(""), description="Meilisearch's master key: for `contentbot keys`, and for nothing else."
    )
    index_prefix: str = Field("", description="What the names of Meilisearch's indexes begin with.")
    metrics_port: str = Field(
        "", pattern=r"^\d{0,5}$", description="Where /metrics is served while crawling; empty for nowhere."
    )
    metrics_host: str = Field("127.0.0.1", description="The address that /metrics is served on.")
    metrics_file: str = Field("", description="A file for node_exporter's textfile collector, written after each run.")
    fetch_allow_networks: Networks = Field(
        [], description="Networks that pages may be loaded from on demand although they are not public, as CIDR."
    )
    fetch_seconds: float = Field(
        20, gt=0, le=50, description="For a page on demand, robots.txt and redirects included."
    )
    fetch_max_bytes: int = Field(10 << 20, gt=0, description="Of a page on demand, as it comes and inflated.")
    fetch_rate: float = Field(2, ge=0, description="Requests a second to a host, on demand; 0 for no limit.")
    fetch_cache_seconds: float = Field(300, ge=0, description="How long a page is answered from memory; 0 never.")
    fetch_user_agent: str = Field(
        "", pattern=r"^[\x20-\x7e]*$", description="Who loads pages on demand; default: the crawler's name."
    )
    fetch_workers: int = Field(2, ge=1, le=64, description="Worker processes of extraction on demand.")
    browser: str = Field("", description="The Chromium that renders pages; default: the first one that is installed.")
    llm_url: str = Field(
        "", description="An OpenAI-compatible endpoint that writes summaries, such as http://127.0.0.1:11434/v1."
    )
    llm_model: str = Field("", description="The model's name there.")
    llm_key: SecretStr = Field(SecretStr(""), description="The endpoint's API key, where it wants one.")
    llm_timeout: float = Field(60.0, gt=0, le=3600, description="Seconds until an answer of the model is given up.")
    log_format: Literal["text", "json"] = Field("text", description="How is logged: `text`, or one JSON object a line.")
    log_level: str = Field("INFO", pattern="^(DEBUG|INFO|WARNING|ERROR)$", description="From which level on is logged.")

    @field_validator("sources_dir", "data_dir")
    @classmethod
    def _from_project(cls, folder: Path) -> Path:
        return project_root() / folder.expanduser()

    def model_post_init(self, _context: object) -> None:
        """Fill in what stands elsewhere: the embedded index's folder, an egg's own sources, the key in a file."""
        if "sources_dir" not in self.model_fields_set and in_archive():
            object.__setattr__(self, "sources_dir", shipped_folder(SOURCES))
        if not self.index_url:
            object.__setattr__(self, "index_url", f"tantivy:{self.data_dir / 'index'}")
        if self.index_key_file:
            object.__setattr__(self, "index_key", _key_in(Path(self.index_key_file)))

    @property
    def state_url(self) -> str:
        """The database of page state and runs; it may hold a password."""
        return self.database_url.get_secret_value() or state_file(self.data_dir)


def state_file(data_dir: Path) -> str:
    """Return the URL of the database that a data folder holds."""
    return f"sqlite:///{data_dir / 'state.db'}"


def _key_in(file: Path) -> SecretStr:
    try:
        return SecretStr(file.read_text(encoding="ascii").strip())
    except (OSError, ValueError) as error:
        problem = error.strerror if isinstance(error, OSError) else "it holds no key"
        hint = "`contentbot keys` makes keys"
        raise ConfigError(f"{file}: {problem}", key=f"{PREFIX}INDEX_KEY_FILE", hint=hint) from None


def get_settings() -> Settings:
    """Read the settings; a variable that looks like ours and is none is warned about.

    Raises:
        ConfigError: a value cannot be used; names the variable.
    """
    try:
        settings = Settings()
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        raise ConfigError(first["msg"], key=f"{PREFIX}{first['loc'][0]}".upper()) from error
    warn_of_unknown(os.environ, Settings, but=(f"{PREFIX}MCP_", f"{PREFIX}TEST_"))
    return settings


def warn_of_unknown(environment: Mapping[str, str], settings: type[BaseSettings], *, but: tuple[str, ...] = ()) -> None:
    """Log every variable with the prefix of a settings class that it does not read, with the nearest one.

    Args:
        but: longer prefixes that belong to other classes.
    """
    prefix = settings.model_config.get("env_prefix", "")
    known = [prefix + name.upper() for name in settings.model_fields]
    for name in sorted(environment):
        if name.startswith(prefix) and not name.startswith(but) and name not in known and name not in _warned_of:
            near = process.extractOne(name, known, score_cutoff=80)
            hint = f"did you mean {near[0]}?" if near else f"known: {', '.join(known)}"
            logger.warning("%s is no setting (%s)", name, hint)
            _warned_of.add(name)


def log_format() -> str:
    """Return how is logged, before any setting is read: what is wrong with the others is logged, too."""
    return "json" if os.environ.get(f"{PREFIX}LOG_FORMAT", "") == "json" else "text"


def project_root(start: Path | None = None) -> Path:
    """Return the folder that relative paths start from."""
    here = (start or Path.cwd()).resolve()
    checkout = Path(__file__).resolve().parent.parent
    for folder in (here, *here.parents, checkout):
        if (folder / "scrapy.cfg").is_file():
            return folder
    return here
