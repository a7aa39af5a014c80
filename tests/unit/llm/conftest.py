from collections.abc import Callable
from typing import Any

import pytest
from pydantic import SecretStr

from rag_variants.llm.cached_replies import CachedReplies
from rag_variants.llm.chat import Message
from rag_variants.llm.dispatcher import Dispatcher
from rag_variants.llm.endpoint import make_endpoint
from rag_variants.llm.endpoint_chat import Desk, EndpointChat
from rag_variants.settings import EndpointSettings
from tests.ticking_clock import TickingClock

KEY = "sk-hidden-0123456789"


@pytest.fixture
def clock():
    return TickingClock()


@pytest.fixture
def connect(tmp_path, clock) -> Callable[..., EndpointChat]:
    """Opens a chat model at an address, with a dispatcher of its own and a store per test."""

    def open_model(url: str, model: str = "judge-prod", name: str = "stub", **limits: Any) -> EndpointChat:
        given = EndpointSettings(base_url=SecretStr(url), api_key=SecretStr(KEY), **limits)
        endpoint = make_endpoint(name, given)
        kept = CachedReplies(tmp_path, lambda: tmp_path, 10_000_000)
        return EndpointChat(f"{name}:{model}", endpoint, model, Dispatcher(endpoint, clock), Desk(kept))

    return open_model


def say(text: str) -> list[Message]:
    return [Message("user", text)]
