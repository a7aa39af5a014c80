"""The bytes of one attempt: a bare client without retries of its own."""

import asyncio
import time
import weakref
from collections.abc import Mapping
from functools import cached_property
from typing import Any
from urllib.parse import urlsplit

import openai

from rag_variants.errors import CallError
from rag_variants.llm.endpoint import Endpoint
from rag_variants.llm.waiting import send_off

NO_KEY = "none"  # the client insists on a key, a local server does not look at it


class Wire:
    """Posts to one endpoint. A client's connections belong to the event loop that opened them: the one of all calls."""

    def __init__(self, endpoint: Endpoint) -> None:
        self._endpoint = endpoint

    async def post(self, path: str, body: Mapping[str, Any]) -> tuple[bytes, float]:
        """The body of the answer and the seconds it took.

        Raises what the client raises, TimeoutError, or CallError where there can be no client.
        """
        client = self._client
        begun = time.perf_counter()
        async with asyncio.timeout(self._endpoint.timeout):  # the client's own limit begins anew with every byte
            content = await client.post(path, cast_to=bytes, body=dict(body))
        return content, time.perf_counter() - begun

    async def get(self, path: str) -> bytes:
        """The body of the answer. Raises as `post`."""
        client = self._client
        async with asyncio.timeout(self._endpoint.timeout):
            return await client.get(path, cast_to=bytes)

    @cached_property
    def _client(self) -> openai.AsyncOpenAI:
        endpoint = self._endpoint
        key = endpoint.key.get_secret_value() if endpoint.key else NO_KEY
        azure = (urlsplit(endpoint.url).hostname or "").endswith(".azure.com")
        try:
            client = openai.AsyncOpenAI(
                api_key=key,
                base_url=endpoint.url,
                default_query=dict(endpoint.query),
                default_headers={"api-key": key} if azure else None,
                timeout=endpoint.timeout,
                max_retries=0,
            )
        except OSError as error:  # the client reads the certificates that it trusts before its first call
            raise CallError(
                f"The certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read ({type(error).__name__}). "
                "Name a file of certificates in PEM form there.",
                "certificate",
            ) from None
        weakref.finalize(self, _close, client).atexit = False  # the loop would hold its connections for ever
        return client


def _close(client: openai.AsyncOpenAI) -> None:
    send_off(client.close())
