"""Which endpoint a model spec means."""

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from pydantic import SecretStr

from rag_variants.errors import ModelError, unknown
from rag_variants.llm.address import FORM, begin_sentence, read_address
from rag_variants.llm.specs import is_chat_spec
from rag_variants.settings import EndpointSettings, Settings, TypedEndpoint

OPENAI = "openai"
OPENAI_URL = "https://api.openai.com/v1"
RESERVED = ("embedded", "recorded")
_FIELDS = {"base_url": "address", "api_key": "key", "max_tokens": "longest reply"}


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
    typed: bool = False  # on the Settings page, not in the environment

    def place(self, what: Literal["base_url", "api_key", "max_tokens"]) -> str:
        """Where one of its settings is set, for messages: `OPENAI_API_KEY`, or a field of the Settings page."""
        if self.typed:
            return f"the {_FIELDS[what]} of {self.name} on the Settings page"
        own = self.name == OPENAI and what != "max_tokens"  # its limits have no short name
        return ("OPENAI_" if own else f"RAG_VARIANTS_ENDPOINTS__{self.name.upper()}__") + what.upper()


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
            raise ModelError(
                f"{spec} needs a key. Set OPENAI_API_KEY, or OPENAI_BASE_URL for a server of your own; in the browser "
                f"the Settings page takes them too."
            )
        raise ModelError(
            f"{unknown('endpoint', name, [*known, OPENAI] if OPENAI not in known else known)} "
            f"Set RAG_VARIANTS_ENDPOINTS__{name.upper() or 'NAME'}__BASE_URL to use it; in the browser add it on the "
            f"Settings page."
        )
    if not model:
        raise ModelError(f"{spec!r} names no model. Use the form {name}:MODEL.")
    endpoint = make_endpoint(name, known[name])
    return replace(endpoint, concurrency=settings.concurrency or endpoint.concurrency), model


def make_endpoint(name: str, given: EndpointSettings) -> Endpoint:
    """The endpoint of what was typed in. Raises ModelError if its address or key cannot be used."""
    key = _clean(given.api_key)
    blank = Endpoint(name, OPENAI_URL, typed=isinstance(given, TypedEndpoint))
    if not _clean(given.base_url) and name != OPENAI:
        raise ModelError(f"{name} has no address. Set {blank.place('base_url')}, form {FORM}.")
    pasted = _clean(given.base_url) or SecretStr(OPENAI_URL)
    url, query = read_address(pasted.get_secret_value(), blank.place("base_url"))
    if key and not (key.get_secret_value().isascii() and key.get_secret_value().isprintable()):
        raise ModelError(f"{begin_sentence(blank.place('api_key'))} holds letters that no key has. Copy it again.")
    if key is None and url == OPENAI_URL:
        raise ModelError(f"{name} needs a key. Set {blank.place('api_key')}.")
    limits = given.model_dump(exclude={"base_url", "api_key"})
    return Endpoint(name, url, tuple(sorted(query.items())), key, **limits, typed=blank.typed)


def with_endpoints(settings: Settings, own: Mapping[str, EndpointSettings]) -> Settings:
    """Settings in which endpoints of one's own, by name in lower case, take the place of those called alike.

    They do so whole: a key of the environment never goes to an address that somebody else typed.
    """
    others = {name: given for name, given in settings.endpoints.items() if name.lower() not in own}
    changes: dict[str, object] = {"endpoints": others | dict(own)}
    if OPENAI in own:
        changes |= {"openai_base_url": None, "openai_api_key": None}
    return settings.model_copy(update=changes)


def deciding_parts(spec: str, settings: Settings) -> tuple[Hashable, ...]:
    """What of a spec's endpoint decides its replies: address, query, model, parameters; never the key.

    () for a spec of no endpoint, and for one that cannot be used.
    """
    if not is_chat_spec(spec):
        return ()
    try:
        endpoint, model = find_endpoint(spec, settings)
    except ModelError:
        return ()
    return (endpoint.url, endpoint.query, model, endpoint.temperature, endpoint.max_tokens)


def _clean(value: SecretStr | None) -> SecretStr | None:
    """None for a missing or blank value, else the value without blanks around it."""
    text = value.get_secret_value().strip() if value else ""
    return SecretStr(text) if text else None
