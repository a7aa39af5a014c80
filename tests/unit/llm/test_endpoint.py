import pytest
from pydantic import SecretStr

from rag_variants.errors import ModelError
from rag_variants.llm.address import read_address
from rag_variants.llm.endpoint import OPENAI_URL, deciding_parts, find_endpoint, known_endpoints, with_endpoints
from rag_variants.settings import EndpointSettings, Settings, TypedEndpoint

PLACES = ("OPENAI_BASE_URL", "OPENAI_API_KEY")


@pytest.fixture(autouse=True)
def _bare(monkeypatch, tmp_path):
    monkeypatch.chdir(tmp_path)
    for name in PLACES:
        monkeypatch.delenv(name, raising=False)


@pytest.mark.parametrize(
    "pasted",
    [
        "http://127.0.0.1:8000",
        "http://127.0.0.1:8000/",
        "http://127.0.0.1:8000/v1/",
        "http://127.0.0.1:8000/v1/chat/completions",
        "http://127.0.0.1:8000/v1/embeddings/",
        "127.0.0.1:8000/v1",
        "127.0.0.1:8000",
        " http://127.0.0.1:8000/v1 ",
        '"http://127.0.0.1:8000/v1"',
        "HTTP://127.0.0.1:8000/v1#top",
    ],
)
def test_every_form_people_paste_is_the_same_address(pasted):
    assert read_address(pasted, "X") == ("http://127.0.0.1:8000/v1", {})


@pytest.mark.parametrize(
    ("pasted", "url"),
    [
        ("api.example.com", "https://api.example.com/v1"),
        ("localhost:11434", "http://localhost:11434/v1"),
        ("https://example.com/gateway/openai", "https://example.com/gateway/openai"),
        ("https://example.com/api/v3/chat/completions", "https://example.com/api/v3"),
        ("http://[::1]:8080", "http://[::1]:8080/v1"),
    ],
)
def test_a_scheme_is_added_and_a_path_is_kept(pasted, url):
    assert read_address(pasted, "X")[0] == url


def test_the_version_of_azure_stays_in_the_query():
    pasted = "https://me.openai.azure.com/openai/deployments/judge/chat/completions?api-version=2024-10-21"
    assert read_address(pasted, "X") == (
        "https://me.openai.azure.com/openai/deployments/judge",
        {"api-version": "2024-10-21"},
    )


@pytest.mark.parametrize(
    "pasted",
    [
        "https://user:sk-hidden@example.com/v1",
        "https://sk-hidden@example.com",
        "https://example.com/v1?api-key=sk-hidden",
        "ftp://sk-hidden.com",
        "https://sk hidden",
        "http://sk-hidden:port/v1",
        "",
    ],
)
def test_an_address_that_cannot_be_used_is_refused_and_not_repeated(pasted):
    with pytest.raises(ModelError) as caught:
        read_address(pasted, "OPENAI_BASE_URL")
    assert "OPENAI_BASE_URL" in str(caught.value)
    assert "hidden" not in str(caught.value)


def test_endpoints_come_from_the_environment(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", " sk-one ")
    monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__LOCAL__BASE_URL", "localhost:11434")
    monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__LOCAL__CONCURRENCY", "2")
    monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__OPENAI__TEMPERATURE", "0.5")
    settings = Settings(home=tmp_path)
    assert set(known_endpoints(settings)) == {"local", "openai"}
    local, model = find_endpoint("Local:llama3.2:3b", settings)
    assert (local.url, local.concurrency, local.key, model) == ("http://localhost:11434/v1", 2, None, "llama3.2:3b")
    openai, _ = find_endpoint("openai:gpt-4o-mini", settings)
    assert (openai.url, openai.temperature, openai.key) == (OPENAI_URL, 0.5, SecretStr("sk-one"))


@pytest.mark.parametrize(
    ("spec", "word"),
    [
        ("openai:gpt-4o", "OPENAI_API_KEY"),
        ("lokal:x", "Did you mean local"),
        ("local:", "names no model"),
        ("bare:x", "has no address"),
        ("umlaut:x", "letters that no key has"),
    ],
)
def test_what_is_missing_is_named(spec, word, tmp_path):
    given = {
        "local": EndpointSettings(base_url=SecretStr("localhost")),
        "bare": EndpointSettings(),
        "umlaut": EndpointSettings(base_url=SecretStr("localhost"), api_key=SecretStr("sk-ü")),
    }
    with pytest.raises(ModelError, match=word):
        find_endpoint(spec, Settings(home=tmp_path, endpoints=given))


def test_no_key_is_shown(monkeypatch, tmp_path):
    monkeypatch.setenv("OPENAI_API_KEY", "sk-hidden")
    monkeypatch.setenv("OPENAI_BASE_URL", "localhost")
    monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__LOCAL__BASE_URL", "http://me:sk-hidden@localhost")
    monkeypatch.setenv("RAG_VARIANTS_ENDPOINTS__LOCAL__API_KEY", "sk-hidden")
    settings = Settings(home=tmp_path)
    endpoint, _ = find_endpoint("openai:x", settings)
    assert "hidden" not in f"{settings!r} {settings} {endpoint!r} {known_endpoints(settings)!r}"


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("RAG_VARIANTS_ENDPOINTS__LOCAL__CONCURRENCY", "hidden"),
        ("RAG_VARIANTS_ENDPOINTS", "sk-hidden"),
        ("RAG_VARIANTS_ENDPOINTS__LOCAL", "sk-hidden"),
    ],
)
def test_a_setting_that_cannot_be_read_is_named_and_not_repeated(monkeypatch, name, value):
    monkeypatch.setenv(name, value)
    with pytest.raises(ModelError, match=name) as caught:
        Settings()
    assert "hidden" not in str(caught.value)


def typed(url, key=None, **limits):
    return TypedEndpoint(base_url=SecretStr(url), api_key=SecretStr(key) if key else None, **limits)


def test_an_endpoint_of_ones_own_takes_the_whole_place_of_the_one_called_alike():
    """A key of the environment never goes to an address that somebody typed."""
    given = EndpointSettings(base_url=SecretStr("https://company/v1"), api_key=SecretStr("theirs"))
    settings = Settings(endpoints={"House": given, "other": given}, OPENAI_API_KEY="theirs")
    own = with_endpoints(settings, {"house": typed("http://localhost:1"), "openai": typed("http://localhost:2")})
    found = {name: find_endpoint(f"{name}:m", own)[0] for name in ("house", "openai", "other")}
    assert {name: (each.url, each.key) for name, each in found.items()} == {
        "house": ("http://localhost:1/v1", None),
        "openai": ("http://localhost:2/v1", None),
        "other": ("https://company/v1", SecretStr("theirs")),
    }


def test_what_decides_replies_is_the_address_the_model_and_parameters_but_no_key():
    def parts(**changes):
        given = {"url": "http://localhost:1", "key": "one"} | changes
        return deciding_parts("house:m", Settings(endpoints={"house": typed(**given)}))

    assert parts() == parts(key="another") == parts(concurrency=1) == ("http://localhost:1/v1", (), "m", 0.0, None)
    assert len({parts(), parts(url="http://localhost:2"), parts(temperature=0.5), parts(max_tokens=9)}) == 4
    assert deciding_parts("embedded", Settings()) == deciding_parts("unknown:m", Settings()) == ()
