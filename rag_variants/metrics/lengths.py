"""How long a text is: in tokens, about, and in words."""

import math
import re

from rag_variants.text.terms import CJK

_CJK_CHARACTER = re.compile(f"[{CJK}]")
# A run of letters and digits with the marks that hold a word together: don't, ERR-4031, 3.5, name@host.
_LATIN_WORD = re.compile(rf"[^\W{CJK}]+(?:[-'’./:@,+][^\W{CJK}]+)*")
_CHARACTERS_A_TOKEN = 4


def estimate_tokens(text: str) -> int:
    """About how many tokens a chat model reads: one per CJK character, one per 4 other characters, rounded up.

    An estimate: tokenizers differ, and the real tables would have to be downloaded. Polish takes more than it says.
    """
    cjk = len(_CJK_CHARACTER.findall(text))
    return cjk + math.ceil((len(text) - cjk) / _CHARACTERS_A_TOKEN)


def count_words(text: str) -> int:
    """Words as word processors count them: each Chinese character is one, else runs of letters and digits."""
    return len(_CJK_CHARACTER.findall(text)) + len(_LATIN_WORD.findall(text))
