"""Which endpoint a model spec means."""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from pydantic import SecretStr

from rag_variants.errors import ModelError, unknown
from rag_variants.models.address import FORM, read_address
from rag_variants.settings import EndpointSettings, Settings

OPENAI = "openai"
OPENAI_URL = "https://api.openai.com/v1"
RESERVED = ("embedded", "recorded")


@dataclass(frozen=True, slots=True)
class Endpoint:
    """An OpenAI-compatible server with its limits. Its repr holds no key."""

    name: str
    url: str
    query: tuple[tuple[str, str], ...] = ()
    key: SecretStr | None = field(default=None, repr=False)
    temperature: float = 0.0
    max_tokens: int | None = None
    concurrency: int = 16
    timeout: float = 120.0
    attempts: int = 10

    @property
    def variable(self) -> str:
        """How its settings begin in the environment: OPENAI_, or RAG_VARIANTS_ENDPOINTS__NAME__."""
        return "OPENAI_" if self.name == OPENAI else f"RAG_VARIANTS_ENDPOINTS__{self.name.upper()}__"


def known_endpoints(settings: Settings) -> Mapping[str, EndpointSettings]:
    """What is configured, by name in lower case; `openai` only with a key or an address."""
    known = {name.lower(): given for name, given in settings.endpoints.items()}
    if settings.openai_api_key or settings.openai_base_url or OPENAI in known:
        given = known.get(OPENAI, EndpointSettings())
        filled = {"api_key": given.api_key or settings.openai_api_key}
        known[OPENAI] = given.model_copy(update=filled | {"base_url": given.base_url or settings.openai_base_url})
    return known


def find_endpoint(spec: str, settings: Settings) -> tuple[Endpoint, str]:
    """The endpoint and the model of `openai:MODEL` or `NAME:MODEL`. Raises ModelError if either cannot be used."""
    name, _, model = (part.strip() for part in spec.partition(":"))
    name = name.lower()
    known = known_endpoints(settings)
    if name not in known or name in RESERVED:
        if name == OPENAI:
            raise ModelError(f"{spec} needs a key. Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own.")
        raise ModelError(
            f"{unknown('endpoint', name, [*known, OPENAI] if OPENAI not in known else known)} "
            f"Set RAG_VARIANTS_ENDPOINTS__{name.upper() or 'NAME'}__BASE_URL to use it."
        )
    if not model:
        raise ModelError(f"{spec!r} names no model. Use the form {name}:MODEL.")
    endpoint = make_endpoint(name, known[name])
    return replace(endpoint, concurrency=settings.concurrency or endpoint.concurrency), model


def make_endpoint(name: str, given: EndpointSettings) -> Endpoint:
    """The endpoint of what was typed in. Raises ModelError if its address or key cannot be used."""
    key = _clean(given.api_key)
    if not _clean(given.base_url) and name != OPENAI:
        raise ModelError(f"{name} has no address. Set RAG_VARIANTS_ENDPOINTS__{name.upper()}__BASE_URL, form {FORM}.")
    blank = Endpoint(name, OPENAI_URL)
    pasted = _clean(given.base_url) or SecretStr(OPENAI_URL)
    url, query = read_address(pasted.get_secret_value(), f"{blank.variable}BASE_URL")
    if key and not (key.get_secret_value().isascii() and key.get_secret_value().isprintable()):
        raise ModelError(f"{blank.variable}API_KEY holds letters that no key has. Copy it again.")
    if key is None and url == OPENAI_URL:
        raise ModelError(f"{name} needs a key. Set {blank.variable}API_KEY.")
    limits = given.model_dump(exclude={"base_url", "api_key"})
    return Endpoint(name, url, tuple(sorted(query.items())), key, **limits)


def _clean(value: SecretStr | None) -> SecretStr | None:
    """None for a missing or blank value, else the value without blanks around it."""
    text = value.get_secret_value().strip() if value else ""
    return SecretStr(text) if text else None
