"""One cell or JSON value → text, list or flag. Text is never run as code."""

import ast
import io
import json
import tokenize
import warnings
from typing import Any

from rag_variants.corpus.decoding import clean
from rag_variants.text.as_read import as_read

_YES = {"true", "yes", "y", "1", "tak", "prawda", "是", "真"}
_NO = {"false", "no", "n", "0", "nie", "fałsz", "falsz", "否", "假"}
_LAYOUT = {tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER}


class Number(str):
    """A number of a JSON text as it was typed; where only words will do, it is told from a text by its type."""

    __slots__ = ()

    def __repr__(self) -> str:
        """The number without quotes, as it stands in the file."""
        return str(self)


def parse_json(text: str) -> Any:
    """The JSON value, every number as it was typed (`Number`), NaN as missing. Raises ValueError."""
    try:
        value = json.loads(text, parse_int=Number, parse_float=Number, parse_constant=_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"it is not JSON: {error.msg} at character {error.pos + 1}") from error
    except RecursionError as error:
        raise ValueError("it is not usable JSON: it is nested too deeply") from error
    return _cleaned(value)


def _constant(name: str) -> str | None:
    return None if name == "NaN" else Number(name)


def _cleaned(value: Any) -> Any:
    if isinstance(value, Number):
        return value
    if isinstance(value, str):
        return as_read(clean(value))
    if isinstance(value, list):
        return [_cleaned(each) for each in value]
    if isinstance(value, dict):
        return {as_read(clean(key)): _cleaned(each) for key, each in value.items()}
    return value


def read_list(cell: str | None) -> tuple[str, ...] | None:
    """The texts in a cell: a JSON list, a printed Python or numpy list of texts, or one text; None for a blank cell.

    Anything else in brackets, such as `[Rent] is due` or a call, stays one text.
    """
    text = (cell or "").strip()
    if not text:
        return None
    if not (text.startswith("[") and text.endswith("]")):
        return (text,)
    try:
        entries = parse_json(text)
    except ValueError:
        return _printed_list(text) or (text,)
    kept = tuple(entry for entry in entries if entry is not None)
    return kept if all(isinstance(entry, str) for entry in kept) else (text,)


def _printed_list(text: str) -> tuple[str, ...] | None:
    """The texts of a printed list, or None if anything but text literals and commas stands in the brackets.

    Literals without a comma between them are entries of their own: so numpy prints, and Python would join them.
    """
    try:
        tokens = [each for each in tokenize.generate_tokens(io.StringIO(text).readline) if each.type not in _LAYOUT]
        if tokens[0].string != "[" or tokens[-1].string != "]":
            return None
        if not all(each.type == tokenize.STRING or each.string == "," for each in tokens[1:-1]):
            return None
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an unknown escape such as \d is kept as typed
            found = [ast.literal_eval(each.string) for each in tokens if each.type == tokenize.STRING]
    except (SyntaxError, ValueError, tokenize.TokenError, RecursionError, MemoryError):
        return None
    return tuple(as_read(clean(each)) for each in found) if all(isinstance(each, str) for each in found) else None


def read_flag(value: Any) -> bool | None:
    """True, False, or None for a blank; the words for yes and no that spreadsheets write. Raises ValueError."""
    if value is None or isinstance(value, bool):
        return value
    word = value.strip().casefold() if isinstance(value, str) else None
    if word == "":
        return None
    if word not in _YES | _NO:
        raise ValueError(f"it is {repr(value)[:40]}; write true or false")
    return word in _YES
