"""Base URLs in the forms people paste them."""

import re
from urllib.parse import parse_qsl, urlsplit

from rag_variants.errors import ModelError

_CALLS = re.compile(r"/+(chat/completions|completions|embeddings|models|responses)/*$")
_OPEN_QUERY = {"api-version"}  # what may stand in an address; anything else there may be a key
_LOCAL = re.compile(r"(localhost|127\.\d+\.\d+\.\d+|\[::1\]|10\.\d+\.\d+\.\d+|192\.168\.\d+\.\d+)(:|/|$)")
FORM = "https://HOST/v1"


def read_address(pasted: str, place: str) -> tuple[str, dict[str, str]]:
    """The base URL without trailing slash, and its query (`api-version`), from what was pasted at `place`.

    A missing scheme is added (http on this computer or a private network, else https), the path of a single call is
    taken off, and a bare host gets `/v1`. Raises ModelError for what is no address, and for one that holds a key: the
    message does not repeat it.
    """
    text = pasted.strip().strip("\"'<>").strip()
    begin = begin_sentence(place)
    if "://" not in text:
        text = ("http://" if _LOCAL.match(text) else "https://") + text
    try:
        parts = urlsplit(text)
        host, port = parts.hostname, parts.port
    except ValueError:
        raise ModelError(f"{begin} is not an address. Use the form {FORM}.") from None
    if "@" in parts.netloc:
        raise ModelError(f"{begin} holds a user name or password. Take it out and give the key as API_KEY instead.")
    if parts.scheme.lower() not in ("http", "https") or not host or re.search(r"\s", text):
        raise ModelError(f"{begin} is not a web address. Use the form {FORM}.")
    query = dict(parse_qsl(parts.query))
    if unknown := sorted(query.keys() - _OPEN_QUERY):
        raise ModelError(
            f"{begin} has {', '.join(unknown)} after its question mark. Take it out; a key is given as API_KEY instead."
        )
    name = f"[{host}]" if ":" in host else host
    path = _CALLS.sub("", parts.path).rstrip("/")
    return f"{parts.scheme.lower()}://{name}{f':{port}' if port else ''}{path or '/v1'}", query


def begin_sentence(place: str) -> str:
    """A place, such as `the address of mine`, as the beginning of a sentence."""
    return place[:1].upper() + place[1:]
