"""What the environment decides: state folder, endpoints. Keys stay in the environment or the session."""

import os
from datetime import date, datetime
from pathlib import Path
from typing import Any
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

from platformdirs import user_data_path
from pydantic import AliasChoices, BaseModel, ConfigDict, Field, SecretStr, ValidationError, field_validator
from pydantic_settings import BaseSettings, SettingsConfigDict, SettingsError

from rag_variants.errors import ModelError, StateError


class EndpointSettings(BaseModel):
    """One OpenAI-compatible endpoint as it was typed in. `timeout` in seconds, for one attempt.

    A limit's title, description and bounds are what screens show of it.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)

    base_url: SecretStr | None = None  # secret until it has been read: people paste keys into addresses
    api_key: SecretStr | None = None
    temperature: float = Field(
        default=0.0,
        ge=0,
        le=2,
        title="Temperature",
        description="0 asks for the likeliest reply, so that runs can be compared. It holds for judging; an answerer "
        "has a temperature of its own among its variant's settings.",
    )
    max_tokens: int | None = Field(
        default=None,
        ge=1,
        title="Longest reply (max_tokens)",
        description="Tokens after which the server cuts a reply off. Empty: the server decides. A reply that was cut "
        "is not scored, so leave room.",
    )
    concurrency: int = Field(
        default=16,
        ge=1,
        le=512,
        title="Calls at once (concurrency)",
        description="More are faster as far as the server keeps up. A local server with one model is often best at 1 "
        "to 4.",
    )
    timeout: float = Field(
        default=120.0,
        gt=0,
        le=3600,
        title="Patience (timeout, seconds)",
        description="How long one attempt may take before it counts as failed. A local model that is loaded first "
        "takes its time.",
    )
    attempts: int = Field(
        default=10,
        ge=1,
        le=100,
        title="Attempts",
        description="How often a call is tried when what failed can pass: a rate limit, an overloaded server, a "
        "dropped connection.",
    )


class TypedEndpoint(EndpointSettings):
    """One that was typed on the Settings page: what is wrong with it is mended there."""


class Settings(BaseSettings):
    """Settings read from the environment and from `.env` in the working folder, prefix `RAG_VARIANTS_`.

    Endpoints: `OPENAI_BASE_URL` and `OPENAI_API_KEY` for the one called openai, for others
    `RAG_VARIANTS_ENDPOINTS__NAME__BASE_URL` and so on. Raises ModelError for a value that cannot be used; the message
    does not repeat it.
    """

    model_config = SettingsConfigDict(
        env_prefix="RAG_VARIANTS_",
        env_nested_delimiter="__",
        env_file=".env",
        extra="ignore",
        hide_input_in_errors=True,
        populate_by_name=True,
    )

    home: Path = Field(default_factory=lambda: user_data_path("rag-variants", appauthor=False))
    endpoints: dict[str, EndpointSettings] = Field(default_factory=dict)
    openai_base_url: SecretStr | None = Field(default=None, validation_alias=AliasChoices("OPENAI_BASE_URL"))
    openai_api_key: SecretStr | None = Field(default=None, validation_alias=AliasChoices("OPENAI_API_KEY"))
    replies_megabytes: int = Field(default=1_000, ge=1)
    concurrency: int | None = Field(default=None, ge=1, le=512)  # of every endpoint, in place of each one's own
    runs_kept: int = Field(default=200, ge=1)
    time_zone: str = "UTC"  # where the day begins that decides which documents are current
    chroma_url: SecretStr | None = None  # a Chroma server for all vectors; secret until it has been read
    chroma_token: SecretStr | None = None

    def __init__(self, **values: Any) -> None:
        try:
            super().__init__(**values)
        except ValidationError as error:
            first = error.errors(include_input=False, include_url=False)[0]
            name = "__".join(str(part) for part in first["loc"]).upper()
            name = name if name.startswith("OPENAI") else f"RAG_VARIANTS_{name}"
            reason = first["msg"].removeprefix("Value error, ")
            raise ModelError(f"{name} cannot be used: {reason}. Mend it in the environment or in .env.") from None
        except SettingsError:
            raise ModelError(
                "RAG_VARIANTS_ENDPOINTS is not readable. Use RAG_VARIANTS_ENDPOINTS__NAME__BASE_URL and so on instead."
            ) from None

    @field_validator("time_zone")
    @classmethod
    def _known_zone(cls, name: str) -> str:
        try:
            ZoneInfo(name)
        except (ZoneInfoNotFoundError, ValueError, OSError):
            raise ValueError(f"{name[:40]!r} is no time zone; write one such as Europe/Warsaw or UTC") from None
        return name

    def today(self) -> date:
        """The day it is in the time zone set, by which documents are current or not."""
        return datetime.now(ZoneInfo(self.time_zone)).date()

    def state_folder(self) -> Path:
        """The folder for kept vectors, replies and runs, made if need be. Raises StateError if it cannot be written."""
        try:
            self.home.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StateError(
                f"The state folder {self.home} cannot be made ({error.strerror}). "
                f"Set RAG_VARIANTS_HOME to a folder you may write to."
            ) from error
        if not os.access(self.home, os.W_OK):
            raise StateError(
                f"The state folder {self.home} cannot be written. Set RAG_VARIANTS_HOME to a folder you may write to."
            )
        return self.home


def packaged(name: str) -> Path:
    """A file or folder that comes with the product: beside the package in a checkout, inside it in a wheel.

    Raises StateError if the installation lacks it.
    """
    package = Path(__file__).parent
    for place in (package / name, package.parent / name):
        if place.exists():
            return place
    raise StateError(f"This installation lacks its {name}. Install rag-variants again.")
