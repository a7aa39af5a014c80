"""What a call costs by its tokens: the user's own prices first, then the list prices of public providers."""

import csv
import io
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path

from rag_variants.errors import StateError, UserError
from rag_variants.llm.endpoint import Endpoint
from rag_variants.llm.specs import is_chat_spec
from rag_variants.settings import Settings
from rag_variants.whole_files import write_whole

FILE = "prices.csv"
COLUMNS = ("model", "input", "output")
_MILLION = 1_000_000


class PricesError(UserError):
    """A price that cannot be used."""


@dataclass(frozen=True, slots=True)
class Price:
    """What a model charges, in US dollars per million tokens read (`input`) and written (`output`).

    `model` is its spec, `NAME:MODEL`. Raises PricesError for anything else.
    """

    model: str
    input: float
    output: float

    def __post_init__(self) -> None:
        if not is_chat_spec(self.model):
            raise PricesError(f"{self.model!r} is no model. Write it as in a variant: openai:MODEL or NAME:MODEL.")
        for name in COLUMNS[1:]:
            value = getattr(self, name)
            if not math.isfinite(value) or value < 0:
                raise PricesError(f"The {name} price of {self.model} is {value}. Give US dollars per million tokens.")

    def cost(self, prompt_tokens: int, completion_tokens: int) -> float:
        """US dollars for so many tokens: (read × input + written × output) ÷ 1,000,000."""
        return (prompt_tokens * self.input + completion_tokens * self.output) / _MILLION


def read_prices(settings: Settings) -> dict[str, Price]:
    """The user's own prices by spec, in the order of their file; none without a file. Raises PricesError."""
    path = _path(settings)
    try:
        text = path.read_text(encoding="utf-8-sig")
    except (FileNotFoundError, NotADirectoryError):
        return {}
    except (OSError, UnicodeDecodeError) as error:
        raise PricesError(f"{path} cannot be read ({error}). Mend or remove it.") from error
    rows = list(csv.DictReader(io.StringIO(text)))
    return {price.model: price for price in (_read(row, at, path) for at, row in enumerate(rows, start=2))}


def write_prices(settings: Settings, prices: Iterable[Price]) -> None:
    """Keeps the user's own prices in place of those before. Raises PricesError for a model that has two."""
    kept: dict[str, Price] = {}
    for price in prices:
        if price.model in kept:
            raise PricesError(f"{price.model} has two prices. Remove one.")
        kept[price.model] = price
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows((price.model, price.input, price.output) for price in kept.values())
    settings.state_folder()
    try:
        write_whole(_path(settings), text.getvalue())
    except OSError as error:
        raise StateError(
            f"{_path(settings)} cannot be written ({error}). Free space or set RAG_VARIANTS_HOME."
        ) from error


def find_price(endpoint: Endpoint, model: str, own: Mapping[str, Price]) -> Price | None:
    """The price of a model: the user's own, else its provider's list price for short prompts, else None.

    List prices are those of genai-prices (Pydantic), which come with the product and are only as new as it is. A
    provider is known by its address; a server without https is nobody's.
    """
    spec = f"{endpoint.name}:{model}"
    if spec in own:
        return own[spec]
    return _list_price(spec, endpoint.url, model) if endpoint.url.startswith("https://") else None


def _list_price(spec: str, url: str, model: str) -> Price | None:
    from genai_prices import Usage, calc_price

    try:
        read = calc_price(Usage(input_tokens=1_000), model, provider_api_url=url)
        written = calc_price(Usage(output_tokens=1_000), model, provider_api_url=url)
    except LookupError:
        return None
    return Price(spec, float(read.total_price) * 1_000, float(written.total_price) * 1_000)


def _path(settings: Settings) -> Path:
    return settings.home / FILE


def _read(row: Mapping[str, str | None], line: int, path: Path) -> Price:
    try:
        return Price((row["model"] or "").strip(), float(row["input"] or ""), float(row["output"] or ""))
    except (KeyError, ValueError) as error:
        raise PricesError(f"Line {line} of {path} is not model,input,output with two numbers. Mend it.") from error
    except PricesError as error:
        raise PricesError(f"Line {line} of {path}: {error}") from error
