"""Bytes of a file → text, or the reason why they are none."""

import codecs
import re
from dataclasses import dataclass

from rag_variants.text.language import detect_language

# The order matters: the mark of UTF-32 begins with that of UTF-16.
_MARKS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
# What people save English, Polish and Chinese in when it is not UTF-8, with the language that speaks for it.
_LEGACY = {"cp1250": "pl", "iso8859_2": "pl", "cp1252": "en", "gb18030": "zh", "big5hkscs": "zh"}
# The first byte of ą ć ę ł ń ó ś ź ż in UTF-8; in cp1250 these are Ă, Ä and Ĺ, which end no Polish word.
_POLISH_BEGINNINGS = (b"\xc3", b"\xc4", b"\xc5")
_BROKEN = re.compile("\ufffd+")
_MOST_MARKS = 3  # that one broken character of four bytes leaves
_POLISH_PAIR = ("cp1250", "iso8859_2")
_POLISH_LETTER = "ąćęłńóśźżĄĆĘŁŃÓŚŹŻ"
_IN_WORD = re.compile(rf"(?<=[a-zA-Z{_POLISH_LETTER}])[^\x00-\x7f]|[^\x00-\x7f](?=[a-zA-Z{_POLISH_LETTER}])")
_MOST_CHAOS = 0.2  # charset-normalizer's own limit for text that reads like a language
_SUREST = 0.95  # a guess is none that one can be sure of
_GUESSED_FROM = 100_000  # bytes that the guess looks at
_SURROGATES = dict.fromkeys(range(0xD800, 0xE000), "\ufffd")
_CONTROLS = frozenset(map(chr, range(32))) - set("\t\n\r\f\v\x1b")


class NotTextError(ValueError):
    """Bytes that cannot be read as text; the message says why and what to do."""


@dataclass(frozen=True, slots=True)
class Decoded:
    """A text with `\\n` line ends and without NUL and half characters; `note` says what was guessed or replaced."""

    text: str
    note: str | None = None


def decode(data: bytes) -> Decoded:
    """The text in bytes: UTF-8, UTF-16 or UTF-32 by their mark, else a guess with a note. Raises NotTextError."""
    text, note = _decoded(data)
    controls = sum(map(text.count, _CONTROLS))
    if 20 * controls > len(text):
        raise NotTextError("it does not look like text; remove it, or save its text as UTF-8")
    return Decoded(clean(text.removeprefix("\ufeff")).replace("\r\n", "\n").replace("\r", "\n"), note)


def clean(text: str) -> str:
    """The text without NUL, and with U+FFFD for halves of characters, which no file or model can take."""
    return text.replace("\x00", "").translate(_SURROGATES) if "\x00" in text or not _encodable(text) else text


def _encodable(text: str) -> bool:
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _decoded(data: bytes) -> tuple[str, str | None]:
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _with_replacements(data[len(mark) :], encoding)
    try:
        return data.decode("utf-8"), None
    except UnicodeDecodeError:
        return _damaged_utf8(data) or _guessed(data)


def _with_replacements(data: bytes, encoding: str) -> tuple[str, str | None]:
    text = data.decode(encoding, "replace")
    broken = text.count("\ufffd") - data.decode(encoding, "ignore").count("\ufffd")
    return text, f"{broken} unreadable character(s) replaced by \ufffd" if broken else None


def _damaged_utf8(data: bytes) -> tuple[str, str | None] | None:
    """UTF-8 with broken characters: told from other encodings by its characters that are right.

    Of texts in other encodings next to nothing is right by chance, and the byte FF is in none of their words. Where
    nothing but the end is broken, it is UTF-8 cut inside its last letter if that began as Polish letters do, or two
    bytes of it are there.
    """
    whole = _surrogates_replaced(data)
    text, note = _with_replacements(whole, "utf-8")
    right = sum(character > "\x7f" for character in text) - text.count("\ufffd")
    broken = sum(-(-len(run) // _MOST_MARKS) for run in _BROKEN.findall(text))
    ascii_otherwise = data.replace(b"\xff", b"").isascii()
    if whole != data or right >= broken or _is_cut(data) or ascii_otherwise:
        return text, note or "half of a character replaced by \ufffd"
    return None


def _is_cut(data: bytes) -> bool:
    """Whether all is ASCII but the beginning of a character at the very end."""
    end = data[len(data.rstrip(bytes(range(0x80, 0x100)))) :]
    if not data[: len(data) - len(end)].isascii() or not end:
        return False
    try:
        end.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.reason == "unexpected end of data" and (len(end) > 1 or end in _POLISH_BEGINNINGS)
    return False


def _surrogates_replaced(data: bytes) -> bytes:
    """Half surrogate pairs that were written as if they were characters become U+FFFD."""
    try:
        return data.decode("utf-8", "surrogatepass").translate(_SURROGATES).encode("utf-8")
    except UnicodeDecodeError:
        return data


def _guessed(data: bytes) -> tuple[str, str | None]:
    from charset_normalizer import from_bytes

    if b"\x00" in data:
        raise NotTextError("it does not look like text; remove it, or save its text as UTF-8")
    matches = from_bytes(data[:_GUESSED_FROM], cp_isolation=list(_LEGACY))
    ranked = sorted(
        (match for match in matches if match.encoding in _LEGACY),
        key=lambda match: (
            detect_language(str(match)) != _LEGACY[match.encoding],
            match.chaos,
            -match.coherence,
            list(_LEGACY).index(match.encoding),
        ),
    )
    for match in ranked:
        if match.chaos <= _MOST_CHAOS:
            try:
                text, encoding = _polish_or_as_given(data, match.encoding)
            except UnicodeDecodeError:
                continue
            sure = f"{min(1 - match.chaos, _SUREST):.0%}"
            return text, f"read as {encoding} (guessed, confidence {sure}); save it as UTF-8 to be sure"
    raise NotTextError("its encoding is not known; save it as UTF-8")


def _polish_or_as_given(data: bytes, encoding: str) -> tuple[str, str]:
    """The text and its encoding; of the two of Polish, which differ in ą ś ź, that which gives Polish words."""
    text = data.decode(encoding)
    if encoding not in _POLISH_PAIR:
        return text, encoding
    texts = [(text, encoding)]
    for other in _POLISH_PAIR:
        try:
            texts.append((data.decode(other), other))
        except UnicodeDecodeError:
            continue  # cp1250 has no character for some bytes
    return max(texts, key=lambda each: _polish_sense(each[0]))


def _polish_sense(text: str) -> int:
    """Polish letters in words, less other characters there, and less control characters anywhere."""
    inside = _IN_WORD.findall(text)
    letters = sum(each in _POLISH_LETTER for each in inside)
    quotes = sum(each in "„”“’–—…" for each in inside)
    controls = sum("\x80" <= each <= "\x9f" for each in text)
    return letters - (len(inside) - letters - quotes) - controls
