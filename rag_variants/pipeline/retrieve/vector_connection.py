"""The connection to a Chroma server, and what goes wrong with it in words."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from rag_variants.errors import VectorStoreError
from rag_variants.settings import Settings

if TYPE_CHECKING:
    from chromadb.api import ClientAPI

NAME = "RAG_VARIANTS_CHROMA_URL"
OURS = "rag-variants-"  # what collections of this product begin with
PATIENCE = 10.0  # seconds for the first sign of life
LONGEST_REASON = 200  # characters of what a server says


def try_server(settings: Settings) -> str:
    """A remark about the server of the settings: where it is, and how many collections of this product it holds.

    Raises VectorStoreError for a server that cannot be used.
    """
    address = read_address(settings)
    client = connect(address, settings)
    with asking(address):
        ours = sum(each.name.startswith(OURS) for each in client.list_collections(limit=1_000))
    return f"{address}, {ours} collections of vectors"


def read_address(settings: Settings) -> str:
    """The server's address, `http(s)://host:port`. Raises VectorStoreError; the message does not repeat what was typed.

    Chroma's own port, 8000, is taken for http without one.
    """
    text = settings.chroma_url.get_secret_value().strip().rstrip("/") if settings.chroma_url else ""
    form = "Use the form http://HOST:PORT or https://HOST."
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise VectorStoreError(f"{NAME} is not an address. {form}") from None
    if "@" in parts.netloc or parts.query or parts.fragment:
        raise VectorStoreError(
            f"{NAME} holds more than an address. {form} A token has its own line, RAG_VARIANTS_CHROMA_TOKEN."
        )
    if parts.scheme not in ("http", "https") or not host:
        raise VectorStoreError(f"{NAME} is not a web address. {form}")
    port = port or (8000 if parts.scheme == "http" else None)
    name = f"[{host}]" if ":" in host else host
    return f"{parts.scheme}://{name}{f':{port}' if port else ''}{parts.path}"


def connect(address: str, settings: Settings) -> "ClientAPI":
    """A client of the server at an address that answers now, with the settings' token. Raises VectorStoreError."""
    import httpx

    token = settings.chroma_token.get_secret_value() if settings.chroma_token else ""
    headers = {"Authorization": f"Bearer {token}", "X-Chroma-Token": token} if token else {}
    with asking(address):
        sign = httpx.get(f"{address}/api/v2/heartbeat", headers=headers, timeout=PATIENCE)
    if sign.status_code in (401, 403):
        raise VectorStoreError(f"The Chroma server at {address} refuses us. Set or mend RAG_VARIANTS_CHROMA_TOKEN.")
    if not sign.is_success:
        raise VectorStoreError(
            f"What answers at {address} is no Chroma server (HTTP {sign.status_code}). Mend {NAME}, or take it away: "
            "without it vectors are searched in this process."
        )
    with asking(address):
        return _client(address, tuple(headers.items()))


@cache
def _client(address: str, headers: tuple[tuple[str, str], ...]) -> "ClientAPI":
    """One for the process: each keeps connections of its own."""
    import chromadb
    from chromadb.config import Settings as ChromaSettings

    settings = ChromaSettings(anonymized_telemetry=False)
    return chromadb.HttpClient(host=address, headers=dict(headers), settings=settings)


@contextmanager
def asking(address: str) -> Iterator[None]:
    """Around requests to the server. Raises VectorStoreError for what goes wrong with them."""
    import httpx
    from chromadb.errors import ChromaError

    try:
        yield
    except httpx.TransportError as error:
        raise VectorStoreError(
            f"The Chroma server at {address} does not answer ({type(error).__name__}). Start it, or take {NAME} away: "
            "without it vectors are searched in this process."
        ) from error
    except Exception as error:
        # the client wraps what it cannot read in a plain Exception
        if type(error) is not Exception and not isinstance(error, (ChromaError, ValueError)):
            raise
        raise VectorStoreError(
            f"The Chroma server at {address} refuses a request ({str(error)[:LONGEST_REASON]}). See its log; it has to "
            "be of version 1.x."
        ) from error
