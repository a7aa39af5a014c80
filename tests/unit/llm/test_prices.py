"""The user's prices stand before list prices; what has no price has none, not zero."""

from pathlib import Path

import pytest

from rag_variants.llm.endpoint import OPENAI_URL, Endpoint
from rag_variants.llm.prices import Price, PricesError, find_price, read_prices, write_prices
from rag_variants.settings import Settings

OPENAI = Endpoint("openai", OPENAI_URL)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings(home=tmp_path / "home")


def test_a_cost_is_tokens_times_price_per_million() -> None:
    assert Price("mine:m", 2.0, 8.0).cost(1_000, 500) == pytest.approx((1_000 * 2.0 + 500 * 8.0) / 1_000_000)


def test_a_public_model_has_the_list_price_of_its_provider() -> None:
    price = find_price(OPENAI, "gpt-4o-mini", {})
    assert price is not None
    assert price.input > 0
    assert price.output > price.input


def test_own_prices_stand_before_list_prices() -> None:
    own = Price("openai:gpt-4o-mini", 1.0, 1.0)
    assert find_price(OPENAI, "gpt-4o-mini", {own.model: own}) is own


@pytest.mark.parametrize(
    ("url", "model"),
    [(OPENAI_URL, "no-such-model"), ("https://gateway.example/v1", "gpt-4o-mini"), ("http://127.0.0.1:1/v1", "gpt-4o")],
)
def test_what_nobody_lists_has_no_price(url: str, model: str) -> None:
    assert find_price(Endpoint("mine", url), model, {}) is None


def test_a_price_of_a_model_is_of_that_name_alone() -> None:
    own = Price("mine:gpt", 1.0, 1.0)
    assert find_price(Endpoint("mine", "http://127.0.0.1/v1"), "gpt-large", {own.model: own}) is None


def test_written_prices_are_read_back_in_order(settings: Settings) -> None:
    kept = [Price("zeta:m", 0.5, 1.25), Price("openai:gpt-4o", 0.0, 0.0)]
    write_prices(settings, kept)
    assert list(read_prices(settings).values()) == kept


def test_without_a_file_there_are_none_and_no_folder_is_made(settings: Settings) -> None:
    assert read_prices(settings) == {}
    assert not settings.home.exists()


@pytest.mark.parametrize(
    "line", ["openai:m,1", "openai:m,free,1", "openai:m,-1,1", "openai:m,nan,1", "openai:m,inf,1", ",1,1", "m,1,1"]
)
def test_a_line_that_is_no_price_is_named(settings: Settings, line: str) -> None:
    settings.state_folder()
    (settings.home / "prices.csv").write_text(f"model,input,output\nmine:m,1,1\n{line}\n")
    with pytest.raises(PricesError, match="Line 3 of"):
        read_prices(settings)


def test_a_file_of_another_kind_is_named(settings: Settings) -> None:
    settings.state_folder()
    (settings.home / "prices.csv").write_text("name;cost\nmine:m;1\n")
    with pytest.raises(PricesError, match="model"):
        read_prices(settings)


def test_a_model_has_one_price(settings: Settings) -> None:
    with pytest.raises(PricesError, match="two prices"):
        write_prices(settings, [Price("mine:m", 1, 1), Price("mine:m", 2, 2)])
