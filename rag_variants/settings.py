"""What the environment decides: where state lives. Keys stay in the environment or the session, never in a file."""

import os
from pathlib import Path

from platformdirs import user_data_path
from pydantic import Field
from pydantic_settings import BaseSettings, SettingsConfigDict

from rag_variants.errors import StateError


class Settings(BaseSettings):
    """Settings read from the environment and from `.env` in the working folder, prefix `RAG_VARIANTS_`."""

    model_config = SettingsConfigDict(env_prefix="RAG_VARIANTS_", env_file=".env", extra="ignore")

    home: Path = Field(default_factory=lambda: user_data_path("rag-variants", appauthor=False))

    def state_folder(self) -> Path:
        """The folder for kept vectors and runs, made if need be. Raises StateError if it cannot be written."""
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
